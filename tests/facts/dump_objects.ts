/**
 * Writes `lib/apiserver/facts/bootstrap_objects.ts`: the objects that a kube-apiserver creates at its
 * start, except its roles and those that the registry creates, read from a server that has just
 * started.
 *
 * ```sh
 * KUBECONFIG=... deno run -A tests/facts/dump_objects.ts
 * ```
 *
 * @module
 */
import { createClient, loadConfig } from "../../lib/client/mod.ts";

const TARGET = new URL("../../lib/apiserver/facts/bootstrap_objects.ts", import.meta.url);
const RESOURCES = [
  ["apiregistration.k8s.io", "apiservices", "APIService"],
  ["flowcontrol.apiserver.k8s.io", "flowschemas", "FlowSchema"],
  ["flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", "PriorityLevelConfiguration"],
  ["networking.k8s.io", "servicecidrs", "ServiceCIDR"],
] as const;

interface Found {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** Reports whether the server created the object and maintains it. */
function isOwn({ metadata }: Found, plural: string): boolean {
  const { name, labels = {}, annotations = {} } = metadata;
  if (plural === "servicecidrs") return name === "kubernetes";
  return labels["kube-aggregator.kubernetes.io/automanaged"] === "onstart" ||
    annotations["apf.kubernetes.io/autoupdate-spec"] === "true";
}

using client = createClient(await loadConfig());
const lines: string[] = [];
for (const [group, plural, kind] of RESOURCES) {
  const response = await client.request({ method: "GET", path: `/apis/${group}/v1/${plural}` });
  const { items } = await response.json() as { items: readonly Found[] };
  for (const item of items) {
    if (!isOwn(item, plural)) continue;
    const { uid: _1, resourceVersion: _2, creationTimestamp: _3, name, ...more } = item.metadata;
    const { metadata: _4, ...fields } = item;
    const metadata = {
      name,
      uid: "@uid",
      resourceVersion: "@version",
      creationTimestamp: "@time",
      ...more,
    };
    const text = JSON.stringify({ kind, apiVersion: `${group}/v1`, metadata, ...fields });
    const timeless = text.replace(/"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z"/g, '"@time"')
      .replaceAll("10.0.0.0/24", "@serviceCidr");
    lines.push(`${plural}.${group} ${name} ${timeless}`);
  }
}
const text = `// Taken from kube-apiserver by tests/facts/dump_objects.ts: do not edit.

/**
 * The objects, other than those of RBAC, that kube-apiserver creates at its start and maintains, one
 * per line: \`PLURAL.GROUP\`, the name, and the object in JSON. \`@uid\`, \`@version\`, \`@time\` and
 * \`@serviceCidr\` are placeholders for values that differ per server.
 */
export const BOOTSTRAP_OBJECTS: string = String.raw\`
${lines.join("\n")}
\`;
`;
if (lines.some((line) => /[\`]|\$\{/.test(line))) throw new Error("A line needs escaping");
await Deno.writeTextFile(TARGET, text);
