/**
 * The definitions that `defineResource` makes, with every option, on both servers: accepted without a
 * warning, stored as they are, and with the same verdicts as local validation.
 */
import assert from "node:assert/strict";
import { createClient, CustomResourceDefinition, isAlreadyExists } from "../../../mod.ts";
import { isConditionTrue, type UnstructuredObject } from "../../../lib/doors/meta.ts";
import {
  applyDefaults,
  defineResource,
  type InputOf,
  problemsOfCrd,
  prune,
  s,
  validate,
} from "../../../lib/resource/mod.ts";
import { expectObject } from "../../../lib/testing/mod.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

const fields = {
  size: s.integer({ format: "int32", minimum: 0, default: 1 }),
  color: s.optional(s.enum(["red", "blue"])),
  zone: s.string({ maxLength: 20, immutable: true, default: "a" }),
  selector: s.optional(s.string()),
};
const status = s.object({
  size: s.optional(s.integer({ format: "int32" })),
  conditions: s.optional(s.conditions()),
});
const shared = {
  group: "defined.example.org",
  shortNames: ["wd"],
  categories: ["all", "widgets"],
  metadata: { name: s.string({ maxLength: 12, pattern: "^[a-z]" }), required: true },
  subresources: {
    scale: {
      specReplicasPath: ".spec.size",
      statusReplicasPath: ".status.size",
      labelSelectorPath: ".spec.selector",
    },
  },
  printerColumns: [
    { name: "Size", type: "integer", jsonPath: ".spec.size", format: "int32", priority: 1 },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  labels: { team: "blue" },
  annotations: { "example.org/owner": "blue" },
} as const;

const Widget = defineResource({
  ...shared,
  kind: "Widget",
  storedVersion: "v1",
  versions: {
    v1alpha1: {
      deprecated: "use v1",
      spec: s.object({ ...fields, note: s.optional(s.string()) }),
      status,
      convert: {
        toStored: ({ spec: { note: _, ...spec }, ...rest }) => ({ ...rest, spec }),
        fromStored: (object) => object,
      },
    },
    v1: {
      selectableFields: [".spec.color"],
      spec: s.object(fields, { rules: [{ rule: "self.size < 100 || has(self.color)" }] }),
      status,
      rules: [{ rule: "self.metadata.name != 'forbidden'", message: "is a forbidden name" }],
    },
  },
});
const Region = defineResource({
  group: "defined.example.org",
  scope: "Cluster",
  version: "v1",
  kind: "Region",
  spec: s.optional(s.object({ note: s.optional(s.string()) })),
});

suite.test("definitions with every option are accepted without a warning, and stored as they are", async (plane) => {
  const warnings: string[] = [];
  using client = createClient(plane.config, { onWarning: (text) => void warnings.push(text) });
  for (const { crd } of [Widget, Region]) {
    assert.deepEqual(await problemsOfCrd(crd), []);
    const { spec, metadata } = await client.create(CustomResourceDefinition, crd);
    const { conversion, ...rest } = spec;
    const { conversion: given = { strategy: "None" }, ...others } = crd.spec;
    assert.deepEqual(rest, others);
    assert.equal(conversion?.strategy, given.strategy);
    assert.deepEqual(metadata.labels, crd.metadata?.labels);
  }
  assert.deepEqual(warnings, []);
});

suite.test("objects get the same defaults, the same pruning and the same verdict locally and on the server", async (plane) => {
  using client = createClient(plane.config);
  await client.create(CustomResourceDefinition, Widget.crd).catch((error) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await expectObject(
    client,
    CustomResourceDefinition,
    Widget.crd.metadata!.name!,
    ({ status }) => isConditionTrue(status?.conditions, "Established"),
  );
  const specs: readonly Record<string, unknown>[] = [
    {},
    { size: 3, color: "red", unknown: 1, selector: null },
    { size: -1 },
    { size: "1", color: "green" },
    { size: 100 },
    { size: 100, color: "blue" },
    { zone: "a".repeat(21) },
  ];
  const names = ["a", "forbidden", "1", "a-name-that-is-long"];
  const objects = [
    ...specs.map((spec, index) => ({ metadata: { name: `w${index}` }, spec })),
    ...names.map((name) => ({ metadata: { name }, spec: {} })),
    { metadata: { name: "no-spec" } },
  ];
  for (const object of objects) {
    const local = (await validate(Widget, object)).map(({ field, message }) =>
      `${field}: ${message}`
    );
    const input = object as unknown as InputOf<typeof Widget>;
    const answer = await client.create(Widget, input).catch((error: Error) => error);
    const shown = `${JSON.stringify(object)}: ${
      answer instanceof Error ? answer.message : "accepted"
    }`;
    if (answer instanceof Error) {
      assert(local.length > 0, shown);
      for (const problem of local) {
        assert(answer.message.includes(problem), `${shown} / ${problem}`);
      }
      continue;
    }
    assert.deepEqual(local, [], shown);
    const { object: pruned } = await prune(Widget, object as UnstructuredObject);
    const filled = await applyDefaults(Widget, pruned as InputOf<typeof Widget>);
    assert.deepEqual(answer.spec, filled.spec);
    const old = answer as unknown as UnstructuredObject;
    const moved = { ...answer, spec: { ...answer.spec, zone: "b" } };
    const problems = await validate(Widget, moved, { old });
    await assert.rejects(client.update(Widget, moved), (error: Error) => {
      const [{ field, message } = { field: "", message: "" }] = problems;
      return error.message.includes(`${field}: ${message}`);
    });
  }
});
