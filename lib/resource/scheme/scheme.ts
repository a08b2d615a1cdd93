// Mirrors `runtime/scheme.go, Scheme`.
import * as meta from "@xca/apimachinery/meta";
import { isMap } from "@xca/apimachinery/internal/values";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject, ResourceType, UnstructuredObject } from "@xca/apimachinery/meta";
import { SchemeError } from "./scheme_error.ts";
import { SHORT_NAMES } from "./short_names.ts";

/** The `apiVersion` and `kind` of an object, by which a scheme finds the resource type. */
export interface KindName {
  /**
   * The API group and version to look up in the scheme, such as `apps/v1`; nothing is found if
   * absent.
   */
  readonly apiVersion?: string | undefined;
  /** The kind to look up in the scheme; nothing is found if absent. */
  readonly kind?: string | undefined;
}

/** A resource type that may have a CustomResourceDefinition, such as one from `defineResource`. */
interface KnownType extends ResourceType {
  readonly crd?: V1CustomResourceDefinition;
  readonly versions?: Readonly<Record<string, ResourceType>>;
}

/**
 * A resource type with the names in lower case (plural, singular, kind and short names) by which
 * users refer to it.
 */
interface Entry {
  readonly type: ResourceType;
  readonly names: ReadonlySet<string>;
}

/** Options of {@linkcode createScheme}, which creates a scheme of resource types. */
export interface SchemeOptions {
  /** Sets whether the scheme includes Kubernetes' built-in kinds. @default {true} */
  readonly builtin?: boolean;
}

/**
 * A registry of kinds: Kubernetes' own, and those of a program. A scheme finds resource types by
 * the names in objects, URLs and commands, and decodes manifests. {@linkcode createScheme} creates
 * a scheme.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Pod } from "@xca/operator";
 * import { createScheme, type Scheme } from "@xca/operator/resource";
 *
 * const scheme: Scheme = createScheme();
 * assert.equal(scheme.resource("", "v1", "pods"), Pod);
 * ```
 */
export class Scheme {
  readonly #entries: readonly Entry[];

  /**
   * Creates a scheme of resource types with all of their versions; of types with equal ids, the
   * first is used. Kubernetes' own types are not added; {@linkcode createScheme} adds them.
   */
  constructor(types: Iterable<ResourceType>) {
    const known = new Map<string, Entry>();
    for (const type of types as Iterable<KnownType>) {
      for (const each of [type, ...Object.values(type.versions ?? {})]) {
        if (known.has(each.id)) continue;
        known.set(each.id, { type: each, names: new Set(namesOf(each, type.crd)) });
      }
    }
    this.#entries = [...known.values()];
  }

  /**
   * The resource types of the scheme in the order in which they were given, each followed by the
   * other versions of its resource.
   */
  get types(): readonly ResourceType[] {
    return this.#entries.map(({ type }) => type);
  }

  /**
   * Returns the resource type of objects by their group, version and kind; undefined for an unknown
   * kind.
   */
  typeOf({ apiVersion, kind }: KindName): ResourceType | undefined {
    return this.#find(({ type }) => type.apiVersion === apiVersion && type.kind === kind);
  }

