import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import {
  ANY,
  CustomKind,
  definitionOf,
  DEFINITIONS,
  type KindOptions,
  specSchema,
  tryDefinition,
  withKind,
} from "./custom_kind.ts";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

type Plain = Record<string, unknown>;

/** Adds a case in which the API server refuses a CustomResourceDefinition as invalid. */
function refused(name: string, options: KindOptions): void {
  conformance(name, async (t) => {
    const { code } = await tryDefinition(t, options);
    assert.equal(code, 422);
  });
}

const version = (name: string, more: Plain = {}): Plain => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: ANY },
  ...more,
});
const column = (more: Plain): KindOptions => ({
  version: {
    additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec.a", ...more }],
  },
});
const scale = (more: Plain): KindOptions => ({
  version: {
    subresources: {
      scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n", ...more },
    },
  },
});
const selectable = (...paths: string[]): KindOptions => ({
  schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          ...Object.fromEntries(
            Array.from({ length: 9 }, (_, index) => [`f${index}`, { type: "string" }]),
          ),
          inner: { type: "object", properties: { a: { type: "integer" } } },
        },
      },
    },
  },
  version: { selectableFields: paths.map((jsonPath) => ({ jsonPath })) },
});
const webhook = (clientConfig: Plain | undefined, versions: string[] | undefined = ["v1"]) => ({
  spec: {
    conversion: {
      strategy: "Webhook",
      webhook: {
        ...(clientConfig && { clientConfig }),
        ...(versions && { conversionReviewVersions: versions }),
      },
    },
  },
});

conformance("a new definition has defaults, and no condition yet", async (t) => {
  const { code, body } = await tryDefinition(t, {});
  assert.equal(code, 201);
  assert.equal(body.spec.names.listKind, "FooList");
  assert.deepEqual(body.status.storedVersions, ["v1"]);
});

conformance("a definition with all names says them", async (t) => {
  const names = { singular: "foo", shortNames: ["fo", "f"], categories: ["all"], listKind: "Foos" };
  await withKind(t, { names }, async (kind) => {
    const { body } = await t.get(kind.definitionPath);
    assert.deepEqual(body.status.acceptedNames.shortNames, ["fo", "f"]);
  });
});

conformance("a definition is established, and owned by its maker and the server", async (t) => {
  t.managedFields = true;
  await withKind(t, {}, async (kind) => {
    const { body } = await t.get(`${kind.definitionPath}?`, {
      headers: { Accept: "application/json" },
    });
    assert.equal(body.status.conditions.length, 2);
  });
});

