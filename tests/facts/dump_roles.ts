/**
 * Writes `lib/apiserver/facts/bootstrap_roles.ts`: the roles and bindings that a kube-apiserver creates
 * at its start, read from a running server.
 *
 * ```sh
 * KUBECONFIG=... deno run -A tests/facts/dump_roles.ts
 * ```
 *
 * @module
 */
import { createClient, loadConfig } from "../../lib/client/mod.ts";

const TARGET = new URL("../../lib/apiserver/facts/bootstrap_roles.ts", import.meta.url);
const BOOTSTRAPPING = "kubernetes.io/bootstrapping";
const AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

interface Found {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

using client = createClient(await loadConfig());
const lines: string[] = [];
for (const plural of ["clusterroles", "clusterrolebindings", "roles", "rolebindings"]) {
  const path = `/apis/rbac.authorization.k8s.io/v1/${plural}`;
  const response = await client.request({ method: "GET", path });
  const { items } = await response.json() as { items: readonly Found[] };
  for (const item of items) {
    const { labels = {}, annotations = {}, name, namespace } = item.metadata;
    const { [BOOTSTRAPPING]: made, ...otherLabels } = labels;
    const { [AUTOUPDATE]: updated, ...otherAnnotations } = annotations;
    if (made !== "rbac-defaults") continue;
    if (updated !== "true" || Object.keys(otherAnnotations).length > 0) {
      throw new Error(`Cannot dump ${name}: it is annotated in another way than all others`);
    }
    const { metadata: _, ...fields } = item;
    lines.push(JSON.stringify([plural, namespace ?? "", name, otherLabels, fields]));
  }
}
const text = `// Taken from kube-apiserver by tests/facts/dump_roles.ts: do not edit.

/**
 * The RBAC objects that kube-apiserver creates at its start, one per line as a JSON array: the plural
 * of the resource, the namespace (empty for a cluster-scoped object), the name, the labels besides
 * \`kubernetes.io/bootstrapping\`, and the fields besides the metadata.
 */
export const BOOTSTRAP_ROLES: string = String.raw\`
${lines.join("\n")}
\`;
`;
if (lines.some((line) => /[\`\\]|\$\{/.test(line))) throw new Error("A line needs escaping");
await Deno.writeTextFile(TARGET, text);
