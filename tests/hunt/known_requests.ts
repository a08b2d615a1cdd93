import type { ApiServer } from "../../lib/apiserver/mod.ts";
import {
  crd,
  type Json,
  list,
  manyConfigMaps,
  send,
  strings,
  untilServed,
} from "./server_calls.ts";

/** A request that would hold the event loop if the server answered it in one piece. */
export interface HostileRequest {
  readonly name: string;
  /** Creates the state that the request needs; not measured. */
  readonly prepare: (server: ApiServer) => Promise<void>;
  readonly run: (server: ApiServer) => Promise<unknown>;
}

const NAMESPACE = "/api/v1/namespaces/default";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const ofStrings: Json = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        list: { type: "array", maxItems: 100_000, items: { type: "string", maxLength: 100 } },
      },
    },
  },
};

function withRule(schema: Json, rule: string): Json {
  const copy = structuredClone(schema) as typeof ofStrings;
  const spec = (copy.properties as Record<string, Json>).spec!;
  const items = ((spec.properties as Record<string, Json>).list!).items as Json;
  return (items["x-kubernetes-validations"] = [{ rule }], copy);
}

const listMap: Json = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        list: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, value: { type: "string" } },
          },
        },
      },
    },
  },
};

/** A definition of about a megabyte. */
function largeDefinition(): Json {
  const properties = Object.fromEntries(
    strings(9000, "field").map((name) => [name, {
      type: "string",
      description: `What is said of ${name}, so that it is as long as such texts are. `,
    }]),
  );
  return crd("larges", { type: "object", properties: { spec: { type: "object", properties } } });
}

const MILLION = 1_000_000;

/** Returns a request that creates an object of a built-in kind, with the code of its answer. */
function creation(
  name: string,
  resource: string,
  body: Json | string,
  code: number,
): HostileRequest {
  const type = typeof body === "string" ? "application/yaml" : "application/json";
  return {
    name,
    prepare: () => Promise.resolve(),
    run: (server) => send(server, "POST", `${NAMESPACE}/${resource}`, body, type, code),
  };
}

function withMetadata(metadata: Json): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "many", ...metadata } };
}

function quota(quantity: string): Json {
  return {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "long" },
    spec: { hard: { pods: quantity } },
  };
}

/** Returns a request that creates a custom object with a spec that its schema refuses. */
function refusedObject(name: string, properties: Json, spec: Json): HostileRequest {
  return {
    name,
    async prepare(server) {
      const schema = { type: "object", properties: { spec: { type: "object", properties } } };
      await send(server, "POST", CRDS, crd("refused", schema));
      await untilServed(server, objects("refused"));
    },
    run: (server) => {
      const head = { apiVersion: "hunt.example.org/v1", kind: "Refused", metadata: { name: "a" } };
      return send(server, "POST", objects("refused"), { ...head, spec }, undefined, 422);
    },
  };
}