refused("no group", { spec: { group: "" } });
refused("a group without a dot", {
  spec: { group: "example" },
  metadata: { name: "foos.example" },
});
refused("a group that is no name", {
  spec: { group: "Ex_ample.com" },
  metadata: { name: "foos.Ex_ample.com" },
});
refused("a name that is not plural and group", { metadata: { name: "other.example.com" } });
refused("no scope", { spec: { scope: "" } });
refused("a scope that is not known", { spec: { scope: "Global" } });
refused("no versions", { spec: { versions: [] } });
refused("a version whose name is none", { versions: [version("V1", { storage: true })] });
refused("no version for storage", { versions: [version("v1", { storage: false })] });
refused("two versions for storage", {
  versions: [version("v1"), version("v2", { storage: true })],
});
refused("two versions of one name", {
  versions: [version("v1"), version("v1", { storage: false })],
});
refused("versions without schemas", { versions: [{ name: "v1", served: true, storage: true }] });
refused("one of two versions without a schema", {
  versions: [version("v1"), { name: "v2", served: true, storage: false }],
});
refused("unknown fields preserved for the whole kind", { spec: { preserveUnknownFields: true } });
refused("names that are none", {
  names: { singular: "Foo", shortNames: ["ok", "No"], categories: ["a b"], listKind: "Foo-List-" },
});
refused("no kind", { names: { kind: "" } });
refused("a kind that is the kind of lists", { names: { listKind: "Foo" } });
refused("a column without a name", column({ name: "" }));
refused("a column of an unknown type", column({ type: "text" }));
refused("a column without a type", column({ type: "" }));
refused("a column of an unknown format", column({ format: "color" }));
refused("a column without a path", column({ jsonPath: "" }));
refused("a column whose path begins without a dot", column({ jsonPath: "spec.a" }));
refused("a scale without its paths", scale({ specReplicasPath: "", statusReplicasPath: "" }));
refused("a scale that is not in spec", scale({ specReplicasPath: ".status.n" }));
refused("a scale whose path begins without a dot", scale({ statusReplicasPath: "status.n" }));
refused("a selector of a scale in metadata", scale({ labelSelectorPath: ".metadata.labels" }));
refused("a selectable field that is not there", selectable(".spec.other"));
refused("a selectable field in metadata", {
  schema: {
    type: "object",
    properties: { metadata: { type: "object", properties: { name: { type: "string" } } } },
  },
  version: { selectableFields: [{ jsonPath: ".metadata.name" }] },
});
refused("a selectable object", selectable(".spec.inner"));
refused("a selectable item of a list", selectable(".spec.f1[0]"));
refused("a selectable field that stands twice", selectable(".spec.f1", ".spec.f1"));
refused("a selectable field without a path", selectable(""));
refused("a selectable field whose path begins without a dot", selectable("spec.f1"));
refused(
  "nine selectable fields",
  selectable(...Array.from({ length: 9 }, (_, index) => `.spec.f${index}`)),
);
refused("a warning of a version that is not deprecated", {
  version: { deprecationWarning: "gone soon" },
});
refused("an empty warning", { version: { deprecated: true, deprecationWarning: "" } });
refused("a warning that does not print", {
  version: { deprecated: true, deprecationWarning: "line\nbreak" },
});
refused("a long warning", {
  version: { deprecated: true, deprecationWarning: "x".repeat(257) },
});
refused("a conversion that is not known", { spec: { conversion: { strategy: "Magic" } } });
refused("a webhook without a client", webhook(undefined));
refused("a webhook without versions of reviews", webhook({ url: "https://a.b/" }, []));
refused("a webhook with unknown versions of reviews", webhook({ url: "https://a.b/" }, ["v2"]));
refused(
  "a webhook with a version of reviews twice",
  webhook({ url: "https://a.b/" }, ["v1", "v1", "V"]),
);
refused("a webhook with neither URL nor service", webhook({}));
refused(
  "a webhook with both URL and service",
  webhook({ url: "https://a.b/", service: { name: "a", namespace: "b" } }),
);
refused("a webhook without TLS", webhook({ url: "http://a.b/" }));
refused("a webhook with user, query and fragment", webhook({ url: "https://u:p@a.b/?q=1#f" }));
refused("a webhook without a host", webhook({ url: "https:///path" }));
refused(
  "a webhook whose service has no name and a wrong path",
  webhook({ service: { name: "", namespace: "b", path: "a//B", port: 70000 } }),
);
refused("a webhook where none is asked", {
  spec: {
    conversion: {
      strategy: "None",
      webhook: { clientConfig: { url: "https://a.b/" }, conversionReviewVersions: ["v1"] },
    },
  },
});
conformance("the port of a webhook's service has a default", async (t) => {
  const { code, body } = await tryDefinition(
    t,
    webhook({ service: { name: "a", namespace: "b" } }),
  );
  assert.equal(code, 201);
  assert.equal(body.spec.conversion.webhook.clientConfig.service.port, 443);
});

conformance("a definition whose webhook's CA bundle cannot be read cannot be served", async (t) => {
  const clientConfig = { url: "https://127.0.0.1:1/convert", caBundle: btoa("no certificate") };
  const webhook = { clientConfig, conversionReviewVersions: ["v1"] };
  const definition = definitionOf(t, { spec: { conversion: { strategy: "Webhook", webhook } } });
  const kind = new CustomKind(t, definition);
  assert.equal((await t.post(DEFINITIONS, definition, { unrecorded: true })).code, 201);
  try {
    await kind.waitFor((status) =>
      (status.conditions as { reason: string }[] | undefined ?? [])
        .some(({ reason }) => reason === "InvalidCABundle")
    );
    await until(
      async () => (await t.get(kind.path(), { unrecorded: true })).code === 500,
      "that its objects cannot be had",
    );
    await t.get(kind.definitionPath);
    await t.get(kind.path());
    await kind.create();
    await t.get(kind.path("/a"));
    await t.get(kind.path("", "v2"));
    await t.get(`/apis/${kind.group}/v1`);
  } finally {
    await t.delete(kind.definitionPath, undefined, { unrecorded: true });
  }
});

