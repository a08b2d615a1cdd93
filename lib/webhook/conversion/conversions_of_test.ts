import assert from "node:assert/strict";
import { ConfigMap, type KubeObject, resourceType } from "@xca/apimachinery/meta";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import { webhookFor } from "../admission/webhook_builder.ts";
import type { Conversion } from "./conversion.ts";
import { conversionsOf } from "./conversions_of.ts";

function typeWith(kind: string): ReturnType<typeof resourceType> & { conversion: Conversion } {
  const group = "example.com";
  const convert = (object: KubeObject): KubeObject => object;
  const conversion = { group, kind, versions: ["v1", "v2"], convert };
  const plural = `${kind.toLowerCase()}s`;
  return { ...resourceType({ group, version: "v1", kind, plural }), conversion };
}

Deno.test("conversionsOf() finds those of all kinds of an operator, each once", () => {
  const [own, owned, watched, guarded] = ["Own", "Owned", "Watched", "Guarded"].map(typeWith);
  const operator = defineOperator({
    name: "many",
    controllers: [
      controllerFor(own!).owns(owned!).watches(watched!, () => []).reconcile(() => {}),
      controllerFor(ConfigMap).owns(own!).reconcile(() => {}),
    ],
    webhooks: [webhookFor(guarded!).defaulter(() => {}), webhookFor(own!).defaulter(() => {})],
  });
  assert.deepEqual(
    conversionsOf(operator).map(({ kind }) => kind),
    ["Own", "Owned", "Watched", "Guarded"],
  );
});
