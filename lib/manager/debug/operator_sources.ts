import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import type { CacheReport } from "../../controller/ports/operator_report.ts";
import type { OperatorHandle } from "../../controller/ports/operator_progress.ts";
import type { DebugSource } from "./debug_source.ts";

/**
 * The state of a leader election that `/debug` shows; a {@linkcode LeaderElector} has these
 * members.
 */
export interface DebugElector {
  /** The key of the election's Lease, `namespace/name`. */
  readonly lease: string;
  /**
   * The identity of the leader in the last observed election record, even if the lease has expired
   * since; empty when none is known.
   */
  readonly leader: string;
  /** Reports whether this process was the leader in the last observed election record. */
  readonly isLeader: boolean;
}

/**
 * Options for {@linkcode operatorDebugSources}, which returns the sources of an operator's `/debug`
 * report.
 */
export interface OperatorDebugOptions {
  /** Returns the operators that `/debug` reports on. */
  readonly operators: () => Iterable<Pick<OperatorHandle, "report">>;
  /**
   * The leader election that `/debug` reports on.
   *
   * @default none: this process runs without an election
   */
  readonly elector?: DebugElector | undefined;
  /**
   * Returns reports on caches that `/debug` shows in addition to those of the operators, such as
   * the caches of a manager's reader; a cache of both is shown once. With the parameter
   * `controller`, `/debug` leaves these reports out.
   *
   * @default none
   */
  readonly caches?: (() => readonly CacheReport[]) | undefined;
  /**
   * The memory budget of the cached objects, in bytes. Above it the report has
   * advice on the caches; no object is refused or dropped.
   *
   * @default none
   */
  readonly cacheBudgetBytes?: number | undefined;
}

/** The names of all options of {@linkcode operatorDebugSources}. */
const DEBUG_OPTIONS: OptionNames<OperatorDebugOptions> = {
  operators: true,
  elector: true,
  caches: true,
  cacheBudgetBytes: true,
};

/**
 * Returns the sources of the sections of `/debug` about operators, which `kubectl xca why` reads:
 *
 * - `controllers`: per controller the queue (key, position, priority, next try), running and stuck
 *   runs, failing keys with the last error, and with the parameter `key` all facts about that key:
 *   the last cause of a run, and the predicate that dropped its last event.
 * - `caches`: per cache (kind, namespace and selectors) the objects, bytes and watch health, the
 *   sums, the memory budget, and advice.
 * - `lease`: whether there is an election and whether this process leads (true without one), the
 *   Lease and the leader.
 *
 * Lists of keys and runs have 100 entries at most, and a controller stores the last events of 4 096
 * keys, so that neither a report nor its memory grows with the cluster.
 *
 * @throws {RangeError} When the budget is not a positive number.
 * @throws {TypeError} When an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator } from "@xca/operator";
 * import { createManager, debugEndpoint, operatorDebugSources } from "@xca/operator/manager";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const manager = createManager({ client });
 * const operator = manager.add(defineOperator({
 *   name: "namer",
 *   controllers: [controllerFor(ConfigMap).reconcile(() => {})],
 * }));
 * const endpoint = debugEndpoint(operatorDebugSources({ operators: () => [operator] }));
 * const response = await endpoint(new Request("https://localhost/debug/lease"));
 * assert.deepEqual(await response.json(), { elects: false, leads: true });
 * await manager.start().stop();
 * ```
 */
export function operatorDebugSources(options: OperatorDebugOptions): DebugSource[] {
  checkOptionNames("Cannot serve /debug", options, DEBUG_OPTIONS);
  const { elector, cacheBudgetBytes: budget } = options;
  // A handle of another version of the library may lack `report`.
  const operators = () => [...options.operators()].filter(({ report }) => report !== undefined);
  if (budget !== undefined && !(budget > 0)) {
    throw new RangeError(`Cannot serve /debug: cacheBudgetBytes must be above 0, is ${budget}`);
  }
  return [
    {
      name: "controllers",
      report: (query) => operators().flatMap((each) => each.report(query).controllers),
    },
    {
      name: "caches",
      report: ({ controller }) => {
        const used = operators().flatMap((each) => each.report({ controller }).caches);
        const others = controller === undefined ? options.caches?.() ?? [] : [];
        return cachesSection([...used, ...others], budget);
      },
    },
    {
      name: "lease",
      report: () =>
        elector
          ? {
            elects: true,
            leads: elector.isLeader,
            lease: elector.lease,
            leader: elector.leader,
          }
          : { elects: false, leads: true },
    },
  ];
}

/** Returns the section `caches` of the debug report: the sums, the budget and each cache once. */
function cachesSection(reports: readonly CacheReport[], budgetBytes: number | undefined): unknown {
  const caches = [...new Map(reports.map((report) => [scopeOf(report), report])).values()];
  const bytes = caches.reduce((sum, cache) => sum + (cache.bytes ?? 0), 0);
  const objects = caches.reduce((sum, cache) => sum + cache.objects, 0);
  const budget = budgetBytes === undefined ? {} : {
    budget: {
      bytes: budgetBytes,
      used: Math.round(100 * bytes / budgetBytes) / 100,
      advice: bytes > budgetBytes ? overBudget(caches, bytes, budgetBytes) : [],
    },
  };
  return { objects, bytes, ...budget, caches };
}

/**
 * Returns the lines of advice for caches above the memory budget: the excess in bytes, then the
 * three largest caches, each with its own advice.
 */
function overBudget(caches: readonly CacheReport[], bytes: number, budget: number): string[] {
  const largest = caches.filter(({ bytes = 0 }) => bytes > 0)
    .toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0)).slice(0, 3);
  return [
    `the caches hold ${bytes} bytes, which is ${bytes - budget} more than the budget`,
    ...largest.flatMap(({ resource, bytes = 0, advice }) => [
      `${resource} takes ${bytes} bytes: narrow its namespaces or selectors, or set compress`,
      ...advice,
    ]),
  ];
}

function scopeOf({ resource, namespace, labelSelector, fieldSelector }: CacheReport): string {
  return JSON.stringify([resource, namespace, labelSelector, fieldSelector]);
}
