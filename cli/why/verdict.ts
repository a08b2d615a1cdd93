import type { CacheReport, ControllerReport, KeyReport } from "../../lib/controller/mod.ts";
import type { LeaseReport } from "./debug_report.ts";
import { durationText } from "./durations.ts";

/**
 * The existence of the explained object on the server, and its match with the controller's
 * selectors.
 */
export interface ServerObject {
  /**
   * Reports whether the server has the explained object; true, without a request, for an object in
   * the operator's cache.
   */
  readonly exists: boolean;
  /**
   * Reports whether the selectors of the controller match the explained object; `undefined` if the
   * object is absent or in the operator's cache, or the controller has no selectors.
   */
  readonly isSelected?: boolean | undefined;
}

/** The facts from which the verdict of `kubectl xca why` follows. */
export interface WhyFacts {
  /** The kind and key of the explained object as a text, such as `Xca default/mars`. */
  readonly object: string;
  /**
   * The explained object in the form of kubectl's arguments, such as
   * `xcas.apps.xca.k8s.kb.cx mars -n default`.
   */
  readonly target: string;
  /** The operator's report on the controller, with the report on the explained object's key. */
  readonly controller: ControllerReport & { readonly key: KeyReport };
  /** The reports on the operator's caches, on which the verdict depends. */
  readonly caches: readonly CacheReport[];
  /** The report on the operator's leader election, on which the verdict depends. */
  readonly lease: LeaseReport;
  /** The existence of the explained object on the server, and its match with the selectors. */
  readonly server: ServerObject;
  /** The shell command that shows the operator's log, with `POD` for an unknown pod. */
  readonly logs: string;
}

/** The verdict of `kubectl xca why` on an object: the cause and the next command. */
export interface Verdict {
  /**
   * Reports whether the explained object was reconciled, and no run of it is left except one that
   * its reconciler scheduled.
   */
  readonly isFine: boolean;
  /** The cause of the explained object's state, in one sentence without a full stop. */
  readonly sentence: string;
  /** The shell command that the verdict recommends to the user. */
  readonly next: string;
}

/** Returns the verdict of `kubectl xca why` on an object: the first cause that applies. */
export function verdict(facts: WhyFacts): Verdict {
  return standing(facts) ?? working(facts) ?? failing(facts) ?? waiting(facts) ?? unseen(facts) ??
    quiet(facts);
}

function no(sentence: string, next: string): Verdict {
  return { isFine: false, sentence, next };
}

/**
 * Returns the verdict on an operator that does not work, since it does not lead or its caches are
 * not complete; `undefined` if the operator works.
 */
function standing({ controller, caches, lease, logs }: WhyFacts): Verdict | undefined {
  const { stage, sources, controller: name } = controller;
  if (lease.elects && !lease.leads) {
    const [namespace = "", lock = ""] = (lease.lease ?? "").split("/");
    const leader = lease.leader ? `${lease.leader} holds` : "no process holds";
    return no(
      `this replica does not lead: ${leader} the Lease ${lease.lease}, and only its holder reconciles`,
      `kubectl get lease ${lock} -n ${namespace}`,
    );
  }
  if (stage === "working") return undefined;
  if (stage === "new" || stage === "syncing") {
    const needed = new Set(sources.map(({ resource }) => resource));
    const late = caches.find(({ resource, synced }) => needed.has(resource) && !synced);
    if (!late) return no(`controller ${name} has not started yet`, logs);
    return no(
      `controller ${name} waits for its cache of ${late.resource}, which is not complete: ${
        problemOf(late)
      }`,
      remedyOf(late, logs),
    );
  }
  if (stage === "standby") return no(`controller ${name} waits until its process leads`, logs);
  return no(`controller ${name} is ${stage}`, logs);
}

/**
 * Returns the verdict on an object whose reconcile run is in progress, waits for the cache after a
 * run, or is slowed as a hot loop; `undefined` for another object.
 */
function working({ object, controller, logs }: WhyFacts): Verdict | undefined {
  const { running, awaitedWrites, hotLoop, scheduledInMs } = controller.key;
  if (running?.state === "stuck") {
    return no(
      `its run is stuck: it began ${
        durationText(running.forMs)
      } ago and ignores its aborted signal, so ` +
        `no other run of ${object} starts`,
      `${logs} | grep ${running.reconcileID}`,
    );
  }
  if (running) {
    return no(
      `it is being reconciled now, for ${durationText(running.forMs)} (attempt ${running.attempt})`,
      `${logs} | grep ${running.reconcileID}`,
    );
  }
  if (awaitedWrites) {
    return no(
      `it is paused until the cache shows the last write of its own run, of ${
        awaitedWrites.join(", ")
      }`,
      logs,
    );
  }
  if (!hotLoop || scheduledInMs === undefined) return undefined;
  const cause = hotLoop.fields.length > 0
    ? `its own runs change ${hotLoop.fields.join(", ")} each time`
    : "each run requests the next one at once";
  return no(
    `it is a hot loop of ${hotLoop.runs} runs and slowed to one in ${
      durationText(hotLoop.delayMs)
    }: ${cause}`,
    `${logs} | grep "Hot loop"`,
  );
}

/**
 * Returns the verdict on an object whose last reconcile run failed, or that the controller could
 * not decode or transform; `undefined` for another object.
 */
