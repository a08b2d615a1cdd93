import { compareResourceVersions } from "@xca/apimachinery/meta";
import { ApiError } from "../../client/errors/api_error.ts";
import type { WatchFailure } from "../watch/watch_failure.ts";
import type { WatchStream } from "../watch/watch_stream.ts";

/**
 * Number of watch failures in a row that could be resumed ({@linkcode Machine.failedWatches}) at
 * which the reflector lists again. client-go's reflector lists at the first failure that is neither
 * a refused connection nor 429 (`isWatchErrorRetriable`); three more attempts, some ten seconds,
 * spare a server that has just restarted a list from each of its clients.
 */
export const WATCH_ATTEMPTS = 4;

/**
 * Number of WatchLists in a row that break or fail at the server, at which the reflector tries a
 * LIST instead.
 */
export const WATCH_LIST_ATTEMPTS = 5;

/** The state of a reflector's state machine, with the data that the state needs. */
export type ReflectorState =
  /**
   * The reflector's state before it reads all objects: at the start, and when all must be read
   * again.
   */
  | { readonly kind: "initial" }
  /**
   * The reflector state in which the initial objects are streamed (WatchList); `attempt` counts the
   * attempts in a row, from 1, without those that met no server or 429.
   */
  | {
    readonly kind: "watchListing";
    readonly resourceVersion: string;
    readonly attempt: number;
  }
  /**
   * The reflector's state in which all objects are listed, not older than `resourceVersion`; `"0"`
   * stands for any version, `""` for the newest.
   */
  | { readonly kind: "listing"; readonly resourceVersion: string }
  /**
   * The reflector state in which changes after `resourceVersion` are watched: on `stream` if one is
   * open, otherwise on a new one.
   */
  | {
    readonly kind: "watching";
    readonly resourceVersion: string;
    readonly stream?: WatchStream | undefined;
  }
  /**
   * The reflector state in which the server's newest version is requested, because the end of a
   * watch raised doubt whether the server was restored from a backup.
   */
  | { readonly kind: "probing"; readonly resourceVersion: string }
  /** The reflector's state that waits after a failure, then continues with `next`. */
  | {
    readonly kind: "backingOff";
    readonly failure: WatchFailure;
    readonly next: ReflectorState;
  }
  /** The reflector's state after its signal was aborted. */
  | { readonly kind: "stopped" };

/** The outcome of one state of a reflector's state machine. */
export type Outcome =
  /**
   * The outcome of a reflector state that needed no request: `initial`, or the wait of `backingOff`
   * is over.
   */
  | { readonly kind: "ready" }
  /**
   * The outcome of a successful list or WatchList: the sink was filled as of `resourceVersion`. A
   * WatchList leaves its stream open.
   */
  | {
    readonly kind: "synced";
    readonly resourceVersion: string;
    readonly stream?: WatchStream;
    /**
     * A flag that is true if the server divided the list into pages, even if all objects were then
     * listed again in one page.
     */
    readonly paged?: boolean;
  }
  /** The outcome of a watch that ended and may be resumed after `resourceVersion`. */
  | {
    readonly kind: "ended";
    readonly resourceVersion: string;
    /**
     * A flag that is true if the watch was so silent that the server may have been restored from a
     * backup, and may not have reached that version yet.
     */
    readonly doubtful: boolean;
    /**
     * Reports whether the watch ended because the connection was lost, not closed by the server.
     *
     * @default {false}
     */
    readonly lost?: boolean;
    /**
     * A flag that is true if a check during the watch found that the server's newest
     * resourceVersion is not older than the one at which the watch began.
     *
     * @default {false}
     */
    readonly confirmed?: boolean;
  }
  /**
   * The outcome that the server's newest version is older than one seen before, so that the server
   * was restored from a backup.
   */
  | { readonly kind: "wentBack"; readonly newest: string }
  /**
   * The outcome that the receiver of a reflector's objects may lack a change before
   * `resourceVersion`.
   */
  | { readonly kind: "incomplete"; readonly resourceVersion: string }
  /** The outcome of a read of the server's newest resourceVersion. */
  | { readonly kind: "probed"; readonly newest: string }
  /**
   * The outcome of a reflector state that failed. `resourceVersion`, the version up to which the
   * sink is complete, is set if an accepted watch failed.
   */
  | {
    readonly kind: "failed";
    readonly failure: WatchFailure;
    readonly resourceVersion?: string;
    /**
     * A flag that is true if a check during the failed watch found that the server's newest
     * resourceVersion is not older than the one at which the watch began.
     *
     * @default {false}
     */
    readonly confirmed?: boolean;
  }
  /** The outcome that the reflector's signal was aborted. */
  | { readonly kind: "stopped" };

