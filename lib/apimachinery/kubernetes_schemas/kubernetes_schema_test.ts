import assert from "node:assert/strict";
import { SCHEMA_FACTS } from "./schema_facts.ts";
import { kubernetesSchema } from "./kubernetes_schema.ts";

Deno.test("kubernetesSchema() returns what controller-gen writes for a condition", () => {
  assert.deepEqual(kubernetesSchema("V1Condition"), {
    type: "object",
    properties: {
      lastTransitionTime: { type: "string", format: "date-time" },
      message: { type: "string", maxLength: 32768 },
      observedGeneration: { type: "integer", format: "int64", minimum: 0 },
      reason: {
        type: "string",
        minLength: 1,
        maxLength: 1024,
        pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
      },
      status: { type: "string", enum: ["True", "False", "Unknown"] },
      type: {
        type: "string",
        maxLength: 316,
        pattern:
          "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
      },
    },
    required: ["lastTransitionTime", "message", "reason", "status", "type"],
  });
});

Deno.test("kubernetesSchema() has the defaults, list types and map types of Kubernetes' types", () => {
  const { properties } = kubernetesSchema("V1Container");
  const ports = properties!.ports!;
  assert.equal(ports["x-kubernetes-list-type"], "map");
  assert.deepEqual(ports["x-kubernetes-list-map-keys"], ["containerPort", "protocol"]);
  const port = ports.items as typeof ports;
  assert.deepEqual(port.properties!.protocol, { type: "string", default: "TCP" });
  assert.equal(kubernetesSchema("V1LabelSelector")["x-kubernetes-map-type"], "atomic");
  const { limits } = kubernetesSchema("V1ResourceRequirements").properties!;
  assert.equal(
    (limits!.additionalProperties as typeof ports)["x-kubernetes-int-or-string"],
    true,
  );
});

Deno.test("kubernetesSchema() keeps labels and annotations in templates, and nothing else of metadata", () => {
  const { metadata } = kubernetesSchema("V1PodTemplateSpec").properties!;
  assert.deepEqual(
    Object.keys(metadata!.properties!),
    ["annotations", "finalizers", "labels", "name", "namespace"],
  );
});

Deno.test("kubernetesSchema() has a schema for each name in the facts", () => {
  const names = Object.keys(JSON.parse(SCHEMA_FACTS));
  assert(names.length > 200, `only ${names.length} types`);
  for (const name of names) {
    const { type, properties } = kubernetesSchema(name as "V1Condition");
    assert.equal(type, "object", name);
    for (const [field, schema] of Object.entries(properties ?? {})) {
      const isTyped = schema.type !== undefined || schema["x-kubernetes-int-or-string"];
      assert(isTyped, `${name}.${field} has no type`);
    }
  }
});

Deno.test("kubernetesSchema() names the type that it does not have", () => {
  assert.throws(() => kubernetesSchema("V1Pods" as "V1Condition"), /V1Pods.*V1PodTemplateSpec/);
  assert.throws(() => kubernetesSchema("constructor" as "V1Condition"), RangeError);
});
