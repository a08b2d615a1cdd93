import type { ApiServer } from "../../lib/apiserver/mod.ts";
import type { Random } from "../../lib/apimachinery/base/time/random.ts";
import type { HostileRequest } from "./known_requests.ts";
import {
  crd,
  type Json,
  list,
  manyConfigMaps,
  send,
  strings,
  untilServed,
} from "./server_calls.ts";

const NAMESPACE = "/api/v1/namespaces/default";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const OBJECTS = "/apis/hunt.example.org/v1/namespaces/default/things";
const PATCHES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** The source of random values for the requests of one run. */
class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A number up to `most`; small ones as often as large ones, by their digits. */
  size(most: number): number {
    return Math.max(1, Math.floor(most ** this.#random.next()));
  }

  /** A number near `most`. */
  large(most: number): number {
    return Math.max(1, Math.floor(most * (0.5 + this.#random.next() / 2)));
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random.next() * all.length)]!;
  }
}

type Make = (dice: Dice) => HostileRequest;

const nothing = (): Promise<void> => Promise.resolve();

/** The ways of being hostile; {@linkcode randomRequest} picks one. */
const FAMILIES: Readonly<Record<string, Make>> = {
  list(dice) {
    const count = dice.large(15_000);
    const query = dice.pick([
      "",
      "?labelSelector=app=app-7",
      "?labelSelector=app!=app-7",
      "?labelSelector=number in (1,2,3)",
      "?fieldSelector=metadata.name!=c1",
      "?limit=5000",
      "?labelSelector=app&limit=500",
      "?pretty=true",
    ]);
    const accept = dice.pick([
      "application/json",
      "application/yaml",
      "application/json;as=Table;g=meta.k8s.io;v=v1",
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
    ]);
    return {
      name: `list of ${count} objects ${query} as ${accept}`,
      prepare: (server) => manyConfigMaps(server, count),
      run: (server) => get(server, `${NAMESPACE}/configmaps${query}`, accept),
    };
  },

  watch(dice) {
    const count = dice.large(8000);
    const watches = dice.size(60);
    const query = dice.pick([
      "resourceVersion=0",
      "resourceVersion=0&labelSelector=app=app-3",
      "resourceVersion=0&labelSelector=app!=app-3",
      "resourceVersion=PAST",
      "resourceVersion=PAST&labelSelector=number=7",
    ]);
    return {
      name: `${watches} watches over ${count} objects, ${query}`,
      prepare: (server) => manyConfigMaps(server, count),
      run: (server) => Promise.all(list(watches, () => watchOnce(server, query))),
    };
  },

  deletion(dice) {
    const count = dice.large(8000);
    const query = dice.pick([
      "",
      "?dryRun=All",
      "?labelSelector=app=app-1",
      "?propagationPolicy=Foreground",
    ]);
    return {
      name: `deletecollection of ${count} objects ${query}`,
      prepare: (server) => manyConfigMaps(server, count),
      run: (server) => send(server, "DELETE", `${NAMESPACE}/configmaps${query}`),
    };
  },

  namespace(dice) {
    const count = dice.large(8000);
    return {
      name: `deletion of a namespace with ${count} objects`,
      prepare: (server) => manyConfigMaps(server, count),
      async run(server) {
        await send(server, "DELETE", NAMESPACE, undefined, undefined, 403);
        await send(server, "DELETE", `${NAMESPACE}/configmaps`);
      },
    };
  },

  configMap(dice) {
    const keys = dice.large(20_000);
    const type = dice.pick(["application/json", "application/yaml"]);
    const body = configMap("large", keys);
    const how = dice.pick(["POST", "PUT", "twice"]);
    return {
      name: `${how} of a ConfigMap with ${keys} keys as ${type}`,
      prepare: nothing,
      async run(server) {
        if (how !== "PUT") await send(server, "POST", `${NAMESPACE}/configmaps`, body, type);
        if (how === "POST") return;
        await send(server, "PUT", `${NAMESPACE}/configmaps/large`, body, type, 404);
      },
    };
  },

  patch(dice) {
    const keys = dice.large(15_000);
    const kind = dice.pick(["json", "merge", "strategic", "apply"] as const);
    const { metadata: _, ...rest } = configMap("patched", keys);
    const body = kind === "json"
      ? list(Math.min(keys, 9999), (i) => ({ op: "add", path: `/data/k${i}`, value: "changed" }))
      : { ...rest, metadata: { name: "patched" } };
    const manager = kind === "apply" ? "?fieldManager=hunter&force=true" : "";
    return {
      name: `${kind} patch of a ConfigMap with ${keys} keys`,
      prepare: (server) => send(server, "POST", `${NAMESPACE}/configmaps`, configMap("patched", 5)),
      async run(server) {
        const path = `${NAMESPACE}/configmaps/patched${manager}`;
        await send(server, "PATCH", path, body, PATCHES[kind]);
        await send(server, "PATCH", path, body, PATCHES[kind]);
      },
    };
  },

  pod(dice) {
    const containers = dice.large(400);
    const variables = dice.size(40);
    const kind = dice.pick(["create", "strategic", "apply"] as const);
    const body = pod(containers, variables);
    return {
      name: `${kind} of a pod with ${containers} containers of ${variables} variables`,
      prepare: nothing,
      async run(server) {
        const path = `${NAMESPACE}/pods`;
        if (kind !== "apply") await send(server, "POST", path, body);
        if (kind === "create") return;
        const query = kind === "apply" ? "?fieldManager=hunter" : "";
        await send(server, "PATCH", `${path}/large${query}`, body, PATCHES[kind], 422);
      },
    };
  },

  definition(dice) {
    const fields = dice.large(5000);
    const kind = dice.pick(["plain", "rules", "defaults", "enums", "deep", "patterns"]);
    return {
      name: `a definition of ${fields} fields with ${kind}`,
      prepare: nothing,
      run: (server) => send(server, "POST", CRDS, crd("things", schemaOf(kind, fields)), "", 422),
    };
  },

  rule(dice) {
    const items = dice.large(20_000);
    const rule = dice.pick([
      "self.all(x, x.size() < 90)",
      "self.exists(x, x == 'none')",
      "self.map(x, x + 'y').size() > 0",
      "self.all(x, self.exists_one(y, x == y))",
      "self.filter(x, x.matches('^s[0-9]+$')).size() >= 0",
    ]);
    const listSchema = {
      type: "array",
      maxItems: 100,
      items: { type: "string", maxLength: 10 },
      "x-kubernetes-validations": [{ rule }],
    };
    const body = thing(strings(Math.min(items, 100), "s"));
    return {
      name: `the rule ${rule}`,
      prepare: (server) => define(server, listSchema),
      run: (server) => send(server, "POST", OBJECTS, body, undefined, 422),
    };
  },

  items(dice) {
    const items = dice.large(30_000);
    const type = dice.pick(["atomic", "set", "map"]);
    const asObjects = type === "map";
    const listSchema = {
      type: "array",
      "x-kubernetes-list-type": type,
      ...(asObjects && { "x-kubernetes-list-map-keys": ["name"] }),
      items: asObjects
        ? { type: "object", required: ["name"], properties: { name: { type: "string" } } }
        : { type: "string" },
    };
    const values = strings(items, "s").map((name) => asObjects ? { name } : name);
    const how = dice.pick(["create", "apply", "merge"] as const);
    return {
      name: `${how} of a custom object with a list of type ${type} of ${items} items`,
      prepare: (server) => define(server, listSchema),
      async run(server) {
        if (how === "apply") {
          const path = `${OBJECTS}/large?fieldManager=hunter`;
          return await send(server, "PATCH", path, thing(values), PATCHES.apply);
        }
        await send(server, "POST", OBJECTS, thing(values));
        if (how === "create") return;
        const patch = { spec: { list: values.slice(1) } };
        await send(server, "PATCH", `${OBJECTS}/large`, patch, PATCHES.merge);
      },
    };
  },

  documents(dice) {
    const definitions = dice.size(150);
    const path = dice.pick(["/openapi/v2", "/openapi/v3", "/apis", "/apis/hunt.example.org/v1"]);
    const accept = dice.pick([
      "application/json",
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    ]);
    return {
      name: `GET ${path} with ${definitions} definitions as ${accept}`,
      async prepare(server) {
        for (const plural of strings(definitions, "things")) {
          await send(server, "POST", CRDS, crd(plural, schemaOf("plain", 60)));
        }
      },
      run: (server) => get(server, path, accept),
    };
  },
};

/** Returns a request that may be hostile. */
export function randomRequest(random: Random): HostileRequest {
  const dice = new Dice(random);
  return dice.pick(Object.values(FAMILIES))(dice);
}

async function get(server: ApiServer, path: string, accept: string): Promise<void> {
  const request = new Request(`https://x${path}`, { headers: { accept } });
  const answer = await server.fetch(request);
  for await (const _ of answer.body ?? []);
}

async function watchOnce(server: ApiServer, query: string): Promise<void> {
  const asked = query.replace("PAST", String(200));
  const path = `${NAMESPACE}/configmaps?watch=1&timeoutSeconds=2&${asked}`;
  const answer = await server.fetch(new Request(`https://x${path}`));
  const reader = answer.body!.getReader();
  await reader.read();
  await reader.cancel();
}

function configMap(name: string, keys: number): Json & { metadata: Json } {
  const data = Object.fromEntries(strings(keys, "key").map((key) => [key, `value of ${key}`]));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

function pod(containers: number, variables: number): Json {
  const env = strings(variables, "VARIABLE_").map((name) => ({ name, value: "value" }));
  const each = strings(containers, "c").map((name) => ({ name, image: "image:1", env }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "large" },
    spec: { containers: each },
  };
}

function thing(values: readonly unknown[]): Json {
  return {
    apiVersion: "hunt.example.org/v1",
    kind: "Things",
    metadata: { name: "large" },
    spec: { list: values },
  };
}

function schemaOf(kind: string, fields: number): Json {
  if (kind === "deep") {
    let schema: Json = { type: "string" };
    for (let depth = 0; depth < Math.min(fields, 300); depth++) {
      schema = { type: "object", properties: { [`f${depth}`]: schema } };
    }
    return { type: "object", properties: { spec: schema } };
  }
  const extra: Readonly<Record<string, Json>> = {
    rules: { maxLength: 9, "x-kubernetes-validations": [{ rule: "self.startsWith('a')" }] },
    defaults: { default: "text" },
    enums: { enum: strings(20, "one") },
    patterns: { pattern: "^[a-z]+(-[a-z]+)*$" },
  };
  const count = kind === "plain" ? fields : Math.min(fields, 1500);
  const properties = Object.fromEntries(
    strings(count, "field").map((name) => [name, { type: "string", ...extra[kind] }]),
  );
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

/** Creates the definition of the kind, and waits until it is served. */
async function define(server: ApiServer, listSchema: Json): Promise<void> {
  const properties = { spec: { type: "object", properties: { list: listSchema } } };
  await send(server, "POST", CRDS, crd("things", { type: "object", properties }));
  await untilServed(server, OBJECTS);
}
