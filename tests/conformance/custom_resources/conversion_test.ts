import assert from "node:assert/strict";
import { ConversionWebhook, type Spoil } from "./conversion_webhook.ts";
import { ANY, type CustomKind, specSchema, withKind } from "./custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

type Plain = Record<string, unknown>;

const VERSIONS = ["v1", "v2"].map((name) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: ANY },
}));

interface Options {
  readonly spoil?: Spoil;
  readonly status?: number;
  readonly versions?: readonly Plain[];
  readonly reviews?: readonly string[];
  readonly clientConfig?: (webhook: ConversionWebhook) => Plain;
}

/** A case with a kind that a webhook converts. */
function converted(
  name: string,
  options: Options,
  run: (kind: CustomKind, t: Target, webhook: ConversionWebhook) => Promise<void>,
): void {
  conformance(name, async (t) => {
    await using webhook = await ConversionWebhook.start(options.spoil, options.status);
    t.names.set(webhook.address, "<webhook>");
    const { url, caBundle } = webhook;
    const clientConfig = options.clientConfig?.(webhook) ?? { url, caBundle };
    const conversionReviewVersions = options.reviews ?? ["v1"];
    const conversion = {
      strategy: "Webhook",
      webhook: { clientConfig, conversionReviewVersions },
    };
    const versions = options.versions ?? VERSIONS;
    await withKind(t, { versions, spec: { conversion } }, (kind) => run(kind, t, webhook));
  });
}

/** A case: a webhook whose answer cannot be used. */
function unusable(name: string, spoil: Spoil, status = 200): void {
  converted(name, { spoil, status }, async (kind, t) => {
    await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
    assert.equal((await t.get(kind.path("/a", "v2"))).code, 500);
  });
}

converted("an object is converted when it is read", {}, async (kind, t) => {
  await kind.create({ spec: { size: 1 } });
  const { body } = await t.get(kind.path("/a", "v2"));
  assert.deepEqual(body.spec, { width: 1 });
});
converted("an object is converted when it is written", {}, async (kind, t) => {
  const created = await t.post(kind.path("", "v2"), kind.object({ spec: { width: 2 } }, "v2"));
  assert.deepEqual(created.body.spec, { width: 2 });
  const { body } = await t.get(kind.path("/a"));
  assert.deepEqual(body.spec, { size: 2 });
  const patched = await t.patch("merge", kind.path("/a", "v2"), { spec: { width: 3 } });
  assert.equal(patched.code, 200);
  await t.get(kind.path("/a"));
  assert.equal((await t.delete(kind.path("/a", "v2"))).code, 200);
});
converted("a list is converted", {}, async (kind, t) => {
  await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
  await kind.create({ metadata: { name: "b" }, spec: { size: 2 } }, "", { unrecorded: true });
  await t.get(kind.path("", "v2"));
  await t.get(kind.path());
});
converted("a watch is converted", {}, async (kind, t) => {
  const version = await kind.watchableFrom("v2");
  await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
  await t.patch("merge", kind.path("/a"), { spec: { size: 2 } }, { unrecorded: true });
  await t.delete(kind.path("/a"), undefined, { unrecorded: true });
  const path = `${kind.path("", "v2")}?watch=1&timeoutSeconds=60&resourceVersion=${version}`;
  await t.watch(path, (events) => events.length === 3);
});
converted("an apply in another version than that of storage", {}, async (kind, t) => {
  t.managedFields = true;
  const apply = (manager: string, version: string, spec: Plain) => {
    const path = `${kind.path("/a", version)}?fieldManager=${manager}`;
    return t.patch("apply", path, kind.object({ spec }, version));
  };
  await apply("one", "v2", { width: 1 });
  await apply("two", "v1", { other: "x" });
  await t.get(kind.path("/a"));
});
converted("a scale in another version than that of storage", {
  versions: VERSIONS.map((version) => {
    const path = `.${version.name === "v1" ? "spec.size" : "spec.width"}`;
    const scale = { specReplicasPath: path, statusReplicasPath: ".status.size" };
    return { ...version, subresources: { scale } };
  }),
}, async (kind, t) => {
  await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
  await t.get(kind.path("/a/scale", "v2"));
  await t.patch("merge", kind.path("/a/scale", "v2"), { spec: { replicas: 3 } });
  const { body } = await t.get(kind.path("/a"));
  assert.equal(body.spec.size, 3);
});
converted("an object in the version that it is stored in is not converted", {
  spoil: () => "no",
}, async (kind, t) => {
  assert.equal((await kind.create({ spec: { size: 1 } })).code, 201);
  assert.equal((await t.patch("merge", kind.path("/a"), { spec: { size: 2 } })).code, 200);
  assert.equal((await t.delete(kind.path("/a"))).code, 200);
});
converted("what is converted is pruned, and defaulted in the version of storage", {
  versions: [
    { ...VERSIONS[0], schema: { openAPIV3Schema: specSchema({ size: { type: "integer" } }) } },
    {
      ...VERSIONS[1],
      schema: {
        openAPIV3Schema: specSchema({
          width: { type: "integer" },
          other: { type: "string", default: "x" },
        }),
      },
    },
  ],
}, async (kind, t) => {
  await kind.create({ spec: { size: 1 } });
  await t.get(kind.path("/a", "v2"));
  await t.post(
    kind.path("", "v2"),
    kind.object({ metadata: { name: "b" }, spec: { width: 2 } }, "v2"),
  );
  await t.get(kind.path("/b"));
});
converted("a review of v1beta1", { reviews: ["v1beta1"] }, async (kind, t) => {
  await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
  assert.equal((await t.get(kind.path("/a", "v2"))).code, 200);
});
converted("labels and annotations may change, other metadata is kept", {
  spoil: (_, objects) => {
    for (const object of objects) {
      object.metadata = {
        ...object.metadata,
        labels: { converted: "yes" },
        annotations: { a: "b" },
        finalizers: ["example.com/none"],
        resourceVersion: "1",
        generation: 99,
      };
    }
  },
}, async (kind, t) => {
  const labels = { before: "yes" };
  await kind.create({ metadata: { labels }, spec: { size: 1 } }, "", { unrecorded: true });
  const { body } = await t.get(kind.path("/a", "v2"));
  assert.deepEqual(body.metadata.labels, { converted: "yes" });
  assert.equal(body.metadata.finalizers, undefined);
});

