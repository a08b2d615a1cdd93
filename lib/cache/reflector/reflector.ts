import {
  Backoff,
  type Clock,
  delay,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { prepareStage } from "@xca/apimachinery/internal/base";
import { compareResourceVersions, type KubeObject } from "@xca/apimachinery/meta";
import { GapRepair } from "./gap_repair.ts";
import { collectInitialEvents } from "./initial_events.ts";
import { listPages, pageSizeFor } from "../watch/list_pages.ts";
import { ObjectIntake } from "./object_intake.ts";
import { RecentDeletions } from "./recent_deletions.ts";
import { idleTimeoutMs, type ReflectorOptions, watchTimeoutSeconds } from "./reflector_options.ts";
import {
  isOlder,
  type Machine,
  type Outcome,
  type ReflectorState,
  START,
  step,
} from "./reflector_state.ts";
import { ReflectorLog } from "./reflector_log.ts";
import { RetryWindow } from "./retry_window.ts";
import { Snapshot } from "./snapshot.ts";
import { SilenceGuard } from "../watch/silence_guard.ts";
import { VersionCheck } from "./version_check.ts";
import {
  cutUnlessKnown,
  type WatchFailure,
  watchFailure,
  WatchFailureError,
} from "../watch/watch_failure.ts";
import { WatchFollower } from "./watch_follower.ts";
import type { WatchHealth } from "./watch_health.ts";
import { WatchHealthRecorder } from "./watch_health_recorder.ts";
import { WatchStream } from "../watch/watch_stream.ts";

/**
 * Duration below which a watch without progress counts as failed, in milliseconds; not for a watch
 * that continues a WatchList.
 */
const SHORT_WATCH_MS = 1_000;

/**
 * Number of objects from which on the reflector waits for the next turn of the event loop before it
 * hands the objects of a WatchList to its sink.
 */
const MANY = 8_192;

/**
 * The duration of a watch without any event or bookmark from which on the reflector requests the
 * server's newest version after the watch, in milliseconds.
 */
const SILENT_WATCH_MS = 60_000;

/**
 * The longest wait that a reflector accepts from `Retry-After`, in milliseconds; up to 20% of
 * jitter is added.
 */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * The maximum pause while the server lacks the resource, in milliseconds, without jitter: with
 * jitter at most ten seconds, in which controller-runtime tries again too.
 */
const MISSING_MAX_MS = 5_000;

/**
 * A loop that lists and watches a resource and keeps a sink, such as a cache, equal to it: streams
 * or lists its whole state, then follows its changes, and resumes, lists again or waits after a
 * failure. It never gives up. Mirrors client-go's `tools/cache`, `Reflector`.
 *
 * Guarantees:
 *
 * - The sink receives one `replace` per whole state, then its changes in order. It never receives
 *   half a state, and never an older one, unless the server was restored from a backup: that is
 *   logged, counted as `rebuilds`, and all objects are replaced.
 * - A stream that ends is resumed after the last version seen, without a list. The whole state is
 *   read again if the server no longer keeps that version or was restored from a backup, and after
 *   four failed watches in a row (`WATCH_ATTEMPTS`).
 * - An object that cannot be decoded is reported and left out; all others are processed. Because
 *   the sink may then miss a change, the whole state is read again, after a pause that grows with
 *   each such event (1 s up to 5 min): an object that stays undecodable costs a list now and then,
 *   never a loop. An object that cannot be decoded in a list keeps its last known version.
 * - Failures are followed by a growing, jittered pause; `Retry-After` is honored up to a minute.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker } from "../packed/packer.ts";
 * import { Reflector } from "./reflector.ts";
 * import { listWatchFrom } from "@xca/operator/cache";
 * import { Pod } from "@xca/operator/meta";
 *
 * const items = [{ metadata: { name: "web", uid: "1", resourceVersion: "1" } }];
 * const abort = new AbortController();
 * const keys: string[] = [];
 * const reflector = new Reflector({
 *   listerWatcher: listWatchFrom({
 *     list: () => Promise.resolve({ metadata: { resourceVersion: "1" }, items }),
 *     watch: async function* () {},
 *   }),
 *   packer: createPacker({ type: Pod }),
 *   sink: {
 *     replace(objects) {
 *       for (const { key } of objects) keys.push(key);
 *       abort.abort();
 *     },
 *     add() {},
 *     update() {},
 *     delete() {},
 *     bookmark() {},
 *   },
 * });
 * await reflector.run(abort.signal);
 * assert.deepEqual(keys, ["web"]);
 * ```
 */
export class Reflector<T extends KubeObject = KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: ReflectorLog;
  readonly #backoff: Backoff;
  /**
   * The back-off while the server lacks the resource, whose pauses are at most {@linkcode
   * MISSING_MAX_MS} before jitter.
   */
  readonly #missing: Backoff;
  readonly #watchList: boolean;
  readonly #health: WatchHealthRecorder;
  readonly #intake: ObjectIntake<T>;
  readonly #deletions = new RecentDeletions();
  readonly #internalErrors: RetryWindow;
  readonly #repair: GapRepair;
  #machine: Machine = START;
  /**
   * A flag that is true if the next list result comes from a server that was restored from a
   * backup, which uses resourceVersions again.
   */
  #rebuilding = false;
  #ran = false;

  /** Creates a reflector that is inactive until {@linkcode run}. */
  constructor(options: ReflectorOptions<T>) {
    const { clock = systemClock, random = systemRandom, listerWatcher, sink } = options;
    this.#options = options;
    this.#name = options.name ?? options.type?.id ?? "objects";
    this.#clock = clock;
    this.#random = random;
    const { backoff } = options;
    this.#backoff = new Backoff({ ...backoff, clock, random });
    const maxMs = Math.min(backoff?.maxMs ?? Infinity, MISSING_MAX_MS);
    this.#missing = new Backoff({ ...backoff, maxMs, clock, random });
    this.#watchList = (options.watchList ?? true) && listerWatcher.watchList !== false;
    this.#health = new WatchHealthRecorder(this.#name, clock);
    this.#log = new ReflectorLog(this.#health, options.onError);
    this.#internalErrors = new RetryWindow(options.maxInternalErrorRetryMs ?? 0, clock);
    this.#repair = new GapRepair({ clock, random });
    this.#intake = new ObjectIntake({
      packer: options.packer,
      type: options.type,
      lastKnown: sink.lastKnown && ((key) => sink.lastKnown?.(key)),
      onLost: (error) => this.#log.lost(error),
    });
  }

  /** The health of the reflector's watch: a live view. */
  get health(): WatchHealth {
    return this.#health;
  }

  /**
   * The resourceVersion up to which the reflector's sink is complete, that of the last event,
   * bookmark or list; empty before the first sync.
   */
  get lastSyncResourceVersion(): string {
    return this.#health.resourceVersion;
  }

  /**
   * Lists and watches until `signal` is aborted; then closes every connection and timer, and
   * resolves. A failure of a list or watch does not end the run.
   *
   * @throws {Error} If the reflector was run before.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#ran) {
      throw new Error(
        `Cannot run the reflector of ${this.#name}: it was run before; make a new one`,
      );
    }
    this.#ran = true;
    prepareStage();
    try {
      while (this.#machine.state.kind !== "stopped") {
        const { state } = this.#machine;
        this.#health.state = state.kind;
        const outcome = await this.#act(state, signal);
        const seen = this.#machine.resourceVersion;
        if ("newest" in outcome && isOlder(outcome.newest, seen)) {
          this.#wentBack(seen, outcome.newest);
        }
        this.#machine = step(this.#machine, outcome, this.#watchList);
        this.#log.outcome(state, outcome, this.#machine);
      }
    } finally {
      this.#repair.cancel();
      this.#health.state = "stopped";
    }
  }

  /**
   * Executes one state of the reflector's state machine, and resolves to its outcome, `failed` for
   * an error. Never rejects.
   */
  async #act(state: ReflectorState, signal: AbortSignal): Promise<Outcome> {
    if (signal.aborted) {
      if (state.kind === "watching") await state.stream?.close();
      return { kind: "stopped" };
    }
    try {
      switch (state.kind) {
        case "initial":
        case "stopped":
          return { kind: "ready" };
        case "backingOff":
          await delay(this.#pauseMs(state.failure), { signal, clock: this.#clock });
          return { kind: "ready" };
        case "watchListing":
          return await this.#streamAll(state.resourceVersion, signal);
        case "listing":
          return await this.#listAll(state.resourceVersion, signal);
        case "watching":
          return await this.#watch(state, signal);
        case "probing":
          return { kind: "probed", newest: await this.#newest(signal) };
      }
    } catch (error) {
      if (signal.aborted) return { kind: "stopped" };
      return { kind: "failed", failure: watchFailure(error) };
    }
  }

  /**
   * Replaces the sink's objects by those that a WatchList streams, and leaves the stream open for
   * later changes.
   */
  async #streamAll(resourceVersion: string, signal: AbortSignal): Promise<Outcome> {
    this.#health.watchLists++;
    const stream = await this.#open(signal, {
      resourceVersion,
      resourceVersionMatch: "NotOlderThan",
      sendInitialEvents: true,
    });
    let kept = false;
    try {
      const snapshot = this.#snapshot();
      const listed = await collectInitialEvents(stream, snapshot, {
        deadlineMs: this.#options.initialEventsDeadlineMs ?? 30_000,
        clock: this.#clock,
        log: this.#log.logger,
        onEvent: () => this.#health.event(),
        onBookmark: () => this.#health.bookmark(),
      });
      if (snapshot.size >= MANY) await stream.pause();
      this.#replace(snapshot, listed, resourceVersion);
      kept = true;
      return { kind: "synced", resourceVersion: listed, stream };
    } catch (error) {
      throw signal.aborted ? error : cutUnlessKnown(error);
    } finally {
      if (!kept) await stream.close();
    }
  }

  /** Lists all objects of the resource, page by page, and replaces the sink's objects by them. */
  async #listAll(resourceVersion: string, signal: AbortSignal): Promise<Outcome> {
    this.#health.lists++;
    const snapshot = this.#snapshot();
    const { pagedLists } = this.#machine;
    const listed = await listPages(this.#options.listerWatcher, {
      resourceVersion,
      pageSize: pageSizeFor(resourceVersion, { pageSize: this.#options.pageSize, pagedLists }),
      onItems: (batch) => batch.forEach((item) => snapshot.put(item, "list")),
      onRestart: () => snapshot.clear(),
      signal,
    });
    this.#replace(snapshot, listed.resourceVersion, resourceVersion);
    return { kind: "synced", ...listed };
  }

  /**
   * Watches changes after a resourceVersion, on the stream of the initial events or on a new one.
   */
  async #watch(
    state: ReflectorState & { kind: "watching" },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { resourceVersion } = state;
    if (this.#repair.due) {
      await state.stream?.close();
      return { kind: "incomplete", resourceVersion };
    }
    if (!state.stream) this.#health.watches++;
    const stream = state.stream ?? await this.#open(signal, { resourceVersion });
    const followedMs = state.stream ? this.#clock.monotonicMs() : stream.startedMs;
    if (!state.stream) this.#health.accepted();
    await using check = !state.stream && this.#machine.lost && resourceVersion !== ""
      ? VersionCheck.start({
        stream,
        resourceVersion,
        newest: (signal) => this.#newest(signal),
        clock: this.#clock,
        random: this.#random,
      })
      : undefined;
    using guard = new SilenceGuard(stream, this.#clock);
    const guarded = this.#options.idleTimeoutMs === undefined;
    const follower = new WatchFollower({
      sink: this.#options.sink,
      intake: this.#intake,
      health: this.#health,
      deletions: this.#deletions,
      resourceVersion,
      onGap: (error) => this.#gap(error),
      onHeard: (type) => guarded && guard.heard(type === "BOOKMARK"),
    });
    let failure: WatchFailure | undefined;
    using _ = this.#repair.onDue((reason) => stream.abort(reason));
    try {
      await follower.follow(stream);
    } catch (error) {
      failure = watchFailure(cutUnlessKnown(error));
    } finally {
      await stream.close();
    }
    if (signal.aborted) return { kind: "stopped" };
    if (check?.older !== undefined) {
      this.#health.restarts++;
      return { kind: "wentBack", newest: check.older };
    }
    return this.#ended(follower, failure, {
      confirmed: check?.confirmed ?? false,
      lastedMs: this.#clock.monotonicMs() - followedMs,
      continued: state.stream !== undefined,
    });
  }

  /** Returns the outcome of a watch that ended, for the reflector's state machine. */
  #ended(
    follower: WatchFollower<T>,
    failure: WatchFailure | undefined,
    { confirmed, lastedMs, continued }: {
      readonly confirmed: boolean;
      readonly lastedMs: number;
      readonly continued: boolean;
    },
  ): Outcome {
    const { resourceVersion } = follower;
    this.#health.restarts++;
    if (this.#repair.due) return { kind: "incomplete", resourceVersion };
    const kind = failure?.kind;
    if (failure && kind !== "cut" && kind !== "idle") {
      const resume = kind === "internal" && this.#internalErrors.allows();
      return {
        kind: "failed",
        resourceVersion,
        confirmed,
        failure: kind !== "internal"
          ? failure
          : { ...failure, ...(resume ? { tolerated: true } : { kind: "storeRead" }) },
      };
    }
    if (follower.wentBack) {
      const error = new WatchFailureError(
        "timeTravel",
        `Cannot trust the watch of ${this.#name}: a bookmark is older than ${resourceVersion}`,
      );
      return { kind: "failed", resourceVersion, failure: { kind: "timeTravel", error } };
    }
    if (lastedMs < SHORT_WATCH_MS && !follower.progressed && !continued) {
      const why = failure ?? this.#shortWatch();
      return { kind: "failed", resourceVersion, confirmed, failure: why };
    }
    if (failure) this.#log.failed(failure, "resuming");
    const silent = follower.heard === 0 && lastedMs >= SILENT_WATCH_MS && resourceVersion !== "";
    const lost = failure !== undefined;
    return { kind: "ended", resourceVersion, doubtful: silent, lost, confirmed };
  }

  /**
   * Returns the failure of a watch that the server accepted and closed at once, without an event. A
   * watch whose connection broke has a failure of its own.
   */
  #shortWatch(): WatchFailure {
    const error = new WatchFailureError(
      "shortWatch",
      `Cannot watch ${this.#name}: the server closed the watch at once, without an event`,
    );
    return { kind: "shortWatch", error };
  }

  /**
   * Returns the newest resourceVersion of the server, by a quorum read of one object; empty if the
   * server reports none.
   */
  async #newest(signal: AbortSignal): Promise<string> {
    const { metadata } = await this.#options.listerWatcher.list(
      { resourceVersion: "", limit: 1 },
      () => {},
      { signal },
    );
    return metadata.resourceVersion ?? "";
  }

  async #open(signal: AbortSignal, query: {
    readonly resourceVersion: string;
    readonly resourceVersionMatch?: "NotOlderThan";
    readonly sendInitialEvents?: true;
  }): Promise<WatchStream> {
    const timeoutSeconds = watchTimeoutSeconds(this.#options.minWatchTimeoutSeconds, this.#random);
    return await WatchStream.open(
      this.#options.listerWatcher,
      { ...query, allowWatchBookmarks: true, timeoutSeconds },
      {
        signal,
        idleTimeoutMs: idleTimeoutMs(this.#options, timeoutSeconds),
        clock: this.#clock,
      },
    );
  }

  /**
   * Creates an empty snapshot for a list. After the server refused a resourceVersion, known objects
   * are not reused, since the server may have been restored from a backup.
   */
  #snapshot(): Snapshot<T> {
    return new Snapshot(this.#intake, !this.#machine.versionUnavailable);
  }

  /**
   * Hands a list result of version `listed` to the reflector's sink. If the result is older than a
   * state seen before although the list requested the newest version (`asked` is empty), records
   * that the server was restored from a backup.
   *
   * @throws {WatchFailureError} `timeTravel`, if the result is older than a state seen before and
   * the list requested another version than the newest.
   */
  #replace(snapshot: Snapshot<T>, listed: string, asked: string): void {
    const seen = this.#machine.resourceVersion;
    const order = compareResourceVersions(listed, seen);
    const older = seen !== "" && order !== undefined && order < 0;
    if (older && asked !== "") {
      throw new WatchFailureError(
        "timeTravel",
        `Cannot use the list of ${this.#name} at version ${listed}: it is older than requested (${asked})`,
      );
    }
    if (older) this.#wentBack(seen, listed);
    this.#options.sink.replace(snapshot.takeObjects(), listed, {
      anew: this.#rebuilding,
      lost: snapshot.lost,
    });
    this.#rebuilding = false;
    this.#repair.settle();
    if (snapshot.incomplete) this.#repair.schedule();
    this.#health.filled(listed);
  }

  /**
   * Records that the server was restored from a backup: known versions are no longer comparable.
   */
  #wentBack(seen: string, newest: string): void {
    this.#rebuilding = true;
    this.#deletions.clear();
    this.#log.wentBack(seen, newest);
  }

  #pauseMs(failure: WatchFailure): number {
    const paceMs = (failure.kind === "missing" ? this.#missing : this.#backoff).nextMs();
    const askedMs = Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    return askedMs > paceMs ? askedMs * (1 + 0.2 * this.#random.next()) : paceMs;
  }

  /**
   * Schedules a relist because the reflector's sink may miss a change; logs, counts and reports the
   * error, if any.
   */
  #gap(error?: unknown): void {
    if (error !== undefined) this.#log.lost(error);
    this.#repair.schedule();
  }
}
