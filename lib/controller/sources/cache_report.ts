import { attempt } from "@xca/apimachinery/internal/base";
import { formatLabelSelector } from "@xca/apimachinery/meta";
import type { CacheReport } from "../ports/operator_report.ts";
import type { View } from "./view.ts";

/** The maximum number of cached objects from which a report computes the shares of fields. */
const SAMPLE = 20;
/**
 * The least share of a field in the JSON of the sampled objects, from 0 to 1, with which the cache
 * report lists the field.
 */
const SHOWN_SHARE = 0.02;
/**
 * The least share of `managedFields` or annotations, from 0 to 1, at which the cache report advises
 * to leave them out.
 */
const ADVISED_SHARE = 0.1;

/**
 * Returns the report on one informer's cache: its scope, its size, the health of its watch, and the
 * shares of fields. Parses at most {@linkcode SAMPLE} objects. `nowMs` is the current monotonic
 * time in milliseconds.
 */
export function cacheReport({ scope, informer }: View, nowMs: number): CacheReport {
  const { indexer, health, synced } = informer;
  const { lastHeardMs, failing } = health;
  const shares = sharesOf(informer);
  return {
    resource: scope.type.id,
    namespace: scope.namespace,
    labelSelector: formatLabelSelector(scope.labelSelector),
    fieldSelector: scope.fieldSelector,
    synced,
    objects: indexer.size,
    ...(indexer.storedBytes !== undefined && { bytes: indexer.storedBytes }),
    ...(indexer.allocatedBytes !== undefined && { allocatedBytes: indexer.allocatedBytes }),
    watch: {
      ...(health.state !== undefined && { state: health.state }),
      ...(failing && { failing: { kind: failing.kind, message: failing.message } }),
      ...(health.resourceVersion !== undefined && { resourceVersion: health.resourceVersion }),
      ...(lastHeardMs !== undefined && { heardAgoMs: nowMs - lastHeardMs }),
      ...(health.restarts !== undefined && { restarts: health.restarts }),
      ...(health.failures !== undefined && { failures: health.failures }),
      ...(health.events !== undefined && { events: health.events }),
      ...(health.undecodable !== undefined && { undecodable: health.undecodable }),
    },
    shares,
    advice: adviceOf(scope.type.plural, shares),
  };
}

/**
 * Returns the shares of fields in the JSON of the first {@linkcode SAMPLE} objects of a cache, by
 * field and the largest first, rounded to two digits, from {@linkcode SHOWN_SHARE} to 1; smaller
 * shares, `kind` and `apiVersion`, and objects that cannot be parsed, are left out.
 */
function sharesOf({ indexer }: View["informer"]): Record<string, number> {
  const sizes = new Map<string, number>();
  let total = 0;
  const add = (field: string, value: unknown): void => {
    if (value === undefined) return;
    sizes.set(field, (sizes.get(field) ?? 0) + JSON.stringify(value).length);
  };
  let sampled = 0;
  for (const packed of indexer.packed()) {
    if (sampled++ >= SAMPLE) break;
    const object = attempt(() => packed.read()) as Record<string, unknown> | undefined;
    if (!object) continue;
    total += JSON.stringify(object).length;
    const { metadata, ...rest } = object as { metadata?: Record<string, unknown> };
    const { managedFields, annotations, ...others } = metadata ?? {};
    add("metadata.managedFields", managedFields);
    add("metadata.annotations", annotations);
    add("metadata, other fields", others);
    for (const [field, value] of Object.entries(rest)) {
      if (field !== "kind" && field !== "apiVersion") add(field, value);
    }
  }
  const shares = [...sizes].map(([field, size]) => [field, size / Math.max(1, total)] as const)
    .filter(([, share]) => share >= SHOWN_SHARE)
    .sort(([, a], [, b]) => b - a);
  return Object.fromEntries(shares.map(([field, share]) => [field, Math.round(share * 100) / 100]));
}

function adviceOf(plural: string, shares: Readonly<Record<string, number>>): string[] {
  const advice: string[] = [];
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const managed = shares["metadata.managedFields"] ?? 0;
  if (managed >= ADVISED_SHARE) {
    advice.push(
      `metadata.managedFields is ${percent(managed)} of ${plural}: leave it out by ` +
        "dropManagedFields in the manager's choice of the cache",
    );
  }
  const annotations = shares["metadata.annotations"] ?? 0;
  if (annotations >= ADVISED_SHARE) {
    advice.push(
      `annotations are ${
        percent(annotations)
      } of ${plural}: drop those that are not read, such as ` +
        `kubectl.kubernetes.io/last-applied-configuration, by a transform of the source`,
    );
  }
  const [largest, share] = Object.entries(shares)
    .find(([field]) => !field.startsWith("metadata")) ?? ["", 0];
  if (share >= 0.4) {
    advice.push(
      `${largest} is ${
        percent(share)
      } of ${plural}: where it is not read, drop it by a transform, or ` +
        `watch metadataOf() the kind`,
    );
  }
  return advice;
}
