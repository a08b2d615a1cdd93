import { builtinRelease } from "../resources/builtin_resources.ts";

/** What the server counts. */
export interface MetricsSource {
  /** How many objects of each resource are stored: `pods`, `deployments.apps`. */
  objects?(): Iterable<readonly [resource: string, count: number]>;
  /** The latest revision of storage. */
  revision?(): number;
  /** How many watches are open. */
  watches?(): number;
}

/**
 * `/metrics` in the text format of Prometheus: the few of the real server's metrics that mean the same
 * here, by their names there.
 */
export function metricsText(source: MetricsSource = {}): string {
  const release = builtinRelease();
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)\./.exec(release) ?? [];
  const lines = metric(
    "kubernetes_build_info",
    "The release that this embedded server is like.",
    [[`git_version="${release}+embedded",major="${major}",minor="${minor}"`, 1]],
  );
  if (source.objects) {
    const samples = [...source.objects()].map(([resource, count]) =>
      [`resource="${resource}"`, count] as const
    );
    lines.push(...metric("apiserver_storage_objects", "Number of stored objects.", samples));
  }
  if (source.revision) {
    const samples = [["", source.revision()] as const];
    lines.push(...metric("apiserver_storage_revision", "Latest revision of storage.", samples));
  }
  if (source.watches) {
    const samples = [["", source.watches()] as const];
    lines.push(...metric("apiserver_longrunning_requests", "Number of open watches.", samples));
  }
  return `${lines.join("\n")}\n`;
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
