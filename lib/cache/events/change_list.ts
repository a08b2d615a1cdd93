import type { KubeObject } from "@xca/apimachinery/meta";
import { type Change, changeOf, type ChangeOptions } from "./change.ts";
import type { PackedList } from "../store/packed_list.ts";

/**
 * Options of the class {@linkcode ChangeList}, a list of changes that several event handlers share.
 */
export interface ChangeListOptions<T extends KubeObject = KubeObject> extends ChangeOptions {
  /**
   * The changed objects in their new state; no object at the index of a deleted object. The change
   * list releases the objects, so nothing else may use the collection.
   */
  readonly now: PackedList<T>;
  /**
   * The changed objects in their old state, at the indexes of `now`; no object at the index of an
   * added object. If `before` is `now` itself, all objects are unchanged, and handlers are notified
   * of each as an update. Without it, all objects of `now` are additions.
   *
   * @default none
   */
  readonly before?: PackedList<T> | undefined;
  /**
   * Number of event handlers to notify of the change list; exactly as many must call {@linkcode
   * ChangeList.run}.
   */
  readonly takers: number;
}

/**
 * A list of cache events that several event handlers are notified of at once.
 *
 * Each change is created when the first handler takes it: all changes of an initial list created at
 * once would take twice the memory of the store, and burden the garbage collector. A change is
 * shared by all handlers, and released with the last one.
 */
export class ChangeList<T extends KubeObject = KubeObject> {
  readonly #options: ChangeListOptions<T>;
  /** Number of event handlers that will take those changes which no handler has taken yet. */
  #takers: number;
  /**
   * The change events that some handlers have taken and others have not, by index in the change
   * list.
   */
  readonly #made = new Map<number, Made<T>>();

  constructor(options: ChangeListOptions<T>) {
    this.#options = options;
    this.#takers = options.takers;
  }

  /** Number of cache events in the change list, taken ones included. */
  get length(): number {
    return this.#options.now.length;
  }

  /**
   * Returns an iterator over the changes of the list for one event handler, which must take or drop
   * all of them.
   */
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

  /**
   * Records that another handler has taken or dropped the change event at an index; after the last
   * handler, releases the objects of the change.
   */
  #pass(at: number, made: Made<T>): void {
    if (--made.takers > 0) return;
    this.#made.delete(at);
    this.#options.now.release(at);
    this.#options.before?.release(at);
  }

  /**
   * Removes an event handler that has taken all changes before index `from` from the handlers to
   * wait for, and releases every created change from `from` on that all other handlers have taken.
   */
  #drop(from: number): void {
    this.#takers--;
    for (const [at, made] of this.#made) if (at >= from) this.#pass(at, made);
  }
}

/**
 * A change event that a change list created for the first handler, with the number of event
 * handlers that have still to take the event.
 */
interface Made<T extends KubeObject> {
  readonly change: Change<T>;
  takers: number;
}

/** An iterator over the changes of a {@linkcode ChangeList} for one event handler. */
export class ChangeRun<T extends KubeObject = KubeObject> {
  readonly #source: ChangeSource<T>;
  readonly #length: number;
  #at = 0;

  constructor(length: number, source: ChangeSource<T>) {
    this.#length = length;
    this.#source = source;
  }

  /** Number of changes of the change list that the handler has still to take. */
  get left(): number {
    return this.#length - this.#at;
  }

  /**
   * Returns the next change of the list for the event handler. The caller calls it only while
   * {@linkcode ChangeRun.left} is above 0.
   */
  next(): Change<T> {
    return this.#source.take(this.#at++);
  }

  /** Drops the changes that the handler has not taken, because the handler was removed. */
  drop(): void {
    if (this.left > 0) this.#source.drop(this.#at);
    this.#at = this.#length;
  }
}

/**
 * The callbacks by which a {@linkcode ChangeRun} takes and drops changes of its {@linkcode
 * ChangeList}.
 */
interface ChangeSource<T extends KubeObject> {
  readonly take: (at: number) => Change<T>;
  readonly drop: (from: number) => void;
}
