import type { KubeObject } from "@xca/apimachinery/meta";
import { type Change, changeOf, type ChangeOptions } from "./change.ts";
import type { PackedList } from "../store/packed_list.ts";

/** What a {@linkcode ChangeList} is made of. */
export interface ChangeListOptions<T extends KubeObject = KubeObject> extends ChangeOptions {
  /** The objects as they are now; none where one is gone. A list that nobody else uses. */
  readonly now: PackedList<T>;
  /** The objects as they were, at the same places; none where one is new. @default none */
  readonly before?: PackedList<T> | undefined;
  /** How many handlers are told of them: each has a {@linkcode ChangeList.run}. */
  readonly takers: number;
}

/**
 * Many changes that handlers are told of at once. Each is made when the first handler takes it, not
 * before: of a first list all of them would be twice as much as what is kept of it, for the collector
 * to move about. As any change it is shared by all handlers, and let go of by the last.
 */
export class ChangeList<T extends KubeObject = KubeObject> {
  readonly #options: ChangeListOptions<T>;
  /** How many handlers have still to take what none has taken. */
  #takers: number;
  /** What some handlers have taken and others have not, by its place. */
  readonly #made = new Map<number, Made<T>>();

  /** Makes none of them yet. */
  constructor(options: ChangeListOptions<T>) {
    this.#options = options;
    this.#takers = options.takers;
  }

  /** How many there are. */
  get length(): number {
    return this.#options.now.length;
  }

  /** All of them, for one handler, which takes them or drops them. */
  run(): ChangeRun<T> {
    return new ChangeRun(this.length, {
      take: (at) => this.#take(at),
      drop: (from) => this.#drop(from),
    });
  }

  #take(at: number): Change<T> {
    let made = this.#made.get(at);
    if (made === undefined) {
      made = { change: this.#make(at), takers: this.#takers };
      if (made.takers > 1) this.#made.set(at, made);
    }
    this.#pass(at, made);
    return made.change;
  }

  #make(at: number): Change<T> {
    const { now, before } = this.#options;
    const object = now.at(at);
    return changeOf(before === now ? object : before?.at(at), object, this.#options);
  }

  /** One handler less has what is made at a place to take. */
  #pass(at: number, made: Made<T>): void {
    if (--made.takers > 0) return;
    this.#made.delete(at);
    this.#options.now.letGo(at);
    this.#options.before?.letGo(at);
  }

  /** A handler is gone that had taken all up to a place: what nobody has taken lies behind that. */
  #drop(from: number): void {
    this.#takers--;
    for (const [at, made] of this.#made) if (at >= from) this.#pass(at, made);
  }
}

/** A change, and how many handlers have still to take it. */
interface Made<T extends KubeObject> {
  readonly change: Change<T>;
  takers: number;
}

/** The changes that one handler is told of, one after the other. */
export class ChangeRun<T extends KubeObject = KubeObject> {
  readonly #source: ChangeSource<T>;
  readonly #length: number;
  #at = 0;

  /** Begins with the first. */
  constructor(length: number, source: ChangeSource<T>) {
    this.#length = length;
    this.#source = source;
  }

  /** How many are left. */
  get left(): number {
    return this.#length - this.#at;
  }

  /** The next; only while any is left. */
  next(): Change<T> {
    return this.#source.take(this.#at++);
  }

  /** Gives up what is left: nobody waits for this handler any more. */
  drop(): void {
    if (this.left > 0) this.#source.drop(this.#at);
    this.#at = this.#length;
  }
}

/** Where a {@linkcode ChangeRun} takes its changes from. */
interface ChangeSource<T extends KubeObject> {
  readonly take: (at: number) => Change<T>;
  readonly drop: (from: number) => void;
}
