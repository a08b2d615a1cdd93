import { type Clock, systemClock } from "@xca/apimachinery/base";
import type { WatchHealth } from "../../cache/reflector/watch_health.ts";
import { INFORMER } from "./catalogue.ts";
import type { CollectedSeries, MetricsRegistry } from "./registry.ts";

/**
 * The fields of an informer that its metrics are read from; a {@linkcode SharedInformer} has them.
 */
export interface InformerFigures {
  /** The name of the informer in logs, and in the label `informer` of its metrics. */
  readonly name: string;
  /** The health of the informer's watch. */
  readonly health: WatchHealth;
  /** The store of the informer. */
  readonly indexer: {
    /** The number of objects in the informer's store. */
    readonly size: number;
    /**
     * The size of the objects in the informer's store, in bytes.
     *
     * @default unknown, and not exposed
     */
    readonly storedBytes?: number | undefined;
  };
}

/**
 * Registers the metrics of informers, which the registry reads at each scrape: informers that start
 * later are exposed too, and ended informers are not.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { informerMetrics, MetricsRegistry } from "@xca/operator/manager";
 *
 * const registry = new MetricsRegistry();
 * informerMetrics(registry, () => []); // the informers of a cache
 * assert(!registry.text().includes("xca_informer_objects{"));
 * ```
 */
export function informerMetrics(
  registry: MetricsRegistry,
  informers: () => Iterable<InformerFigures>,
  { clock = systemClock }: {
    /** The clock of the informers. @default {systemClock} */
    readonly clock?: Clock | undefined;
  } = {},
): void {
  const collect = (
    spec: (typeof INFORMER)[keyof typeof INFORMER],
    figure: (informer: InformerFigures, newest: number) => number | undefined,
  ): void => registry.collect(spec, () => series(informers(), figure));
  collect(INFORMER.synced, ({ health }) => Number(health.synced));
  collect(INFORMER.failing, ({ health }) => Number(health.failing !== undefined));
  collect(INFORMER.objects, ({ indexer }) => indexer.size);
  collect(INFORMER.bytes, ({ indexer }) => indexer.storedBytes);
  collect(
    INFORMER.lagSeconds,
    ({ health: { lastHeardMs } }) =>
      lastHeardMs === undefined ? undefined : (clock.monotonicMs() - lastHeardMs) / 1_000,
  );
  collect(INFORMER.lagVersions, (informer, newest) => {
    const version = versionOf(informer);
    return version === undefined ? undefined : newest - version;
  });
  collect(INFORMER.restarts, ({ health }) => health.restarts);
  collect(INFORMER.lists, ({ health }) => health.lists + health.watchLists);
  collect(INFORMER.failures, ({ health }) => health.failures);
  collect(INFORMER.events, ({ health }) => health.events);
  collect(INFORMER.undecodable, ({ health }) => health.undecodable);
}

function series(
  informers: Iterable<InformerFigures>,
  figure: (informer: InformerFigures, newest: number) => number | undefined,
): CollectedSeries<"informer">[] {
  const all = [...informers];
  const newest = Math.max(0, ...all.map((informer) => versionOf(informer) ?? 0));
  return all.flatMap((informer) => {
    const value = figure(informer, newest);
    return value === undefined ? [] : [[{ informer: informer.name }, value] as const];
  });
}

/**
 * Returns the resource version of an informer as a number; `undefined` if it is not a number, as
 * before the first sync.
 */
function versionOf({ health: { resourceVersion } }: InformerFigures): number | undefined {
  return /^\d+$/.test(resourceVersion) ? Number(resourceVersion) : undefined;
}
