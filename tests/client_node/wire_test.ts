import * as models from "@kubernetes/client-node";
import assert from "node:assert/strict";
import type { Wire, WireObject } from "../../lib/apimachinery/kubernetes_types/mod.ts";

Deno.test("kubernetes-types: models of client-node have the fields of the wire format", () => {
  const list: Wire<models.V1ListMeta> = { continue: "next", resourceVersion: "1" };
  const cidr: WireObject<models.V1beta1ServiceCIDR> = {
    metadata: { name: "c", creationTimestamp: "2026-01-02T03:04:05Z" },
  };
  assert.deepEqual([list.continue, cidr.metadata.name], ["next", "c"]);
});

Deno.test("kubernetes-types: every model field with another name in the wire format is known", () => {
  const unknown: string[] = [];
  let renamed = 0;
  for (const [model, value] of Object.entries(models)) {
    const fields = (value as { attributeTypeMap?: { name: string; baseName: string }[] })
      .attributeTypeMap ?? [];
    const isSchema = fields.some(({ name }) => name === "x_kubernetes_validations");
    for (const { name, baseName } of fields) {
      if (name !== baseName) renamed++;
      if (wireName(name, isSchema) !== baseName) unknown.push(`${model}.${name} is ${baseName}`);
    }
  }
  assert.deepEqual(unknown, []);
  assert.ok(renamed > 10);
});

/** Returns the name that the type `WireName` has for a field. */
function wireName(name: string, isSchema: boolean): string {
  if (isSchema && (name === "ref" || name === "schema")) return `$${name}`;
  if (name.startsWith("x_kubernetes_")) return name.replaceAll("_", "-");
  return name.startsWith("_") ? name.slice(1) : name;
}