  /**
   * Returns a resource type by its group, version and plural, as in URLs; undefined for an unknown
   * plural.
   */
  resource(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#find(({ type }) =>
      type.group === group && type.version === version && type.plural === plural
    );
  }

  /**
   * Returns a resource type by a name as users of kubectl write it, in upper or lower case: the
   * plural, the singular, the kind or a short name, alone or with group (`deployments.apps`), or
   * with version and group (`deployments.v1.apps`); undefined for an unknown name. If several types
   * match, the first one is returned: Kubernetes' own come first, then the others in the order in
   * which they were given.
   */
  find(name: string): ResourceType | undefined {
    const wanted = name.toLowerCase();
    const [first = "", ...rest] = wanted.split(".");
    const qualifier = rest.join(".");
    return this.#find(({ type: { group, version }, names }) => {
      if (!names.has(first)) return false;
      const withVersion = group === "" ? version : `${version}.${group}`;
      return rest.length === 0 || qualifier === group || qualifier === withVersion;
    });
  }

  /**
   * Reports whether an object has the `apiVersion` and `kind` of a resource type, and narrows the
   * TypeScript type of the object.
   */
  is<T extends KubeObject>(type: ResourceType<T>, object: KubeObject): object is T {
    return object.apiVersion === type.apiVersion && object.kind === type.kind;
  }

  /**
   * Returns the objects in a text of YAML or JSON documents, in their order; empty documents are
   * left out, and a list, such as a `List` or `PodList`, is replaced by its items. The objects are
   * not validated by their schemas, which `validate` does.
   *
   * @throws {SchemeError} When the text is not YAML, or a document is not an object of a known kind
   * with metadata; the message has the position of the document.
   */
  async decode(text: string): Promise<UnstructuredObject[]> {
    const { parseDocuments } = await import("./parse_documents.ts");
    return parseDocuments(text).map(({ value, position }) => this.#known(value, position));
  }

  #known(value: unknown, position: string): UnstructuredObject {
    const fail = (why: string): never => {
      throw new SchemeError(`Cannot decode ${position}: ${why}`);
    };
    if (!isMap(value)) return fail("it is no object");
    const { apiVersion, kind, metadata } = value;
    if (typeof apiVersion !== "string" || typeof kind !== "string") {
      return fail("it has no apiVersion and kind");
    }
    if (!isMap(metadata)) return fail(`${kind} has no metadata`);
    if (this.typeOf({ apiVersion, kind })) return value as unknown as UnstructuredObject;
    const others = this.#entries.filter(({ type }) =>
      type.kind.toLowerCase() === kind.toLowerCase()
    )
      .map(({ type }) => `${type.apiVersion} ${type.kind}`);
    const known = others.length > 0
      ? `; known ${others.length === 1 ? "is" : "are"} ${others.join(", ")}`
      : "";
    return fail(`kind ${kind} of ${apiVersion} is unknown${known}`);
  }

  #find(says: (entry: Entry) => boolean): ResourceType | undefined {
    return this.#entries.find(says)?.type;
  }
}

/**
 * Creates a scheme of Kubernetes' own kinds, unless `builtin` is false, and the given ones, with
 * all of their versions. A given type with the id of one of Kubernetes' own is not used.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createScheme, defineResource, s } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   shortNames: ["lk"],
 *   spec: s.object({ holder: s.string() }),
 * });
 * const scheme = createScheme([Lock]);
 * assert.equal(scheme.find("deploy")?.id, "deployments.v1.apps");
 * assert.equal(scheme.find("lk")?.id, "locks.v1.example.org");
 *
 * const [object] = await scheme.decode(`
 * apiVersion: example.org/v1
 * kind: Lock
 * metadata: { name: a }
 * spec: { holder: me }
 * `);
 * assert(object && scheme.is(Lock, object));
 * assert.equal(object.spec.holder, "me");
 * ```
 */
export function createScheme(
  types: Iterable<ResourceType> = [],
  { builtin = true }: SchemeOptions = {},
): Scheme {
  return new Scheme([...builtin ? builtinTypes() : [], ...types]);
}

/**
 * Returns the resource types of Kubernetes' own kinds: first those of the core group, and the
 * current version of a kind before its older ones.
 */
function builtinTypes(): ResourceType[] {
  const exported: readonly unknown[] = Object.values(meta);
  const types = exported.filter((each): each is ResourceType =>
    isMap(each) && typeof each.plural === "string" && typeof each.id === "string"
  );
  // The core group first; otherwise in the order of the export names.
  return types.sort((a, b) => Number(b.group === "") - Number(a.group === ""));
}

function namesOf(
  { plural, kind, group }: ResourceType,
  crd?: V1CustomResourceDefinition,
): string[] {
  const { singular = kind.toLowerCase(), shortNames } = crd?.spec.names ?? {};
  const short = shortNames ?? SHORT_NAMES[group === "" ? plural : `${plural}.${group}`] ?? [];
  return [plural, kind.toLowerCase(), singular, ...short];
}
