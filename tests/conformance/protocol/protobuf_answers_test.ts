import assert from "node:assert/strict";
import { ApiServer } from "../../../lib/apiserver/server.ts";
import { decodeProtobuf } from "../../../lib/apiserver/decode/protobuf/decode_protobuf.ts";
import { encodeProtobuf } from "../../../lib/apiserver/decode/protobuf/encode_protobuf.ts";
import { definitionIn, specSchema } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import { until } from "../../support/until.ts";

const conformance = conformanceSuite(import.meta.url);

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const METADATA = `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
const METADATA_LIST = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
const UNRECORDED = { unrecorded: true };

/** Records an answer in protobuf, read. */
async function read(t: Target, path: string, accept = PROTOBUF): Promise<Answer> {
  const answer = await t.get(path, { headers: { Accept: accept }, asBytes: true, ...UNRECORDED });
  const type = answer.headers.get("content-type");
  const body = type === PROTOBUF
    ? decodeProtobuf(answer.body)
    : new TextDecoder().decode(answer.body);
  t.exchanges.push({ request: `GET ${path}`, code: answer.code, body: [type, body] });
  return answer;
}

const POD = {
  metadata: {
    name: "a",
    labels: { app: "a" },
    annotations: { note: "ü" },
    finalizers: ["example.com/f"],
    ownerReferences: [{
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "owner",
      uid: "00000000-0000-0000-0000-000000000001",
      controller: false,
    }],
  },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{
      name: "c",
      image: "i",
      resources: { limits: { cpu: "100m", memory: "1Gi" } },
      ports: [{ containerPort: 80, name: "http" }],
      livenessProbe: { httpGet: { path: "/", port: "http" } },
      readinessProbe: { tcpSocket: { port: 80 } },
      securityContext: { runAsUser: 0, privileged: false },
    }],
    volumes: [{ name: "v", emptyDir: { sizeLimit: "1Mi" } }],
  },
};

const SECRET = { metadata: { name: "a" }, immutable: false, data: { a: "AAEC/w==", empty: "" } };

conformance("objects in protobuf", async (t) => {
  t.managedFields = true;
  for (const [plural, object] of Object.entries({ pods: POD, secrets: SECRET })) {
    const created = await t.post(t.path(`${plural}?fieldManager=m`), object, UNRECORDED);
    assert.equal(created.code, 201, JSON.stringify(created.body));
    await read(t, t.path(`${plural}/a`));
    await read(t, t.path(`${plural}/nope`));
    await read(t, t.path(plural));
    await read(t, t.path(`${plural}/a`), METADATA);
    await read(t, t.path(plural), METADATA_LIST);
  }
  await read(t, t.path("configmaps?limit=x"));
});

conformance("definitions of kinds in protobuf", async (t) => {
  const group = `${t.unique("protobuf", "group")}.example.com`;
  const schema = specSchema({
    size: { type: "integer", minimum: 1, default: 3 },
    names: { type: "array", items: { type: "string" }, default: ["a"] },
    any: { type: "object", additionalProperties: true },
    some: { type: "object", additionalProperties: { type: "number", maximum: 1.5 } },
  });
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await t.post(path, definitionIn(group, { plural: "things", schema }), UNRECORDED);
  const things = `/apis/${group}/v1/namespaces/${t.namespace}/things`;
  await until(
    async () => (await t.get(things, UNRECORDED)).code === 200,
    `that ${things} is there`,
  );
  const answer = await t.get(`${path}/things.${group}`, {
    headers: { Accept: PROTOBUF },
    asBytes: true,
    ...UNRECORDED,
  });
  const { spec } = decodeProtobuf(answer.body);
  t.exchanges.push({ request: `GET ${path}/things`, code: answer.code, body: spec });
  await t.post(things, {
    apiVersion: `${group}/v1`,
    kind: "Thing",
    metadata: { name: "a", labels: { a: "b" } },
    spec: {},
  }, UNRECORDED);
  await read(t, `${things}/a`, METADATA);
  await read(t, things, METADATA_LIST);
  await read(
    t,
    `${things}/a`,
    `${METADATA},application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1`,
  );
  await t.delete(`${path}/things.${group}`, undefined, UNRECORDED);
});

/** The events of a watch in protobuf: each with its length before it. */
function eventsOf(bytes: Uint8Array): unknown[] {
  const events: unknown[] = [];
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 4 + view.getUint32(at)) {
    // An event is no object of its own: it is read as an admission's message of the same shape.
    const event = bytes.subarray(at + 4, at + 4 + view.getUint32(at));
    const typeLength = event[1]!;
    const type = new TextDecoder().decode(event.subarray(2, 2 + typeLength));
    const magic = new TextDecoder("latin1").decode(event).indexOf("k8s\0");
    events.push({ type, object: decodeProtobuf(event.subarray(magic)) });
  }
  return events;
}

for (
  const [what, accept, query] of [
    ["objects", PROTOBUF, "resourceVersion=0"],
    ["metadata", METADATA, "resourceVersion=0"],
    [
      "a bookmark",
      PROTOBUF,
      "sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan",
    ],
  ] as const
) {
  conformance(`a watch in protobuf: ${what}`, async (t) => {
    await t.post(t.path("configmaps"), { metadata: { name: "a" }, data: { a: "b" } }, UNRECORDED);
    await t.untilFresh(t.path("configmaps"));
    const path = `${t.path("configmaps")}?watch=1&timeoutSeconds=1&${query}`;
    const answer = await t.get(path, { headers: { Accept: accept }, asBytes: true, ...UNRECORDED });
    t.exchanges.push({
      request: `WATCH ${path}`,
      code: answer.code,
      body: [answer.headers.get("content-type"), eventsOf(answer.body)],
    });
  });
}

conformance("a refused watch in protobuf", async (t) => {
  await read(t, t.path("configmaps?watch=1&resourceVersion=x"));
});

Deno.test("a watch in protobuf reports that its version is too old", async () => {
  using server = await ApiServer.start({ controllers: false });
  await server.seed("{ apiVersion: v1, kind: Namespace, metadata: { name: a } }");
  server.compact();
  const answer = await server.fetch(
    new Request("https://x/api/v1/namespaces?watch=1&resourceVersion=1", {
      headers: { Accept: PROTOBUF },
    }),
  );
  const [event] = eventsOf(await answer.bytes()) as { type: string; object: { code: number } }[];
  assert.deepEqual([event!.type, event!.object.code], ["ERROR", 410]);
});

Deno.test("an object written in protobuf is read back", () => {
  for (
    const object of [
      { kind: "Pod", apiVersion: "v1", ...POD },
      { kind: "Secret", apiVersion: "v1", ...SECRET },
      {
        kind: "Event",
        apiVersion: "events.k8s.io/v1",
        metadata: { name: "e", creationTimestamp: "2026-01-02T03:04:05Z" },
        eventTime: "2026-01-02T03:04:05.000678Z",
      },
      {
        kind: "SubjectAccessReview",
        apiVersion: "authorization.k8s.io/v1",
        spec: { user: "a", extra: { scopes: ["a", "b"] } },
      },
    ]
  ) {
    assert.deepEqual(decodeProtobuf(encodeProtobuf(object)), object);
  }
});

Deno.test("a kind without a protobuf message is refused", () => {
  assert.throws(() => encodeProtobuf({ apiVersion: "example.com/v1", kind: "Thing" }), RangeError);
});
