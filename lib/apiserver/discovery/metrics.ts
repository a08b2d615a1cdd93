// Mirrors `server/routes/metrics.go, MetricsWithReset`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { collectionName } from "../machinery/keys.ts";
import { builtinRelease } from "../resources/builtin_resources.ts";
import type { ResourceTable } from "../resources/resource_table.ts";

/** The stored objects of one resource: their number, and a function that lists them. */
export interface StoredTexts {
  readonly size: number;
  /**
   * Returns the stored objects of the resource whose keys (`namespace/name`, or the name of a
   * cluster-scoped object) begin with a prefix.
   */
  list(prefix: string): Iterable<{ tree(): ApiObject }>;
}

/** The revision, the sizes and the objects of the storage, from which metrics are computed. */
export interface StorageCounts {
  /** The revision of the latest write to the storage. */
  readonly revision: number;
  /** The size of all objects in the storage, current and historic, in bytes. */
  readonly liveBytes: number;
  /**
   * The size of the memory that the storage has allocated for its objects, in bytes, free memory
   * included.
   */
  readonly reservedBytes: number;
  /**
   * Returns the stored objects of a resource, given its plural and group, such as
   * `deployments.apps`.
   */
  collection(name: string): StoredTexts;
}

/**
 * Returns the text of `/metrics` in the Prometheus text format: those of kube-apiserver's metrics
 * that have the same meaning here, and this server's own metrics of its storage. Without `storage`,
 * only the build information.
 */
export function metricsText(table: ResourceTable, storage: StorageCounts | undefined): string {
  const release = builtinRelease();
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)\./.exec(release) ?? [];
  const lines = metric(
    "kubernetes_build_info",
    "The release that this embedded server is like.",
    [[`git_version="${release}+embedded",major="${major}",minor="${minor}"`, 1]],
  );
  if (storage) {
    lines.push(
      ...metric("apiserver_resource_objects", "Number of stored objects.", counts(table, storage)),
      ...metric(
        "apiserver_flowcontrol_nominal_limit_seats",
        "Seats that the shares of each priority level give it; this server holds no request back.",
        seats(storage),
      ),
      ...metric("apiserver_storage_revision", "Latest revision.", [["", storage.revision]]),
      ...metric("apiserver_storage_size_bytes", "What storage takes.", [[
        "",
        storage.reservedBytes,
      ]]),
      ...metric("apiserver_storage_used_bytes", "What the objects are long.", [[
        "",
        storage.liveBytes,
      ]]),
    );
  }
  return `${lines.join("\n")}\n`;
}

/**
 * The concurrency that kube-apiserver divides among priority levels (API priority and fairness):
 * the sum of its default limits.
 */
const ALL_SEATS = 600;
const DEFAULT_SHARES = 30;

interface LevelSpec {
  readonly limited?: { readonly nominalConcurrencyShares?: number };
  readonly exempt?: { readonly nominalConcurrencyShares?: number };
}

/**
 * Returns the concurrency of each priority level, its share of {@linkcode ALL_SEATS}, rounded up,
 * as a metric's labels and value (`flowcontrol/apf_controller.go, configController`).
 */
function seats(storage: StorageCounts): [labels: string, count: number][] {
  const levels = storage.collection("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io");
  const shares = [...levels.list("")].map((stored): [string, number] => {
    const { metadata, spec } = stored.tree() as ApiObject & { readonly spec: LevelSpec };
    const { limited, exempt } = spec;
    const own = limited
      ? limited.nominalConcurrencyShares ?? DEFAULT_SHARES
      : exempt?.nominalConcurrencyShares ?? 0;
    return [metadata.name!, own];
  });
  const sum = shares.reduce((total, [, own]) => total + own, 0);
  return shares.map(([name, own]) => [
    `priority_level="${name}"`,
    sum === 0 ? 0 : Math.ceil(ALL_SEATS * own / sum),
  ]);
}

function counts(table: ResourceTable, storage: StorageCounts): [labels: string, count: number][] {
  const seen = new Map<string, [string, number]>();
  for (const row of table.all()) {
    const name = collectionName(row);
    if (!row.verbs.includes("list") || seen.has(name)) continue;
    const [resource, ...group] = name.split(".");
    const labels = `group="${group.join(".")}",resource="${resource}"`;
    seen.set(name, [labels, storage.collection(name).size]);
  }
  return [...seen.values()];
}

function metric(
  name: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`),
  ];
}