conformance("a group of Kubernetes needs an approval", async (t) => {
  const group = `${t.unique("g")}.k8s.io`;
  const options = (approval?: string): KindOptions => ({
    spec: { group },
    metadata: {
      name: `foos.${group}`,
      ...(approval !== undefined &&
        { annotations: { "api-approved.kubernetes.io": approval } }),
    },
  });
  assert.equal((await tryDefinition(t, options())).code, 422);
  assert.equal((await tryDefinition(t, options("yes"))).code, 422);
  assert.equal((await tryDefinition(t, options("https://example.com/1"))).code, 201);
  assert.equal((await tryDefinition(t, options("unapproved, test"))).code, 201);
});

conformance("a group of Kubernetes says how it is approved", async (t) => {
  const group = `${t.unique("g")}.k8s.io`;
  const metadata = {
    name: `foos.${group}`,
    annotations: { "api-approved.kubernetes.io": "unapproved, test" },
  };
  const kind = new CustomKind(t, { spec: { group, names: { plural: "foos", kind: "Foo" } } });
  const definition = definitionOf(t, { spec: { group }, metadata });
  await t.post(DEFINITIONS, definition, { unrecorded: true });
  await kind.waitForCondition("KubernetesAPIApprovalPolicyConformant", "False");
  const { body } = await t.get(kind.definitionPath, { unrecorded: true });
  const approval = body.status.conditions
    .find(({ type }: { type: string }) => type === "KubernetesAPIApprovalPolicyConformant");
  assert.equal(approval.reason, "UnapprovedAnnotation");
  await t.delete(kind.definitionPath, undefined, { unrecorded: true });
});

conformance("names that another definition has are not accepted until they are free", async (t) => {
  await withKind(t, { names: { shortNames: ["fo"] } }, async (kind) => {
    const other = definitionOf(t, {
      plural: "bars",
      names: { kind: "Foo", listKind: "BarList", shortNames: ["fo", "ba"] },
    });
    const second = new CustomKind(t, other);
    await t.post(DEFINITIONS, other, { unrecorded: true });
    await second.waitForCondition("NamesAccepted", "False");
    await t.get(second.definitionPath);
    await t.get(second.path());
    await t.delete(kind.definitionPath, undefined, { unrecorded: true });
    await second.waitForCondition("Established");
    await t.get(second.definitionPath);
    await t.delete(second.definitionPath, undefined, { unrecorded: true });
  });
});

conformance("a definition that is there already", async (t) => {
  await withKind(t, {}, async () => {
    assert.equal((await t.post(DEFINITIONS, definitionOf(t))).code, 409);
  });
});

conformance("v1beta1 of definitions is not served", async (t) => {
  const { code } = await t.get("/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions");
  assert.equal(code, 404);
});

conformance("a change of a definition needs its version", async (t) => {
  await withKind(t, {}, async (kind) => {
    assert.equal((await t.put(kind.definitionPath, definitionOf(t))).code, 422);
  });
});

conformance("the generation counts changes of the spec alone", async (t) => {
  await withKind(t, {}, async (kind) => {
    const labelled = await t.patch("merge", kind.definitionPath, {
      metadata: { labels: { a: "b" } },
    });
    assert.equal(labelled.body.metadata.generation, 1);
    const changed = await t.patch("merge", kind.definitionPath, {
      spec: { names: { shortNames: ["fo"] } },
    }, { unrecorded: true });
    assert.equal(changed.body.metadata.generation, 2);
  });
});

conformance("group, plural, and once established kind and scope stay", async (t) => {
  await withKind(t, {}, async (kind) => {
    for (
      const spec of [
        { scope: "Cluster" },
        { names: { kind: "Bar" } },
        { names: { plural: "bars" } },
        { group: "other.example.com" },
      ]
    ) {
      assert.equal((await t.patch("merge", kind.definitionPath, { spec })).code, 422);
    }
  });
});

