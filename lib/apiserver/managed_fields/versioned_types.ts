/**
 * Converts objects between the API versions of their field managers, with the merge rules of each.
 *
 * Mirrors `managedfields/internal/versionconverter.go, versionConverter`.
 *
 * @module
 */
import { apiVersionOf } from "../machinery/keys.ts";
import { type ApiObject, cloneJson } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import type { TypeSchema } from "../machinery/type_schema.ts";
import { TypedError } from "./typed/typed_error.ts";
import { validateTyped } from "./typed/validate_typed.ts";
import { DEDUCED, type MergeType, mergeTypeOf } from "./typed/merge_type.ts";

/**
 * A function that returns the row of a resource in another API version; `undefined` if that version
 * is not served.
 */
export type VersionFinder = (apiVersion: string) => ApiResource | undefined;

/** An object with the API version that it is written in. */
export interface VersionedObject {
  readonly apiVersion: string;
  readonly object: ApiObject;
}

/**
 * The converter of one resource's objects between their API versions, with the merge rules of each
 * version.
 */
export class VersionedTypes {
  readonly #resource: ApiResource;
  readonly #find: VersionFinder;
  readonly #schema: TypeSchema | undefined;

  constructor(resource: ApiResource, schema: TypeSchema | undefined, find: VersionFinder) {
    this.#resource = resource;
    this.#schema = schema;
    this.#find = find;
  }

  /**
   * Returns the merge rules of the resource in an API version; `undefined` if the resource is not
   * served in that version.
   */
  type(apiVersion: string): MergeType | undefined {
    if (apiVersion === apiVersionOf(this.#resource)) return typeOf(this.#schema);
    const row = this.#find(apiVersion);
    // Events exist in a second group, but kube-apiserver drops their managers of that group.
    return row?.group === this.#resource.group ? typeOf(row.schema()) : undefined;
  }

  /**
   * Throws an error if the definition of a custom resource does not name an API version; accepts
   * all versions of a built-in resource.
   *
   * @throws {TypedError}
   */
  checkDefined(apiVersion: string): void {
    const { definedVersions } = this.#resource;
    if (!definedVersions || definedVersions.has(apiVersion)) return;
    if (apiVersion === apiVersionOf(this.#resource)) return;
    const message = `request to convert CR to an invalid group/version: ${apiVersion}`;
    throw new TypedError([{ path: "", message }]);
  }

  /**
   * Returns an object converted to an API version; the object itself if it has this version. Of a
   * custom object only the `apiVersion` changes, and the object is checked against the schema of
   * that version. If a webhook converts the resource, neither the webhook nor the check runs.
   *
   * @throws {TypedError} If the object does not match the schema of that version.
   */
  convert({ apiVersion, object }: VersionedObject, to: string): ApiObject {
    if (apiVersion === to) return object;
    const row = this.#find(apiVersion) ?? this.#resource;
    if (row.customResourceDefinition !== undefined) {
      const custom = { ...object, apiVersion: to };
      if (!row.convertsByWebhook) validateTyped(custom, this.type(to)!);
      return custom;
    }
    const version = to.slice(to.indexOf("/") + 1);
    const converted = row.convert?.([cloneJson(object)], version);
    if (converted === undefined || converted instanceof Promise) {
      return { ...object, apiVersion: to };
    }
    return converted[0]!;
  }
}

const objectMeta = new WeakMap<MergeType, MergeType>();

/**
 * Returns the merge rules of whole objects, whose metadata are those of all objects, regardless of
 * a custom schema.
 */
function typeOf(schema: TypeSchema | undefined): MergeType {
  const type = schema ? mergeTypeOf(schema) : DEDUCED;
  const { map } = type;
  if (!map || map.field("metadata")?.map?.declares("managedFields")) return type;
  let whole = objectMeta.get(type);
  if (whole === undefined) {
    const deduced = map.deduced;
    whole = {
      ...type,
      map: {
        atomic: map.atomic,
        deduced,
        declares: (name) => isTypeField(name) && !deduced || map.declares(name),
        field: (name) => deduced ? map.field(name) : typeField(name) ?? map.field(name),
      },
    };
    objectMeta.set(type, whole);
  }
  return whole;
}

function isTypeField(name: string): boolean {
  return name === "metadata" || name === "apiVersion" || name === "kind";
}

function typeField(name: string): MergeType | undefined {
  if (name === "metadata") return mergeTypeOf(OBJECT_META);
  return isTypeField(name) ? { scalar: "string" } : undefined;
}

const STRING: TypeSchema = { type: "string" };
const STRINGS: TypeSchema = { type: "object", values: STRING };
const TIME: TypeSchema = { type: "string", format: "date-time" };

const OBJECT_META: TypeSchema = {
  type: "object",
  fields: {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    selfLink: STRING,
    uid: STRING,
    resourceVersion: STRING,
    generation: { type: "integer", format: "int64" },
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: { type: "integer", format: "int64" },
    labels: STRINGS,
    annotations: STRINGS,
    ownerReferences: {
      type: "array",
      listType: "map",
      mapKeys: ["uid"],
      items: {
        type: "object",
        mapType: "atomic",
        fields: {
          apiVersion: STRING,
          kind: STRING,
          name: STRING,
          uid: STRING,
          controller: { type: "boolean" },
          blockOwnerDeletion: { type: "boolean" },
        },
      },
    },
    finalizers: { type: "array", listType: "set", items: STRING },
    managedFields: { type: "array", listType: "atomic", items: { type: "any" } },
  },
};
