import type { KindNames } from "../scaffold/kind_names.ts";

/**
 * Returns the text of `controllers/<kind>.ts`: a controller that keeps a ConfigMap for each object.
 */
export function controllerModule(names: KindNames): string {
  const { kind, file, variable, version } = names;
  return `import { ConfigMap, controllerFor, type ReconcileContext } from "@xca/operator";
import { applyChild, childSource, patchStatus } from "@xca/operator/controller";
import { setCondition } from "@xca/operator/meta";
import { ${kind} } from "../api/${version}/${file}.ts";

/**
 * Keeps a ConfigMap with the message of each ${kind}. It runs after each change of one of them, compares
 * the present ConfigMap with the desired one, and writes the difference.
 */
async function reconcile(context: ReconcileContext): Promise<void> {
  const found = context.cache.get(${kind}, context.key);
  if (!found) return; // Deleted; the API server collects the ConfigMap.
  const { name, namespace, generation } = found.metadata;

  const child = { metadata: { name: \`\${name}-${file}\`, namespace }, data: found.spec };
  const owner = { type: ${kind}, object: found };
  await applyChild(context, ConfigMap, child, { owner, fieldManager: "${file}-controller" });

  const ready = { type: "Ready", status: "True", reason: "Published" } as const;
  const now = context.clock.now();
  const conditions = setCondition(found.status?.conditions, ready, { now, generation });
  await patchStatus(context, ${kind}, found, { conditions });
}

/** The controller of ${kind}; its sources and \`uses\` are what its RBAC rules are made of. */
export const ${variable}Controller = controllerFor(${kind})
  .owns(ConfigMap, childSource)
  .uses(ConfigMap, ["applyChild"])
  .uses(${kind}, ["patchStatus"])
  .reconcile(reconcile);
`;
}
