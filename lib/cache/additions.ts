import type { KubeObject } from "../meta/object.ts";
import type { AddChange } from "./change.ts";
import { observe } from "./observed_object.ts";
import type { PackedObject } from "./packed_object.ts";

/** What {@linkcode Additions} are made of. */
export interface AdditionsOptions<T extends KubeObject = KubeObject> {
  /** The objects as they are now; an array that nobody else uses. */
  readonly objects: PackedObject<T>[];
  /** How many handlers are told of them: each has a {@linkcode Additions.run}. */
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
  readonly #isInInitialList: boolean;
  readonly #freeze: boolean;
  readonly #objects: (PackedObject<T> | undefined)[];
  /** How many handlers have still to take what none has taken. */
  #takers: number;
  /** What some handlers have taken and others have not, by its place. */
  readonly #made = new Map<number, Made<T>>();

  /** Makes none of them yet. */
  constructor({ objects, takers, isInInitialList, freeze }: AdditionsOptions<T>) {
    this.length = objects.length;
    this.#objects = objects;
    this.#takers = takers;
    this.#isInInitialList = isInInitialList;
    this.#freeze = freeze;
  }

  /** All of them, for one handler, which takes them or drops them. */
  run(): AdditionRun<T> {
    return new AdditionRun(this.length, {
      take: (at) => this.#take(at),
      drop: (from) => this.#drop(from),
    });
  }

  #take(at: number): AddChange<T> {
    let made = this.#made.get(at);
    if (made === undefined) {
      const current = observe(this.#objects[at]!, { freeze: this.#freeze });
      const change: AddChange<T> = { type: "add", current, isInInitialList: this.#isInInitialList };
      made = { change, takers: this.#takers };
      if (made.takers > 1) this.#made.set(at, made);
    }
    this.#pass(at, made);
    return made.change;
  }

  /** One handler less has what is made at a place to take. */
  #pass(at: number, made: Made<T>): void {
    if (--made.takers > 0) return;
    this.#made.delete(at);
    this.#objects[at] = undefined;
  }

  /** A handler is gone that had taken all up to a place: what nobody has taken lies behind that. */
  #drop(from: number): void {
    this.#takers--;
    for (const [at, made] of this.#made) if (at >= from) this.#pass(at, made);
  }
}

/** An addition, and how many handlers have still to take it. */
interface Made<T extends KubeObject> {
  readonly change: AddChange<T>;
  takers: number;
}

/** The additions that one handler is told of, one after the other. */
export class AdditionRun<T extends KubeObject = KubeObject> {
  readonly #source: AdditionSource<T>;
  readonly #length: number;
  #at = 0;

  /** Begins with the first. */
  constructor(length: number, source: AdditionSource<T>) {
    this.#length = length;
    this.#source = source;
  }

  /** How many are left. */
  get left(): number {
    return this.#length - this.#at;
  }

  /** The next; only while any is left. */
  next(): AddChange<T> {
    return this.#source.take(this.#at++);
  }

  /** Gives up what is left: nobody waits for this handler any more. */
  drop(): void {
    if (this.left > 0) this.#source.drop(this.#at);
    this.#at = this.#length;
  }
}

/** Where an {@linkcode AdditionRun} takes its additions from. */
interface AdditionSource<T extends KubeObject> {
  readonly take: (at: number) => AddChange<T>;
  readonly drop: (from: number) => void;
}