conformance(
  "a version that objects were stored in stays until the status says otherwise",
  async (t) => {
    const versions = [version("v1"), version("v2")];
    await withKind(t, { versions }, async (kind) => {
      const swapped = [version("v1", { storage: false }), version("v2", { storage: true })];
      const changed = await t.patch("merge", kind.definitionPath, { spec: { versions: swapped } });
      assert.deepEqual(changed.body.status.storedVersions, ["v1", "v2"]);
      const without = { spec: { versions: [version("v2", { storage: true })] } };
      assert.equal((await t.patch("merge", kind.definitionPath, without)).code, 422);
      const migrated = { status: { storedVersions: ["v2"] } };
      assert.equal((await t.patch("merge", `${kind.definitionPath}/status`, migrated)).code, 200);
      assert.equal((await t.patch("merge", kind.definitionPath, without)).code, 200);
    });
  },
);

conformance("a status write does not change the spec", async (t) => {
  await withKind(t, {}, async (kind) => {
    const { code, body } = await t.patch("merge", `${kind.definitionPath}/status`, {
      spec: { scope: "Cluster" },
      status: { acceptedNames: { shortNames: ["Bad"] } },
    });
    assert.equal(code, 422, JSON.stringify(body));
    const spec = await t.patch("merge", `${kind.definitionPath}/status`, {
      spec: { scope: "Cluster" },
    });
    assert.equal(spec.body.spec.scope, "Namespaced");
  });
});

conformance("a deleted definition takes its objects with it", async (t) => {
  await withKind(t, {}, async (kind) => {
    await kind.create({}, "", { unrecorded: true });
    const { code, body } = await t.delete(kind.definitionPath);
    assert.equal(code, 200);
    assert.deepEqual(body.metadata.finalizers, ["customresourcecleanup.apiextensions.k8s.io"]);
    await kind.waitFor((_, code) => code === 404);
    await t.get(kind.definitionPath);
    assert.equal((await t.get(kind.path("/a"))).code, 404);
  });
});

conformance("a definition waits for objects with finalizers, and takes no new ones", async (t) => {
  await withKind(t, {}, async (kind) => {
    await kind.create({ metadata: { finalizers: ["example.com/hold"] } }, "", { unrecorded: true });
    await t.delete(kind.definitionPath, undefined, { unrecorded: true });
    await kind.waitFor((status) =>
      (status.conditions as { reason: string }[])
        .some(({ reason }) => reason === "InstanceDeletionInProgress")
    );
    await t.get(kind.definitionPath);
    await kind.waitForObject("a", ({ metadata }) => metadata.deletionTimestamp !== undefined);
    const other = await kind.create({ metadata: { name: "b" } });
    assert.equal(other.code, 403);
    const path = `/apis/${kind.group}/v1`;
    await until(async () => {
      const { body } = await t.get(path, { unrecorded: true });
      return !body.resources?.[0].verbs.includes("create");
    }, "that discovery says what is left");
    // It is made of the group's name.
    t.mask(/^[A-Za-z0-9+/]{11}=$/, "<hash>");
    await t.get(path);
    await t.patch("merge", kind.path("/a"), { metadata: { finalizers: null } });
    await kind.waitFor((_, code) => code === 404);
  });
});

conformance("discovery lists a custom kind with its subresources", async (t) => {
  // It is made of the group's name.
  t.mask(/^[A-Za-z0-9+/]{11}=$/, "<hash>");
  const options = {
    ...scale({}),
    names: { shortNames: ["fo"], categories: ["all"] },
  };
  await withKind(t, options, async (kind) => {
    await until(
      async () => (await t.get(`/apis/${kind.group}/v1`, { unrecorded: true })).code === 200,
      "that the version is told",
    );
    await t.get(`/apis/${kind.group}/v1`);
    await t.get(`/apis/${kind.group}`);
  });
});

conformance("a resource that no definition has", async (t) => {
  assert.equal((await t.get(`/apis/${t.unique("g")}.example.com/v1/foos`)).code, 404);
});

conformance("a column may show what the schema does not know", async (t) => {
  const { code } = await tryDefinition(t, { schema: specSchema({}), ...column({}) });
  assert.equal(code, 201);
});
