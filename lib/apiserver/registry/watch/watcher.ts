// Mirrors `storage/cacher/cache_watcher.go, cacheWatcher`.
import type { Clock, Timer } from "@xca/apimachinery/base";
import type { Work } from "@xca/apimachinery/internal/base";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { candidatesNow } from "../handlers/candidates.ts";
import type { Selection } from "../handlers/selection.ts";
import type { StoredObject } from "../../storage/arena.ts";
import type { Collection, LogEvent } from "../../storage/collection.ts";
import type { RevisionLog } from "../../storage/revision_log.ts";
import { EventView, makeFrame } from "./event_view.ts";
import { FrameStream } from "./frame_stream.ts";
import type { Frame, SelectedFrame, WatchForm } from "./watch_form.ts";
import type { WatchHub } from "./watch_hub.ts";

/** The parameters of a {@linkcode Watcher}, which serves one watch. */
export interface WatcherInit {
  readonly log: RevisionLog;
  readonly hub: WatchHub;
  readonly clock: Clock;
  readonly collection: Collection;
  readonly selection: Selection;
  readonly work: Work;
  /**
   * Returns the format of the watch's next frame; the first frame of a table differs from the rest.
   */
  readonly form: () => WatchForm;
  /**
   * Sets whether frames are encoded in the order in which they are sent, because the watch's first
   * frame differs from the rest.
   */
  readonly inOrder: boolean;
  /**
   * The beginning of the watch: `true` to send the current state first, otherwise the revision
   * after which the watch reports writes.
   */
  readonly begin: true | number;
  /**
   * Encodes a bookmark event at a revision; `initialEnd` marks the end of the initial events.
   * `undefined` if the client did not request bookmarks.
   */
  readonly bookmark: ((revision: number, initialEnd: boolean) => Frame) | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The interval of a watch's bookmark events in milliseconds; the last bookmark is sent
 * `BEFORE_END_MS` before the end of the watch.
 */
const BOOKMARK_MS = 60_000;
const BEFORE_END_MS = 2_000;

/** One watch of a client, from the first frame of its response to its end. */
export class Watcher {
  readonly #init: WatcherInit;
  readonly #stream: FrameStream;
  readonly #subscription: Disposable;
  readonly #reset: Disposable;
  readonly #deadlineMs: number;
  readonly #timers: Timer[] = [];
  /**
   * The revision after which the watch shows the writes that the hub reports: the revision of the
   * storage at the start of the watch, or the requested revision if that is newer. The hub may
   * report earlier writes too, which the initial frames show.
   */
  readonly #since: number;
  /**
   * A promise that settles when all frames before the watch's next one are sent, since a frame may
   * wait for a conversion webhook; `undefined` if none waits.
   */
  #pending: Promise<void> | undefined;
  readonly #onAbort = (): void => this.#stream.cut();

  constructor(init: WatcherInit) {
    this.#init = init;
    const { log, hub, collection, begin, clock, signal, timeoutMs } = init;
    this.#since = Math.max(begin === true ? 0 : begin, log.revision);
    this.#stream = new FrameStream(
      begin === true ? this.#state(log.revision) : this.#missed(begin),
      () => this.#release(),
      init.work,
    );
    this.#subscription = hub.subscribe(
      collection.name,
      (view) => {
        if (view.event.revision > this.#since) this.#inOrder(() => this.#show(view));
      },
      () => this.#stream.end(),
    );
    this.#reset = log.onReset(() => this.#stream.cut());
    this.#deadlineMs = clock.monotonicMs() + timeoutMs;
    this.#timers[0] = clock.after(timeoutMs, () => this.#stream.end());
    if (init.bookmark) this.#planBookmark();
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** The response body of the watch. */
  get body(): ReadableStream<Uint8Array> {
    return this.#stream.body;
  }