/** The data that a reflector's state machine keeps between states. */
export interface Machine {
  /** The current state of the reflector. */
  readonly state: ReflectorState;
  /**
   * The resourceVersion up to which the reflector's sink is complete; empty before the first sync,
   * and while the objects are read again from a server that was restored from a backup.
   */
  readonly resourceVersion: string;
  /**
   * A flag that is true if the reflector requests the server's newest resourceVersion instead of
   * its own, because the server refused that one or was restored from a backup.
   */
  readonly versionUnavailable: boolean;
  /**
   * Reports whether the reflector's first list came in pages, so that later lists request pages
   * too.
   */
  readonly pagedLists: boolean;
  /**
   * Reports whether the reflector's connection was lost since the server last confirmed the
   * version: the server may have been restored from a backup, and would accept a watch from a
   * resourceVersion that it has not reached yet.
   */
  readonly lost: boolean;
  /**
   * Number of the reflector's watches in a row that were lost and resumed; refused connections, 429
   * and tolerated InternalErrors do not count. 0 again after a sync, once the reflector lists
   * instead, and after a watch that brought a newer version, lasted for a second or continued a
   * WatchList, unless an error response ended the watch.
   */
  readonly failedWatches: number;
}

/** The initial data of a reflector's state machine. */
export const START: Machine = {
  state: { kind: "initial" },
  resourceVersion: "",
  versionUnavailable: false,
  pagedLists: false,
  lost: false,
  failedWatches: 0,
};

/**
 * Returns the data of a reflector's state machine, including the next state, after the outcome of
 * the current state. A pure function: it sends nothing, waits for nothing, and reads no clock.
 *
 * @param watchList Sets whether the reflector first requests all objects as a stream (WatchList),
 * not by a LIST.
 * @throws {Error} If the state cannot have that outcome.
 */
export function step(before: Machine, outcome: Outcome, watchList: boolean): Machine {
  if (outcome.kind === "stopped") return { ...before, state: { kind: "stopped" } };
  const reached = "resourceVersion" in outcome ? outcome.resourceVersion : undefined;
  const machine = reached === undefined ? before : { ...before, resourceVersion: reached };
  const { state } = machine;
  switch (state.kind) {
    case "initial":
      return begin(machine, watchList);
    case "backingOff":
      return to(machine, state.next);
    case "watchListing":
    case "listing":
      if (outcome.kind === "synced") return synced(machine, outcome);
      if (outcome.kind !== "failed") break;
      return state.kind === "listing"
        ? listFailed(machine, state, outcome.failure)
        : watchListFailed(machine, state, outcome.failure);
    case "watching":
      if (outcome.kind === "ended") return watchEnded(machine, outcome);
      if (outcome.kind === "wentBack") return rebuild(machine);
      if (outcome.kind === "incomplete") return to(machine, { kind: "initial" });
      if (outcome.kind === "failed") {
        const confirmed: Machine = outcome.confirmed ? { ...machine, lost: false } : machine;
        return watchFailed(confirmed, outcome.failure);
      }
      break;
    case "probing":
      if (outcome.kind === "probed") return probed(machine, outcome.newest);
      if (outcome.kind === "failed") return watch({ ...machine, lost: true });
      break;
    case "stopped":
      return machine;
  }
  throw new Error(`Cannot step the reflector: ${state.kind} does not end in ${outcome.kind}`);
}

/**
 * Returns the state machine at the point where the reflector begins to read all objects. At first a
 * WatchList requests the newest resourceVersion, and a LIST any; later both request one that is not
 * older than the last one seen, and after a refusal the newest.
 */
function begin(machine: Machine, watchList: boolean): Machine {
  const resourceVersion = machine.versionUnavailable ? "" : machine.resourceVersion;
  return watchList
    ? to(machine, { kind: "watchListing", resourceVersion, attempt: 1 })
    : list(machine);
}

function list(machine: Machine): Machine {
  const resourceVersion = machine.versionUnavailable ? "" : machine.resourceVersion || "0";
  return to(machine, { kind: "listing", resourceVersion });
}

function synced(machine: Machine, outcome: Outcome & { kind: "synced" }): Machine {
  const { state } = machine;
  const first = state.kind === "listing" && state.resourceVersion === "0";
  return {
    ...machine,
    state: { kind: "watching", ...at(machine), stream: outcome.stream },
    versionUnavailable: false,
    lost: false,
    failedWatches: 0,
    pagedLists: machine.pagedLists || (first && outcome.paged === true),
  };
}

