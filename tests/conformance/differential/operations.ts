/**
 * What a sequence does, as data: it can be printed, cut down, kept and played again. Texts in angle
 * brackets are filled in when it is played: `<namespace>`, `<version of 3>` (the resourceVersion that
 * operation 3 answered with), `<uid of 3>`.
 *
 * @module
 */
import type { Chance, Fields } from "./chance.ts";
import type { RandomKind } from "./kinds.ts";

/** One request of a sequence. */
export interface Operation {
  /** What `<version of ...>` refers to: the place in the sequence as it was made. */
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
}

type Request = Omit<Operation, "id" | "client">;

const NAMES = ["a", "b"];

/** Makes sequences over some kinds. */
export class OperationMaker {
  readonly #chance: Chance;
  readonly #kinds: readonly RandomKind[];
  #made = 0;

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
    return { id: this.#made++, client: chance.below(3), ...operation };
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
      case "update":
        return {
          method: "PUT",
          path: this.#itemPath(kind, name),
          query: this.#writeQuery(),
          body: this.#object(kind, name, true),
        };
      case "merge":
        return this.#patch(kind, name, "merge-patch+json", this.#partial(kind));
      case "strategic":
        return this.#patch(kind, name, "strategic-merge-patch+json", this.#partial(kind));
      case "json":
        return this.#patch(kind, name, "json-patch+json", this.#jsonPatch());
      case "apply":
        return this.#patch(kind, name, "apply-patch+yaml", this.#object(kind, name), {
          fieldManager: chance.pick(["applier", "other"]),
          ...(chance.happens(0.3) && { force: "true" }),
        });
      case "get":
        return { method: "GET", path: this.#itemPath(kind, name), query: this.#readQuery() };
      case "list":
        return {
          method: "GET",
          path: collection(kind),
          query: { ...this.#readQuery(), ...this.#selectors(kind) },
        };
      case "delete":
        return {
          method: "DELETE",
          path: itemOf(kind, name),
          query: chance.happens(0.1) ? { dryRun: "All" } : {},
          ...(chance.happens(0.6) && { body: this.#deleteOptions() }),
        };
      case "deletecollection":
        return { method: "DELETE", path: collection(kind), query: this.#selectors(kind) };
    }
  }

  #patch(
    kind: RandomKind,
    name: string,
    type: string,
    body: unknown,
    query: Record<string, string> = {},
  ): Request {
    return {
      method: "PATCH",
      path: this.#itemPath(kind, name),
      type: `application/${type}`,
      query: { ...this.#writeQuery(), ...query },
      body,
    };
  }

  #itemPath(kind: RandomKind, name: string): string {
    const item = itemOf(kind, name);
    const subresource = kind.subresources.length > 0 && this.#chance.happens(0.2)
      ? this.#chance.pick(kind.subresources)
      : undefined;
    return subresource === undefined ? item : `${item}/${subresource}`;
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
        managedFields: () => [],
      }, 0.04),
      ...(update && chance.happens(0.5) && { resourceVersion: this.#version() }),
      ...(chance.happens(0.4) && {
        labels: { app: chance.pick(["web", "db"]), "xca-run": "<run>" },
      }),
    };
  }

  /** Part of an object, with `null` here and there. */
  #partial(kind: RandomKind): Fields {
    const chance = this.#chance;
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
        "/spec/ports/0/port",
        "/status",
        "/odd/path",
        "",
      ]);
      return {
        op: chance.pick(["add", "add", "replace", "remove", "test", "copy", "move", "odd"]),
        path,
        ...chance.fields({
          value: () => chance.pick<unknown>(["x", 1, { app: "web" }, null, ["y"]]),
          from: () => "/metadata/labels",
        }, 0.8),
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
  "delete",
  "deletecollection",
] as const;
type Verb = typeof VERBS[number];

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

/** Takes fields away, makes some `null`, and puts directives of strategic merge patches in. */
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