function failing({ controller, logs }: WhyFacts): Verdict | undefined {
  const { failure, queued, scheduledInMs } = controller.key;
  if (!failure) return undefined;
  if (failure.terminal) {
    return no(
      `its last run ended with a terminal error and is not retried until something changes: ${failure.error}`,
      logs,
    );
  }
  const busy = queued && busyText(controller);
  const nextTry = scheduledInMs !== undefined
    ? `is in ${durationText(scheduledInMs)}`
    : busy
    ? `waits for a worker (${busy})`
    : "is due";
  return no(
    `its reconciler failed ${
      times(failure.attempts)
    }, and the next try ${nextTry}: ${failure.error}`,
    logs,
  );
}

/**
 * Returns the verdict on an object whose key is in the controller's work queue; `undefined` for
 * another object.
 */
function waiting({ controller, logs }: WhyFacts): Verdict | undefined {
  const { key: { queued }, workers, controller: name } = controller;
  if (!queued) return undefined;
  const busy = busyText(controller);
  return no(
    `it is queued behind ${queued.position} ${
      queued.position === 1 ? "key" : "keys"
    } of controller ${name} at priority ${queued.priority}` +
      (busy ? `; ${busy}` : ""),
    busyRuns(controller).length >= workers ? `kubectl xca run --workers ${workers * 2} ...` : logs,
  );
}

function busyRuns({ runs }: ControllerReport): ControllerReport["runs"] {
  return runs.filter(({ state }) => state !== "stuck");
}

/**
 * Returns a sentence with the number of busy workers and their longest run; empty when none is
 * busy.
 */
function busyText(controller: ControllerReport): string {
  const busy = busyRuns(controller);
  const longest = busy.toSorted((a, b) => b.forMs - a.forMs)[0];
  if (!longest) return "";
  return `${busy.length} of ${controller.workers} workers are busy, with ${longest.key} for ${
    durationText(longest.forMs)
  }`;
}

/**
 * Returns the verdict on an object that the controller does not see: one that is absent, not
 * watched, not selected or not yet in the cache, or whose watch fails; `undefined` for a cached
 * object whose watch works.
 */
function unseen(facts: WhyFacts): Verdict | undefined {
  const { object, controller, caches, server, logs, target } = facts;
  const { key, sources: [own] } = controller;
  if (own && !key.watched) {
    return no(
      `controller ${controller.controller} watches only ${
        own.namespaces.length === 1 ? "namespace" : "the namespaces"
      } ${own.namespaces.join(", ")}`,
      "kubectl xca run --namespace NAMESPACE ..., or -A",
    );
  }
  const broken = caches.find(({ resource, watch }) =>
    resource === own?.resource && watch.failing !== undefined
  );
  if (broken) {
    return no(
      `the watch of ${broken.resource} is broken, so changes are not seen: ${problemOf(broken)}`,
      remedyOf(broken, logs),
    );
  }
  if (!server.exists && !key.cached) {
    return no(`there is no ${object}`, `kubectl get ${target.split(" ")[0]} -A`);
  }
  if (key.cached) return undefined;
  const selectors = [own?.labelSelector, own?.fieldSelector].filter((text) => text).join(", ");
  if (server.isSelected === false) {
    return no(
      `controller ${controller.controller} watches only objects that match ${selectors}`,
      `kubectl get ${target} --show-labels`,
    );
  }
  return no(`the cache of ${own?.resource} does not show ${object} yet`, logs);
}

/**
 * Returns the verdict on an object that is cached and not queued: a predicate dropped its last
 * event, the object is already reconciled, or its last run is no longer remembered.
 */
function quiet({ object, controller, target, logs }: WhyFacts): Verdict {
  const { lastEnqueued, lastDropped, lastRun, scheduledInMs } = controller.key;
  const isDropped = lastDropped && (!lastRun || lastDropped.agoMs < lastRun.agoMs) &&
    (!lastEnqueued || lastDropped.agoMs < lastEnqueued.agoMs);
  if (isDropped) {
    return no(
      `its last event (${lastDropped.event}, ${
        durationText(lastDropped.agoMs)
      } ago) was dropped by ` +
        `predicate ${lastDropped.predicate} of controller ${controller.controller}`,
      `kubectl get ${target} -o yaml`,
    );
  }
  if (!lastRun) {
    return no(
      `nothing has happened to it for so long that its last run is forgotten (controller ${controller.controller} ` +
        `remembers ${controller.counts.remembered} objects)`,
      `kubectl annotate ${target} --overwrite touched="$(date)"`,
    );
  }
  const again = scheduledInMs === undefined
    ? "and there is nothing to do"
    : `and it runs again in ${durationText(scheduledInMs)}, as its reconciler requested`;
  return {
    isFine: true,
    sentence: `${object} was reconciled ${durationText(lastRun.agoMs)} ago${
      causeOf(controller.key)
    }, ${again}`,
    next: logs,
  };
}

function causeOf({ lastEnqueued }: KeyReport): string {
  if (!lastEnqueued) return "";
  if ("requeue" in lastEnqueued) {
    return lastEnqueued.requeue === "externalSource" ? " because an external source queued it" : "";
  }
  return ` because ${lastEnqueued.object} of ${lastEnqueued.resource} was ${
    lastEnqueued.event === "resync" ? "resynced" : lastEnqueued.event
  }`;
}

function problemOf({ watch, resource, objects }: CacheReport): string {
  const { failing } = watch;
  if (failing?.kind === "missing") return `the server has no ${resource}`;
  return failing?.message ?? `its first list has not ended; it holds ${objects} objects so far`;
}

function remedyOf({ watch, resource }: CacheReport, logs: string): string {
  const [plural = "", , ...group] = resource.split(".");
  const name = [plural, ...group].join(".");
  if (watch.failing?.kind === "missing") return `kubectl get crd ${name}`;
  if (watch.failing?.kind === "refused") return `kubectl auth can-i watch ${name}`;
  return logs;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times in a row`;
}