unusable("a conversion that fails says why", (review) => {
  review.response!.result = { status: "Failure", message: "cannot convert this" };
});
unusable("a conversion that fails and does not say why", (review) => {
  review.response!.result = { status: "Failure" };
});
unusable("an answer without a result", (review) => void (review.response!.result = {}));
unusable("an answer to another review", (review) => void (review.response!.uid = "other"));
unusable("a review without an answer", (review) => void delete review.response);
unusable("too few objects", (review) => void (review.response!.convertedObjects = []));
unusable("an object of another version", (_, [object]) => {
  object!.apiVersion = object!.apiVersion.replace("/v2", "/v1");
});
unusable("an object of another kind", (_, [object]) => void (object!.kind = "Bar"));
unusable("an object of another name", (_, [object]) => void (object!.metadata.name = "b"));
unusable("an object of another namespace", (_, [object]) => {
  object!.metadata.namespace = "other";
});
unusable("an object of another identity", (_, [object]) => void (object!.metadata.uid = "other"));
unusable("an object without metadata", (_, [object]) => {
  object!.metadata = {};
});
unusable("a label that is none", (_, [object]) => {
  object!.metadata.labels = { "a b": "c" };
});
unusable("labels that are no texts", (_, [object]) => {
  object!.metadata.labels = { a: 1 };
});
unusable("labels that are no map", (_, [object]) => void (object!.metadata.labels = "a"));
unusable("a review of another kind", (review) => void (review.kind = "AdmissionReview"));
unusable("a webhook that answers an error", () => "down", 500);
unusable("a webhook that is not found", () => "none", 404);

converted("a webhook that is not there", {
  clientConfig: ({ caBundle }) => ({ url: "https://127.0.0.1:1/convert", caBundle }),
}, async (kind, t) => {
  assert.equal((await kind.create({ spec: { size: 1 } })).code, 201);
  assert.equal((await t.get(kind.path("/a", "v2"))).code, 500);
  const created = await t.post(kind.path("", "v2"), kind.object({ metadata: { name: "b" } }, "v2"));
  assert.equal(created.code, 500);
  await t.patch("merge", kind.path("/a", "v2"), { spec: {} });
  await t.delete(kind.path("/a", "v2"));
});
converted("a webhook whose certificate nobody vouches for", {
  clientConfig: ({ url }) => ({ url }),
}, async (kind, t) => {
  await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
  assert.equal((await t.get(kind.path("/a", "v2"))).code, 500);
});
converted("a service that is not there", {
  clientConfig: ({ caBundle }) => ({
    service: { name: "none", namespace: "default", path: "/convert" },
    caBundle,
  }),
}, async (kind, t) => {
  await kind.create({ spec: { size: 1 } }, "", { unrecorded: true });
  assert.equal((await t.get(kind.path("/a", "v2"))).code, 500);
});
