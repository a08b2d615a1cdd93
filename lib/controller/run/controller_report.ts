import type { LiveList } from "@xca/apimachinery/internal/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import { parseKey } from "@xca/apimachinery/meta";
import { formatLabelSelector, parseLabelSelector } from "@xca/apimachinery/meta";
import type {
  ControllerReport,
  ControllerStage,
  EventReport,
  KeyReport,
  RunReport,
} from "../ports/operator_report.ts";
import { REPORT_ENTRIES } from "../ports/operator_report.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { predicateName } from "../sources/trigger.ts";
import type { View, Views } from "../sources/view.ts";
import type { ActiveRun } from "./active_run.ts";
import { type ControllerState, progressOf, scheduledOf } from "./controller_progress.ts";
import type { HotLoops } from "./hot_loops.ts";
import type { Dated, KeyHistories, KeyHistory } from "./key_histories.ts";

/**
 * The state of a controller from which its report is made; the argument of {@linkcode
 * controllerReport}.
 */
export interface ReportState extends ControllerState {
  /** The definition of the controller. */
  readonly definition: ControllerDefinition;
  /** The informers of the controller. */
  readonly views: Views;
  /** The stage of the controller at the moment of the report. */
  readonly stage: ControllerStage;
  /** The number of the controller's workers. */
  readonly workers: number;
  /** The controller's reconcile runs in progress, stuck ones included, by key. */
  readonly active: LiveList<ActiveRun>;
  /** The remembered events and runs of the controller's keys. */
  readonly histories: KeyHistories;
  /** The detector of keys whose runs cause each other. */
  readonly loops: HotLoops;
  /**
   * Returns the objects whose writes a key waits for the cache to show, such as `pods.v1
   * default/web`; `undefined` when the key does not wait.
   */
  readonly awaitedWrites: (key: ObjectKey) => readonly string[] | undefined;
}

/** Returns the report on a controller; with `key`, it includes a report on that key. */
export function controllerReport(state: ReportState, key?: ObjectKey): ControllerReport {
  const { definition: { name, type, sources }, queue, active, held, histories } = state;
  const { failing } = progressOf(state);
  const { id, group, version, kind, plural, scope } = type;
  return {
    controller: name,
    resource: { id, group, version, kind, plural, namespaced: scope !== "Cluster" },
    stage: state.stage,
    workers: state.workers,
    sources: sources.map((source, index) => ({
      relation: source.relation,
      resource: source.type.id,
      namespaces: namespacesOf(state.views.perSource[index]!),
      labelSelector: formatLabelSelector(parseLabelSelector(source.labelSelector ?? "")),
      fieldSelector: source.fieldSelector ?? "",
      predicates: source.predicates.map((predicate) => predicateName(source, predicate)),
    })),
    counts: {
      queued: queue.len,
      scheduled: queue.waiting,
      awaitingCache: held,
      running: active.size,
      failing: failing.length,
      remembered: histories.size,
    },
    queue: queue.queuedKeys(REPORT_ENTRIES),
    scheduled: scheduledOf(state).slice(0, REPORT_ENTRIES),
    runs: [...active].slice(0, REPORT_ENTRIES).map((run) => runReport(run, state.nowMs)),
    failing: failing.slice(0, REPORT_ENTRIES),
    ...(key !== undefined && { key: keyReport(state, key, failing) }),
  };
}

/**
 * Returns the namespaces that a source's informers watch; an empty list when all namespaces are
 * watched, and for a cluster-scoped resource.
 */
function namespacesOf(views: readonly View[]): string[] {
  const namespaces = views.map(({ scope }) => scope.namespace);
  return namespaces.includes("") ? [] : namespaces;
}

function runReport({ run, lease, reconcileID, attempt }: ActiveRun, nowMs: number): RunReport {
  const { state, startedMs } = run;
  return { key: lease.key, reconcileID, attempt, forMs: nowMs - startedMs, state };
}

function keyReport(
  state: ReportState,
  key: ObjectKey,
  failing: ControllerReport["failing"],
): KeyReport {
  const { queue, book, views, loops, nowMs } = state;
  const { namespace = "" } = parseKey(key);
  const own = views.perSource[0] ?? [];
  const active = [...state.active].find(({ lease }) => lease.key === key);
  const queued = queue.queuedKey(key);
  const readyAtMs = queue.readyAtMs(key);
  const failure = failing.find((each) => each.key === key && each.mapping === undefined);
  const awaitedWrites = state.awaitedWrites(key);
  const loop = loops.loop(key);
  return {
    key,
    cached: own.some(({ informer }) => informer.indexer.getPacked(key) !== undefined),
    watched: own.some(({ scope }) => scope.namespace === "" || scope.namespace === namespace),
    ...(queued && { queued }),
    ...(readyAtMs !== undefined && { scheduledInMs: Math.max(0, readyAtMs - nowMs) }),
    ...(awaitedWrites && { awaitedWrites }),
    ...(active && { running: runReport(active, nowMs) }),
    ...(failure && { failure: { ...failure, terminal: book.failing.get(key)?.terminal ?? false } }),
    ...(loop && {
      hotLoop: {
        runs: loop.runs,
        delayMs: loop.delayMs,
        fields: loop.isRequested ? [] : loop.fields,
      },
    }),
    ...historyReport(state.histories.get(key), nowMs),
  };
}

function historyReport(
  { enqueued, dropped, ran }: KeyHistory = {},
  nowMs: number,
): Pick<KeyReport, "lastEnqueued" | "lastDropped" | "lastRun"> {
  const aged = <T>({ atMs, ...fact }: Dated<T>): Omit<Dated<T>, "atMs"> & { agoMs: number } => ({
    ...fact,
    agoMs: nowMs - atMs,
  });
  return {
    ...(enqueued && { lastEnqueued: aged(enqueued) as NonNullable<KeyReport["lastEnqueued"]> }),
    ...(dropped && { lastDropped: aged(dropped) as EventReport & { predicate: string } }),
    ...(ran && { lastRun: aged(ran) as NonNullable<KeyReport["lastRun"]> }),
  };
}
