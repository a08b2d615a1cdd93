/**
 * The operations of a sequence, as data, so that a sequence can be printed, shortened, kept and
 * repeated. Texts in angle brackets are replaced during the run: `<namespace>`, `<version of 3>`
 * (the resourceVersion in the response to operation 3), `<uid of 3>`.
 *
 * @module
 */
import type { Chance, Fields } from "./chance.ts";
import type { RandomKind } from "./kinds.ts";
import { binding, eviction, partialScale, scale } from "./subresources.ts";

/** One request of a sequence. */
export interface Operation {
  /** The number to which `<version of ...>` refers: the position in the generated sequence. */
  readonly id: number;
  /** Which of the clients sends it: its `User-Agent`, and so its field manager. */
  readonly client: number;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body?: unknown;
  /** `Accept`, where it is not JSON. */
  readonly accept?: string;
  /** Reports whether the body is sent as YAML. */
  readonly yaml?: boolean;
}

type Request = Omit<Operation, "id" | "client">;

const NAMES = ["a", "b"];

/** A generator of sequences over some kinds. */
export class OperationMaker {
  readonly #chance: Chance;
  readonly #kinds: readonly RandomKind[];
  #made = 0;
  /** The lists that were requested in pages. */
  readonly #paged: { readonly id: number; readonly request: Request }[] = [];

  constructor(chance: Chance, kinds: readonly RandomKind[]) {
    this.#chance = chance;
    this.#kinds = kinds;
  }

