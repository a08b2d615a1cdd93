import type { KubeObject } from "../meta/object.ts";
import type { AddChange } from "./change.ts";
import { observe } from "./observed_object.ts";
import type { PackedObject } from "./packed_object.ts";

/** What {@linkcode Additions} are made of. */
export interface AdditionsOptions<T extends KubeObject = KubeObject> {
  /** The objects as they are now; an array that nobody else uses. */
  readonly objects: PackedObject<T>[];
  /** How many handlers are told of them. */
  readonly takers: number;
  /** Whether they are of the first state. */
  readonly isInInitialList: boolean;
  /** Whether the objects that handlers share are frozen. */
  readonly freeze: boolean;
}

/**
 * Many objects that handlers are told of as additions. Each addition is made when the first handler
 * takes it, not before: of a first list all of them would be twice as much as what is kept of it, for
 * the collector to move about. As any change it is shared by all handlers, and let go of by the last.
 */
export class Additions<T extends KubeObject = KubeObject> {
  /** How many there are. */
  readonly length: number;
  readonly #options: AdditionsOptions<T>;
  readonly #objects: (PackedObject<T> | undefined)[];
  /** What some handlers have taken and others have not, by its place. */
  readonly #made = new Map<number, { readonly change: AddChange<T>; takers: number }>();

  /** Makes none of them yet. */
  constructor(options: AdditionsOptions<T>) {
    this.#options = options;
    this.#objects = options.objects;
    this.length = options.objects.length;
  }

  /** All of them, for one handler. */
  run(): AdditionRun<T> {
    return new AdditionRun(this.length, (at) => this.#take(at));
  }

  #take(at: number): AddChange<T> {
    const made = this.#made.get(at) ?? this.#make(at);
    if (--made.takers > 0) this.#made.set(at, made);
    else {
      this.#made.delete(at);
      this.#objects[at] = undefined;
    }
    return made.change;
  }

  #make(at: number): { readonly change: AddChange<T>; takers: number } {
    const { isInInitialList, freeze, takers } = this.#options;
    const current = observe(this.#objects[at]!, { freeze });
    return { change: { type: "add", current, isInInitialList }, takers };
  }
}

/** The additions that one handler is told of, one after the other. */
export class AdditionRun<T extends KubeObject = KubeObject> {
  readonly #take: (at: number) => AddChange<T>;
  readonly #length: number;
  #at = 0;

  /** Begins with the first. */
  constructor(length: number, take: (at: number) => AddChange<T>) {
    this.#length = length;
    this.#take = take;
  }

  /** How many are left. */
  get left(): number {
    return this.#length - this.#at;
  }

  /** The next; only while any is left. */
  next(): AddChange<T> {
    return this.#take(this.#at++);
  }
}