  /**
   * Returns the watch's frames of the collection's current objects, each encoded when the stream
   * reads it, with `undefined` for an object that the watch does not select; then the bookmark that
   * ends the initial events, if the client requested bookmarks.
   */
  #state(revision: number): Iterable<SelectedFrame> {
    const { collection, selection, form, bookmark } = this.#init;
    const objects = candidatesNow(collection, selection);
    const frameOf = (object: StoredObject, isSelected: boolean): Frame | undefined =>
      isSelected ? makeFrame(form(), "ADDED", object, undefined) : undefined;
    return (function* () {
      for (const object of objects) {
        const selected = selection.selects(object);
        yield selected instanceof Promise
          ? selected.then((isSelected) => frameOf(object, isSelected))
          : frameOf(object, selected);
      }
      if (bookmark) yield bookmark(revision, true);
    })();
  }

  /**
   * Returns the watch's frames of the writes after a revision, each encoded when the stream reads
   * it; `undefined` in place of the frame of a write that the watch does not select.
   */
  #missed(since: number): Iterable<SelectedFrame> {
    const events = this.#init.collection.eventsAfter(since);
    return events.values().map((event: LogEvent) => this.#frameOf(new EventView(event)));
  }

  /**
   * Runs a function that encodes a frame of the watch: at once, or after the initial frames where
   * the order matters.
   */
  #inOrder(run: () => void): void {
    if (this.#init.inOrder) this.#stream.afterInitial(run);
    else run();
  }

  #show(view: EventView): void {
    try {
      const frame = this.#frameOf(view);
      if (frame) this.#send(frame);
    } catch {
      this.#stream.cut();
    }
  }

  /**
   * Returns the encoded frame that the watch sends for a write; `undefined` if the watch does not
   * select the write.
   */
  #frameOf(view: EventView): SelectedFrame {
    const { selection, form } = this.#init;
    if (!selection.covers(view.event.key)) return undefined;
    if (!selection.filters) return view.frame(form(), view.event.type);
    const frameFor = (states: readonly ApiObject[]): Frame | undefined => {
      const type = this.#typeFor(view.event.type, states);
      return type && view.frame(form(), type);
    };
    const states = view.states(form().resource);
    return states instanceof Promise ? states.then(frameFor) : frameFor(states);
  }

  /**
   * Returns the event type of a write for the watch's selection: `ADDED` for an object that enters
   * the selection, `DELETED` for one that leaves it, and `MODIFIED` for one that stays selected;
   * `undefined` for all other writes.
   *
   * @param states The result of {@linkcode EventView.states}
   */
  #typeFor(
    type: LogEvent["type"],
    states: readonly ApiObject[],
  ): LogEvent["type"] | undefined {
    const { selection } = this.#init;
    const before = type !== "ADDED" && selection.matches(states[0]!);
    const after = type !== "DELETED" && selection.matches(states.at(-1)!);
    if (before && after) return "MODIFIED";
    if (after) return "ADDED";
    return before ? "DELETED" : undefined;
  }

  #send(frame: NonNullable<SelectedFrame>): void {
    if (!this.#pending && !(frame instanceof Promise)) return this.#stream.push(frame);
    // The frame may fail before it is awaited in its turn.
    if (frame instanceof Promise) frame.catch(() => {});
    const before = this.#pending ?? Promise.resolve();
    const pending = before.then(() => frame).then(
      (made) => made && this.#stream.push(made),
      () => this.#stream.cut(),
    ).then(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
    this.#pending = pending;
  }

  /**
   * Schedules the watch's next bookmark: about once a minute, and shortly before the end of the
   * watch.
   */
  #planBookmark(): void {
    const { clock, hub, bookmark } = this.#init;
    const lastMs = this.#deadlineMs - BEFORE_END_MS - clock.monotonicMs();
    const delayMs = lastMs > 0 ? Math.min(BOOKMARK_MS, lastMs) : BOOKMARK_MS;
    this.#timers[1] = clock.after(delayMs, () => {
      const revision = Math.max(this.#since, hub.revision);
      this.#inOrder(() => this.#send(bookmark!(revision, false)));
      this.#planBookmark();
    });
  }

  #release(): void {
    this.#subscription[Symbol.dispose]();
    this.#reset[Symbol.dispose]();
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#init.signal.removeEventListener("abort", this.#onAbort);
  }
}