/** Requests with one very long part, or with very many that are mostly invalid. */
const MANY_PARTS: readonly HostileRequest[] = [
  creation("a quantity of a million digits", "resourcequotas", quota("1".repeat(MILLION)), 201),
  creation(
    "a quantity with a million digits after the point",
    "resourcequotas",
    quota(`0.${"1".repeat(MILLION)}`),
    422,
  ),
  creation("a name of 2 MB", "configmaps", withMetadata({ name: "a-".repeat(MILLION) }), 422),
  creation(
    "40 000 invalid labels",
    "configmaps",
    withMetadata({
      labels: Object.fromEntries(strings(40_000, "/").map((key) => [key, "!"])),
    }),
    422,
  ),
  creation(
    "20 000 owners",
    "configmaps",
    withMetadata({
      ownerReferences: strings(20_000, "owner").map((name) => ({
        apiVersion: "v1",
        kind: "Pod",
        name,
        uid: name,
      })),
    }),
    201,
  ),
  creation(
    "a YAML number of a million digits",
    "configmaps",
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: long}\nx: ${"1".repeat(MILLION)}\n`,
    400,
  ),
  creation("Endpoints of 20 000 addresses", "endpoints", {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "many" },
    subsets: [{
      addresses: list(20_000, (i) => ({ ip: `10.0.${i >> 8}.${i & 255}` })),
      ports: [{ port: 1 }],
    }],
  }, 201),
  refusedObject("a pattern that a text of 1 MB does not match", {
    text: { type: "string", maxLength: 3 * MILLION, pattern: "^([a-z]+[0-9]*)*$" },
  }, { text: `${"abc1".repeat(MILLION / 4)}!` }),
  refusedObject("40 000 invalid items of a list-map", {
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a", "b"],
      items: {
        type: "object",
        required: ["a", "b"],
        properties: { a: { type: "string" }, b: { type: "string" } },
      },
    },
  }, { list: list(40_000, (i) => ({ a: i, b: 1 })) }),
];

/** The requests that were once found to hold the loop, each with its size of then. */
export const KNOWN_REQUESTS: readonly HostileRequest[] = [
  {
    name: "deletecollection of 40 000 objects",
    prepare: (server) => manyConfigMaps(server, 40_000),
    run: (server) => send(server, "DELETE", `${NAMESPACE}/configmaps`),
  },
  {
    name: "a selector over 12 000 objects",
    prepare: (server) => manyConfigMaps(server, 12_000),
    run: (server) => send(server, "GET", `${NAMESPACE}/configmaps?labelSelector=number=7`),
  },
  {
    name: "40 watches with selectors over 12 000 objects, opened at once",
    prepare: (server) => manyConfigMaps(server, 12_000),
    run: async (server) => {
      const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan" +
        "&allowWatchBookmarks=true&timeoutSeconds=5&labelSelector=number%20in%20";
      const open = async (number: number): Promise<void> => {
        const path = `${NAMESPACE}/configmaps?${query}(${number},x)`;
        const answer = await server.fetch(new Request(`https://x${path}`));
        const reader = answer.body!.getReader();
        const { value } = await reader.read();
        if (!value) throw new Error(`Watch ${number} ended before its first event`);
        await reader.cancel();
      };
      await Promise.all(list(40, open));
    },
  },
  {
    name: "100 000 strings under a rule",
    prepare: (server) =>
      send(server, "POST", CRDS, crd("texts", withRule(ofStrings, "self.size() < 90"))),
    run: (server) =>
      send(server, "POST", "/apis/hunt.example.org/v1/namespaces/default/texts", {
        apiVersion: "hunt.example.org/v1",
        kind: "Texts",
        metadata: { name: "many" },
        spec: { list: strings(100_000, "s") },
      }),
  },
  {
    name: "an apply of a list-map of 8 000 items",
    prepare: (server) => send(server, "POST", CRDS, crd("maps", listMap)),
    run: async (server) => {
      const path = "/apis/hunt.example.org/v1/namespaces/default/maps/many?fieldManager=";
      const body = (value: string): Json => ({
        apiVersion: "hunt.example.org/v1",
        kind: "Maps",
        metadata: { name: "many" },
        spec: { list: strings(8000, "item").map((name) => ({ name, value })) },
      });
      const type = "application/apply-patch+yaml";
      await send(server, "PATCH", `${path}one`, body("a"), type);
      await send(server, "PATCH", `${path}two&force=true`, body("b"), type);
      await send(server, "PATCH", `${path}one&force=true`, body("c"), type);
    },
  },
  {
    name: "a JSON patch of 9 999 operations",
    prepare: (server) => send(server, "POST", `${NAMESPACE}/configmaps`, configMap("patched")),
    run: (server) =>
      send(
        server,
        "PATCH",
        `${NAMESPACE}/configmaps/patched`,
        list(9999, (i) => ({ op: "add", path: `/data/key${i}`, value: `value ${i}` })),
        "application/json-patch+json",
      ),
  },
  {
    name: "a definition of 1 MB",
    prepare: () => Promise.resolve(),
    run: (server) => send(server, "POST", CRDS, largeDefinition()),
  },
  {
    name: "a chain of 20 calls of optMap",
    prepare: () => Promise.resolve(),
    run: (server) => {
      const rule = `optional.of(self)${".optMap(x, x)".repeat(20)}.hasValue()`;
      return send(server, "POST", CRDS, crd("chains", withRule(ofStrings, rule)), undefined, 422);
    },
  },
  {
    name: "OpenAPI with 447 definitions",
    prepare: async (server) => {
      for (const plural of strings(447, "openapi")) {
        await send(server, "POST", CRDS, crd(plural, withFields(60)));
      }
    },
    run: async (server) => {
      await send(server, "GET", "/openapi/v2");
      await send(server, "GET", "/openapi/v3/apis/hunt.example.org/v1");
    },
  },
  {
    name: "a YAML body of 700 KB",
    prepare: () => Promise.resolve(),
    run: (server) => {
      const entries = strings(17_000, "key").map((key) =>
        `  ${key}: a value of twenty characters\n`
      );
      const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata:\n${
        entries.join("")
      }`;
      return send(server, "POST", `${NAMESPACE}/configmaps`, body, "application/yaml");
    },
  },
  {
    name: "a validating policy at its cost limit",
    prepare: (server) => definePolicy(server, {}),
    run: (server) =>
      send(server, "POST", `${NAMESPACE}/configmaps`, keysOf("policy", 900), "", 422),
  },
  {
    name: "matchConditions at their cost limit",
    prepare: (server) =>
      definePolicy(server, {
        matchConditions: strings(5, "condition").map((name) => ({ name, expression: COSTLY })),
        validations: [{ expression: "true" }],
      }),
    run: (server) =>
      send(server, "POST", `${NAMESPACE}/configmaps`, keysOf("conditions", 900), "", 422),
  },
  {
    name: "an update of a status of 100 000 strings under a rule",
    prepare: async (server) => {
      const { properties } = withRule(ofStrings, "self.size() < 90");
      const schema = { type: "object", properties: { status: (properties as Json)["spec"] } };
      const definition = crd("statuses", schema) as { spec: { versions: Json[] } };
      definition.spec.versions[0]!["subresources"] = { status: {} };
      await send(server, "POST", CRDS, definition);
      await untilServed(server, objects("statuses"));
      await send(server, "POST", objects("statuses"), {
        apiVersion: "hunt.example.org/v1",
        kind: "Statuses",
        metadata: { name: "many" },
      });
    },
    run: (server) =>
      send(
        server,
        "PATCH",
        `${objects("statuses")}/many/status`,
        { status: { list: strings(100_000, "s") } },
        "application/merge-patch+json",
      ),
  },
  {
    name: "a pattern on 300 000 characters",
    prepare: async (server) => {
      const text = { type: "string", pattern: "^([a-z]+-?[0-9]*)+$" };
      const spec = { type: "object", properties: { text } };
      const schema = { type: "object", properties: { spec } };
      await send(server, "POST", CRDS, crd("patterns", schema));
      await untilServed(server, objects("patterns"));
    },
    run: (server) =>
      send(server, "POST", objects("patterns"), {
        apiVersion: "hunt.example.org/v1",
        kind: "Patterns",
        metadata: { name: "many" },
        spec: { text: "abc-12".repeat(50_000) },
      }),
  },
  {
    name: "a printer column with 5 recursive descents over 60 levels",
    prepare: (server) => {
      const spec = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`);
      return prepareColumn(server, ".spec..a..a..a..a..a..b", spec);
    },
    run: (server) => readTable(server, objects("columns")),
  },
  {
    name: "a printer column with 5 recursive descents over 200 000 values",
    prepare: (server) => {
      const spec = Object.fromEntries(list(200, (i) => [`k${i}`, list(500, (j) => [j])]));
      return prepareColumn(server, ".spec..*..*..*..*..*..b", spec);
    },
    run: (server) => readTable(server, objects("columns")),
  },
  ...MANY_PARTS,
  {
    name: "20 Table watches that missed 4 000 events",
    prepare: (server) => manyConfigMaps(server, 4000),
    run: async (server) => {
      const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
      const { metadata } = await readJson(server, `${NAMESPACE}/configmaps?limit=1`);
      const since = Number((metadata as Json)["resourceVersion"]) - 3990;
      const path = `${NAMESPACE}/configmaps?watch=1&timeoutSeconds=5&resourceVersion=${since}`;
      const open = async (): Promise<void> => {
        const request = new Request(`https://x${path}`, { headers: { accept } });
        const reader = (await server.fetch(request)).body!.getReader();
        for (let i = 0; i < 3000; i++) await reader.read();
        await reader.cancel();
      };
      await Promise.all(list(20, open));
    },
  },
];