function watchListFailed(
  machine: Machine,
  state: ReflectorState & { kind: "watchListing" },
  failure: WatchFailure,
): Machine {
  switch (failure.kind) {
    case "expired":
    case "tooLarge":
    case "timeTravel": {
      const newest: Machine = { ...machine, versionUnavailable: true };
      return state.resourceVersion === ""
        ? backOff(newest, failure, { kind: "initial" })
        : to(newest, { ...state, resourceVersion: "" });
    }
    case "network":
    case "throttled":
      return backOff(machine, failure, state);
    case "server":
    case "internal":
    case "cut":
    case "shortWatch":
    case "idle":
      return state.attempt >= WATCH_LIST_ATTEMPTS
        ? list(machine)
        : backOff(machine, failure, { ...state, attempt: state.attempt + 1 });
    case "missing":
    case "unauthorized":
      return backOff(machine, failure, { kind: "initial" });
    case "refused":
      // 422 means that the server does not stream lists.
      return list(distrusting(machine, state, { failure, codes: [400] }));
    case "noInitialEventsEnd":
    case "storeRead":
    case "undecodable":
      return list(machine);
  }
}

function listFailed(
  machine: Machine,
  state: ReflectorState & { kind: "listing" },
  failure: WatchFailure,
): Machine {
  switch (failure.kind) {
    case "expired":
    case "tooLarge":
    case "timeTravel": {
      const newest: Machine = { ...machine, versionUnavailable: true };
      return state.resourceVersion === "" ? backOff(newest, failure, { kind: "initial" }) : to(
        newest,
        { kind: "listing", resourceVersion: "" },
      );
    }
    default:
      return backOff(distrusting(machine, state, { failure, codes: [400, 422] }), failure, {
        kind: "initial",
      });
  }
}

/**
 * Returns the state machine, set to request the newest version next if the server refused a request
 * for a certain version (not `""` or `"0"`) with one of the HTTP status `codes`: the server would
 * refuse that version again and again.
 */
function distrusting(
  machine: Machine,
  { resourceVersion }: { readonly resourceVersion: string },
  { failure: { error }, codes }: {
    readonly failure: WatchFailure;
    readonly codes: readonly number[];
  },
): Machine {
  const asked = resourceVersion !== "" && resourceVersion !== "0";
  const refuses = error instanceof ApiError && codes.includes(error.code);
  return asked && refuses ? { ...machine, versionUnavailable: true } : machine;
}

function watchEnded(before: Machine, outcome: Outcome & { kind: "ended" }): Machine {
  const lost = outcome.lost || (before.lost && !outcome.confirmed);
  const machine: Machine = { ...before, lost, failedWatches: 0 };
  return outcome.doubtful ? to(machine, { kind: "probing", ...at(machine) }) : watch(machine);
}

function watchFailed(machine: Machine, failure: WatchFailure): Machine {
  switch (failure.kind) {
    case "throttled":
      return backOff(machine, failure, { kind: "watching", ...at(machine) });
    case "network":
    case "cut":
    case "idle":
    case "server":
    case "unauthorized":
      return watchLost(machine, failure);
    case "internal":
      return failure.tolerated
        ? backOff(machine, failure, { kind: "watching", ...at(machine) })
        : watchLost(machine, failure);
    case "timeTravel":
      return backOff(machine, failure, { kind: "probing", ...at(machine) });
    case "tooLarge":
      return backOff({ ...machine, versionUnavailable: true }, failure, { kind: "initial" });
    default:
      return backOff(machine, failure, { kind: "initial" });
  }
}

/**
 * Returns the state machine after a lost watch: set to resume the watch after a pause, or, after
 * {@linkcode WATCH_ATTEMPTS} failures in a row, to list after the pause, so that a failing watch
 * does not prevent a LIST that works.
 */
function watchLost(before: Machine, failure: WatchFailure): Machine {
  const failedWatches = before.failedWatches + (failure.tolerated ? 0 : 1);
  const machine: Machine = { ...before, lost: true, failedWatches };
  return failedWatches < WATCH_ATTEMPTS
    ? backOff(machine, failure, { kind: "watching", ...at(machine) })
    : backOff({ ...machine, failedWatches: 0 }, failure, list(machine).state);
}

function probed(machine: Machine, newest: string): Machine {
  return isOlder(newest, machine.resourceVersion)
    ? rebuild(machine)
    : watch({ ...machine, lost: false });
}

/**
 * Returns the state machine set to read all objects again at the newest version, with an empty
 * resourceVersion, because the server was restored from a backup.
 */
function rebuild(machine: Machine): Machine {
  return to({ ...machine, resourceVersion: "", versionUnavailable: true }, { kind: "initial" });
}

/**
 * Reports whether the server's newest resourceVersion is older than one seen before, so that the
 * server was restored from a backup; false if the two cannot be compared.
 */
export function isOlder(newest: string, seen: string): boolean {
  return (compareResourceVersions(newest, seen) ?? 0) < 0;
}

function watch(machine: Machine): Machine {
  return to(machine, { kind: "watching", ...at(machine) });
}

function backOff(machine: Machine, failure: WatchFailure, next: ReflectorState): Machine {
  return to(machine, { kind: "backingOff", failure, next });
}

function to(machine: Machine, state: ReflectorState): Machine {
  return { ...machine, state };
}

function at(machine: Machine): { readonly resourceVersion: string } {
  return { resourceVersion: machine.resourceVersion };
}