  /** The next operation. */
  next(): Operation {
    const chance = this.#chance;
    const kind = chance.pick(this.#kinds);
    // What is not there cannot be changed.
    const verb = chance.happens(1 / (1 + this.#made)) ? "create" : chance.pick(VERBS);
    const operation = this.#make(kind, verb);
    return {
      id: this.#made++,
      client: chance.below(3),
      ...operation,
      ...this.#form(operation),
    };
  }

  /** Returns another format of the body or of the response for some requests. */
  #form({ method, type, body }: Request): Partial<Request> {
    const chance = this.#chance;
    const form: { yaml?: boolean; type?: string; accept?: string } = {};
    if (body !== undefined && chance.happens(0.1)) {
      if (type?.endsWith("+yaml")) form.yaml = true;
      if (method === "POST" || method === "PUT") {
        form.yaml = true;
        form.type = "application/yaml";
      }
    }
    if (chance.happens(0.06)) form.accept = chance.pick(method === "GET" ? FORMS : FORMS_OF_ONE);
    return form;
  }

  #make(kind: RandomKind, verb: Verb): Request {
    const chance = this.#chance;
    const name = chance.pick(NAMES);
    switch (verb) {
      case "create":
        return {
          method: "POST",
          path: collection(kind),
          query: this.#writeQuery(),
          body: this.#object(kind, name),
        };
      case "update": {
        const item = this.#item(kind, name);
        return {
          method: "PUT",
          path: item.path,
          query: this.#writeQuery(),
          body: this.#whole(item, true),
        };
      }
      case "merge":
      case "strategic": {
        const item = this.#item(kind, name);
        const type = verb === "merge" ? "merge-patch+json" : "strategic-merge-patch+json";
        return this.#patch(item, type, this.#partial(item));
      }
      case "json":
        return this.#patch(this.#item(kind, name), "json-patch+json", this.#jsonPatch());
      case "apply": {
        const item = this.#item(kind, name);
        return this.#patch(item, "apply-patch+yaml", this.#whole(item), {
          fieldManager: chance.pick(["applier", "other"]),
          ...(chance.happens(0.3) && { force: "true" }),
        });
      }
      case "get":
        return { method: "GET", path: this.#item(kind, name).path, query: this.#readQuery() };
      case "list":
        return this.#list(kind);
      case "delete":
        return {
          method: "DELETE",
          path: itemOf(kind, name),
          query: {
            ...(chance.happens(0.1) && { dryRun: "All" }),
            ...(chance.happens(0.1) && this.#deleteQuery()),
          },
          ...(chance.happens(0.6) && { body: this.#deleteOptions() }),
        };
      case "deletecollection":
        return {
          method: "DELETE",
          path: collection(kind),
          query: { ...this.#selectors(kind), ...(chance.happens(0.15) && { dryRun: "All" }) },
          ...(chance.happens(0.3) && { body: this.#deleteOptions() }),
        };
      case "action":
        return kind.plural === "pods" ? this.#podAction(kind, name) : this.#misplaced(kind, name);
    }
  }

  /** A list, or the next page of one. */
  #list(kind: RandomKind): Request {
    const chance = this.#chance;
    if (this.#paged.length > 0 && chance.happens(0.4)) {
      const { id, request } = chance.pick(this.#paged);
      const { resourceVersion: _1, resourceVersionMatch: _2, ...query } = request.query!;
      const next = { ...request, query: { ...query, continue: `<continue of ${id}>` } };
      if (chance.happens(0.7)) this.#paged.push({ id: this.#made, request: next });
      return next;
    }
    const { limit, ...query } = this.#readQuery();
    const request: Request = {
      method: "GET",
      path: collection(kind),
      // Where a page of all that is on the server ends depends on what others made.
      query: {
        ...query,
        ...(limit !== undefined && kind.namespaced && { limit }),
        ...this.#selectors(kind),
      },
    };
    if (request.query!.limit !== undefined) this.#paged.push({ id: this.#made, request });
    return request;
  }

  #podAction(kind: RandomKind, name: string): Request {
    const chance = this.#chance;
    const named = chance.happens(0.95) ? name : "other";
    const [subresource, body] = chance.happens(0.5)
      ? ["eviction", eviction(named, chance.happens(0.5) ? this.#deleteOptions() : undefined)]
      : ["binding", binding(chance, named, this.#metadata(false))];
    return {
      method: "POST",
      path: `${itemOf(kind, name)}/${subresource}`,
      query: this.#writeQuery(),
      body,
    };
  }

  /** A method, a resource or a media type that is not for this place. */
  #misplaced(kind: RandomKind, name: string): Request {
    const item = itemOf(kind, name);
    return this.#chance.pick<() => Request>([
      () => ({ method: "POST", path: item, body: this.#object(kind, name) }),
      () => ({ method: "PUT", path: collection(kind), body: this.#object(kind, name) }),
      () => ({ method: "PATCH", path: item, type: "application/json", body: {} }),
      () => ({ method: "POST", path: collection(kind), type: "text/plain", body: {} }),
      () => ({ method: "GET", path: `${item}/odd` }),
      () => ({ method: "GET", path: collection({ ...kind, plural: "odds" }) }),
      () => ({ method: "GET", path: item, accept: "text/plain" }),
      () => ({ method: "DELETE", path: `${item}/status` }),
      () => ({
        method: "PATCH",
        path: collection(kind),
        type: "application/merge-patch+json",
        body: {},
      }),
      () => ({ method: "PUT", path: item, body: [] }),
      () => ({ method: "POST", path: collection(kind), body: "text" }),
    ])();
  }

  #patch(
    item: Item,
    type: string,
    body: unknown,
    query: Record<string, string> = {},
  ): Request {
    return {
      method: "PATCH",
      path: item.path,
      type: `application/${type}`,
      query: { ...this.#writeQuery(), ...query },
      body,
    };
  }

  /** An object or a subresource of it. */
  #item(kind: RandomKind, name: string): Item {
    const path = itemOf(kind, name);
    const subresource = kind.subresources.length > 0 && this.#chance.happens(0.2)
      ? this.#chance.pick(kind.subresources)
      : undefined;
    return {
      kind,
      name,
      path: subresource === undefined ? path : `${path}/${subresource}`,
      scaled: subresource === "scale" && this.#chance.happens(0.9),
    };
  }

  #whole({ kind, name, scaled }: Item, update = false): Fields {
    if (!scaled) return this.#object(kind, name, update);
    const chance = this.#chance;
    return scale(chance, {
      name: chance.happens(0.97) ? name : "other",
      ...(chance.happens(0.3) && this.#metadata(update)),
    });
  }

  #object(kind: RandomKind, name: string, update = false): Fields {
    const chance = this.#chance;
    return {
      apiVersion: chance.happens(0.98) ? kind.apiVersion : "v9",
      kind: chance.happens(0.98) ? kind.kind : "Odd",
      metadata: {
        name: placed(kind, chance.happens(0.97) ? name : chance.pick(["Not_OK", "", "other"])),
        ...this.#metadata(update),
      },
      ...kind.content(chance),
    };
  }

  #metadata(update: boolean): Fields {
    const chance = this.#chance;
    return {
      ...chance.fields({
        labels: () =>
          chance.fields({
            app: () => chance.pick(["web", "db", ""]),
            tier: () => chance.pick(["front", "no good!"]),
          }, 0.6),
        annotations: () =>
          chance.fields({ note: () => chance.pick(["x", ""]), "Not OK": () => "x" }, 0.4),
        finalizers: () => chance.pick([["example.com/hold"], ["odd"], []]),
        ownerReferences: () => [{
          apiVersion: "v1",
          kind: "ConfigMap",
          name: "owner",
          uid: chance.pick(["11111111-1111-1111-1111-111111111111", ""]),
          ...chance.fields({ controller: () => true, blockOwnerDeletion: () => true }),
        }],
        generateName: () => "gen-",
        namespace: () => chance.pick(["<namespace>", "<namespace>", "other"]),
        resourceVersion: () => this.#version(),
        uid: () => this.#uid(),
        generation: () => 7,
        creationTimestamp: () => chance.pick(["2020-01-01T00:00:00Z", null]),
        deletionTimestamp: () => "2020-01-01T00:00:00Z",
        deletionGracePeriodSeconds: () => 5,
        managedFields: () => chance.pick([[], [], [{}], [managedEntry(chance)]]),
      }, 0.04),
      ...(update && chance.happens(0.5) && { resourceVersion: this.#version() }),
      ...(chance.happens(0.4) && {
        labels: { app: chance.pick(["web", "db"]), "xca-run": "<run>" },
      }),
    };
  }

  /** Part of an object, with `null` here and there. */
  #partial({ kind, scaled }: Item): Fields {
    const chance = this.#chance;
    if (scaled) return partialScale(chance);
    const partial: Fields = {
      ...(chance.happens(0.4) && { metadata: this.#metadata(true) }),
      ...(chance.happens(0.7) && kind.content(chance)),
    };
    return dig(partial, chance, kind.strategic) as Fields;
  }

  #jsonPatch(): unknown {
    const chance = this.#chance;
    if (chance.happens(0.03)) return { op: "add" };
    return chance.list(3, () => {
      const path = chance.pick([
        "/metadata/labels",
        "/metadata/labels/app",
        "/metadata/labels/none",
        "/metadata/annotations/a~1b",
        "/metadata/name",
        "/metadata/finalizers/-",
        "/data/a",
        "/spec/size",
        "/spec/replicas",
        "/spec/items/0",
        "/spec/items/-",
        "/spec/containers/0/image",
        "/spec/template/spec/containers/0/image",
        "/spec/template/metadata/labels/app",
        "/spec/ports/0/port",
        "/spec/tags/-",
        "/spec/points/0/weight",
        "/metadata/annotations",
        "/metadata/managedFields",
        "/metadata/ownerReferences/0",
        "/status",
        "/odd/path",
        "",
      ]);
      return {
        op: chance.pick(["add", "add", "replace", "remove", "test", "copy", "move", "odd"]),
        path,
        ...chance.fields({
          value: () => chance.pick<unknown>(["x", 1, { app: "web" }, null, ["y"], {}, []]),
          from: () => "/metadata/labels",
        }, 0.8),
        // Without a value for the whole document kube-apiserver panics.
        ...(path === "" && { value: { kind: "Odd" } }),
      };
    });
  }

  #writeQuery(): Record<string, string> {
    const chance = this.#chance;
    return chance.fields({
      fieldManager: () => chance.pick(["alice", "bob", ""]),
      fieldValidation: () => chance.pick(["Strict", "Warn", "Ignore", "Odd"]),
      dryRun: () => chance.pick(["All", "Odd"]),
    }, 0.12) as Record<string, string>;
  }

  #readQuery(): Record<string, string> {
    const chance = this.#chance;
    return chance.fields({
      resourceVersion: () => chance.pick(["0", this.#version(), "odd"]),
      resourceVersionMatch: () => chance.pick(["Exact", "NotOlderThan", "Odd"]),
      limit: () => chance.pick(["1", "2", "x"]),
    }, 0.12) as Record<string, string>;
  }

  #selectors(kind: RandomKind): Record<string, string> {
    const chance = this.#chance;
    return {
      // What else is on the server would show in a list over the whole of it.
      ...(!kind.namespaced && { labelSelector: "xca-run=<run>" }),
      ...(kind.namespaced && chance.fields({
        labelSelector: () =>
          chance.pick(["app=web", "app!=web", "app in (web,db)", "!app", "a b", "tier"]),
        fieldSelector: () =>
          chance.pick([
            "metadata.name=a",
            "metadata.name!=a",
            "status.phase=Pending",
            "type=Opaque",
            "spec.mode=fast",
            "odd=1",
          ]),
      }, 0.25)),
    } as Record<string, string>;
  }

  #deleteOptions(): Fields {
    const chance = this.#chance;
    return {
      kind: "DeleteOptions",
      apiVersion: "v1",
      ...chance.fields({
        gracePeriodSeconds: () => chance.pick([0, 5, -1]),
        propagationPolicy: () => chance.pick(["Foreground", "Background", "Orphan", "Odd"]),
        orphanDependents: () => true,
        preconditions: () =>
          chance.fields({ uid: () => this.#uid(), resourceVersion: () => this.#version() }, 0.6),
      }, 0.3),
    };
  }

  /** Options of a deletion in its query, where they count for less than those in its body. */
  #deleteQuery(): Record<string, string> {
    const chance = this.#chance;
    return chance.fields({
      gracePeriodSeconds: () => chance.pick(["0", "5", "x"]),
      propagationPolicy: () => chance.pick(["Foreground", "Orphan", "Odd"]),
      orphanDependents: () => chance.pick(["true", "false"]),
    }, 0.5) as Record<string, string>;
  }

  #version(): string {
    return this.#made === 0 ? "1" : `<version of ${this.#chance.below(this.#made)}>`;
  }

  #uid(): string {
    return this.#made === 0 ? "odd" : `<uid of ${this.#chance.below(this.#made)}>`;
  }
}

const VERBS = [
  ...Array<"create">(6).fill("create"),
  ...Array<"update">(4).fill("update"),
  ...Array<"merge">(3).fill("merge"),
  ...Array<"strategic">(3).fill("strategic"),
  ...Array<"json">(3).fill("json"),
  ...Array<"apply">(5).fill("apply"),
  ...Array<"get">(2).fill("get"),
  ...Array<"list">(2).fill("list"),
  ...Array<"delete">(2).fill("delete"),
  "deletecollection",
  "action",
] as const;
type Verb = typeof VERBS[number];

const FORMS_OF_ONE = [
  "application/yaml",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
];
const FORMS = [
  ...FORMS_OF_ONE,
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
];

/** Forms of a watch. */
export const WATCH_FORMS: readonly string[] = [
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "application/yaml",
];

/** Returns an entry of managed fields as a client sends it, sometimes an invalid one. */
function managedEntry(chance: Chance): Fields {
  return {
    manager: chance.pick(["alice", "somebody", ""]),
    operation: chance.mostly(["Update", "Apply", "Odd"]),
    apiVersion: chance.mostly(["v1", "apps/v1", "differential.example.com/v1", "v9"]),
    time: "2020-01-01T00:00:00Z",
    fieldsType: chance.mostly(["FieldsV1", "Odd"]),
    fieldsV1: chance.mostly<Fields>([
      { "f:metadata": { "f:labels": { "f:app": {} } } },
      { "f:data": { ".": {}, "f:a": {} }, "f:spec": { "f:size": {} } },
      {},
      { "odd": {} },
    ]),
  };
}

/** The target of an operation: an object, or one of its subresources. */
interface Item {
  readonly kind: RandomKind;
  readonly name: string;
  readonly path: string;
  /** Reports whether the resource is written as a Scale. */
  readonly scaled: boolean;
}

/** The path of a kind's collection. */
export function collection({ apiVersion, plural, namespaced }: RandomKind): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced ? `${root}/namespaces/<namespace>/${plural}` : `${root}/${plural}`;
}

function itemOf(kind: RandomKind, name: string): string {
  return `${collection(kind)}/${placed(kind, name)}`;
}

/** Names of cluster-scoped objects carry the run's. */
function placed(kind: RandomKind, name: string): string {
  return kind.namespaced || name === "" ? name : `${name}-<run>`;
}

/** Removes fields, sets some to `null`, and inserts directives of strategic merge patches. */
function dig(value: unknown, chance: Chance, strategic: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => dig(item, chance, strategic));
    return strategic && chance.happens(0.05) ? [{ $patch: "replace" }, ...items] : items;
  }
  if (value === null || typeof value !== "object") return value;
  const dug: Fields = {};
  for (const [field, inner] of Object.entries(value)) {
    if (chance.happens(0.15)) continue;
    dug[field] = chance.happens(0.06) ? null : dig(inner, chance, strategic);
  }
  if (strategic && chance.happens(0.04)) {
    dug.$patch = chance.pick(["delete", "replace", "merge", "odd"]);
  }
  return dug;
}