function withFields(count: number): Json {
  const fields = strings(count, "field").map((name) => [name, { type: "string" }]);
  const spec = { type: "object", properties: Object.fromEntries(fields) };
  return { type: "object", properties: { spec } };
}

/** Creates a kind with a printer column, and an object of the kind. */
async function prepareColumn(server: ApiServer, jsonPath: string, spec: Json): Promise<void> {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const definition = crd("columns", schema) as { spec: { versions: Json[] } };
  const column = { name: "column", type: "string", jsonPath };
  definition.spec.versions[0]!["additionalPrinterColumns"] = [column];
  await send(server, "POST", CRDS, definition);
  await untilServed(server, objects("columns"));
  await send(server, "POST", objects("columns"), {
    apiVersion: "hunt.example.org/v1",
    kind: "Columns",
    metadata: { name: "one" },
    spec,
  });
}

async function readTable(server: ApiServer, path: string): Promise<void> {
  const headers = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
  const answer = await server.fetch(new Request(`https://x${path}`, { headers }));
  for await (const _ of answer.body ?? []);
}

function configMap(name: string): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { key: "value" } };
}

/** An expression that reaches the CEL cost limit of a million on a ConfigMap of 900 keys. */
const COSTLY = "object.data.all(a, object.data.exists(b, a == b) || a == 'none')";

function objects(plural: string): string {
  return `/apis/hunt.example.org/v1/namespaces/default/${plural}`;
}

function keysOf(name: string, count: number): Json {
  const data = Object.fromEntries(strings(count, "key").map((key) => [key, "value"]));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

/** Creates a ValidatingAdmissionPolicy for ConfigMaps with its binding. */
async function definePolicy(server: ApiServer, spec: Json): Promise<void> {
  const group = "/apis/admissionregistration.k8s.io/v1";
  const rule = {
    operations: ["*"],
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["configmaps"],
  };
  await send(server, "POST", `${group}/validatingadmissionpolicies`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "costly" },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: list(11, () => ({ expression: COSTLY })),
      ...spec,
    },
  });
  await send(server, "POST", `${group}/validatingadmissionpolicybindings`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "costly" },
    spec: { policyName: "costly", validationActions: ["Deny"] },
  });
}

async function readJson(server: ApiServer, path: string): Promise<Json> {
  return await (await server.fetch(new Request(`https://x${path}`))).json();
}
