// Mirrors `runtime/serializer/versioning/versioning.go, codec.Decode`.
import { type NestedSteps, runAll, runNested } from "@xca/apimachinery/internal/base";
import {
  badRequest,
  isStackOverflow,
  nestedTooDeep,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { noteEmptyMaps } from "../machinery/empty_maps.ts";
import type { ResourceRow } from "../machinery/resource.ts";
import { BuiltinType } from "../types/builtin_type.ts";
import { structType } from "../types/builtin_type.ts";
import { packageOfVersion } from "../types/type_facts.ts";
import {
  type BodyKind,
  bodyTypeOf,
  groupVersionText,
  kindOf,
  noKind,
  parseBodyInSteps,
  type ParsedBody,
  summaryOf,
} from "./body.ts";
import { complete } from "./complete.ts";
import { isObject } from "./custom_value.ts";
import { GoDecoder } from "./go_decoder.ts";
import { plainJson, RawObject } from "./raw_json.ts";
import { TypeMismatch } from "./type_mismatch.ts";

/**
 * The request body to decode, with the options of decoding: the input of {@linkcode decodeObject}.
 */
export interface DecodeInput {
  readonly bytes: Uint8Array;
  /** The `Content-Type` header of the request; empty if there is none. */
  readonly contentType: string;
  /** The resource whose object the request body contains. */
  readonly resource: ResourceRow;
  /**
   * The kind of the request body if it is not that of the resource, such as the kind `Scale` of a
   * subresource.
   *
   * @default {the resource's group, version and kind}
   */
  readonly kind?: BodyKind;
  /**
   * Further versions in which the kind is accepted, such as `policy/v1beta1`. The decoded object
   * has the expected version.
   *
   * @default {[]}
   */
  readonly acceptedVersions?: readonly string[];
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  /**
   * A function that receives the warnings about unknown and repeated fields of the request body if
   * `fieldValidation` is `Warn`.
   */
  readonly warn: (text: string) => void;
}

/**
 * Decodes the object of a request body, without defaults. A built-in object is checked against its
 * type, its quantities and times become canonical, and its empty fields are left out or set to
 * their zero value as the type defines it. A custom object is pruned and normalized by
 * {@linkcode ResourceRow.coerce}.
 *
 * @throws {StatusError} 400 if the body cannot be decoded, or has unknown or repeated fields under
 * strict `fieldValidation`; 415 for an unsupported media type.
 */
export function decodeObject(input: DecodeInput): ApiObject {
  return runAll(decodeInSteps(input));
}

/**
 * Decodes the object of a request body as {@linkcode decodeObject} does, in steps, between which
 * other work may run.
 */
export function* decodeInSteps(input: DecodeInput): Generator<void, ApiObject> {
  const { bytes, resource } = input;
  const expected = input.kind ?? resource;
  const type = bodyTypeOf(input.contentType);
  let body: ParsedBody;
  let named: BodyKind;
  try {
    body = yield* parseBodyInSteps(bytes, type);
    yield;
    named = kindOf(body.tree);
  } catch (error) {
    throw unrecognized(expected.kind, error, bytes);
  }
  yield;
  return resource.customResourceDefinition !== undefined && input.kind === undefined
    ? yield* decodeCustomResource(input, body, named)
    : yield* decodeBuiltin(input, body, withDefaults(named, expected), expected);
}

function unrecognized(kind: string, error: unknown, bytes: Uint8Array): StatusError {
  if (error instanceof StatusError) return error;
  if (isStackOverflow(error)) return nestedTooDeep();
  const { message } = error as Error;
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${message} (${
      summaryOf(bytes)
    })`,
  );
}

function cannotBe(named: BodyKind, kind: string, message: string): StatusError {
  return badRequest(
    `${named.kind} in version "${named.version}" cannot be handled as a ${kind}: ${message}`,
  );
}

/**
 * Returns the group, version and kind that a request body names, completed from the kind that the
 * request expects: an absent kind is taken from it, and the group and version are if the body names
 * no version and no other group.
 */
function withDefaults(named: BodyKind, expected: BodyKind): BodyKind {
  const kind = named.kind === "" ? expected.kind : named.kind;
  if (named.version !== "" || (named.group !== "" && named.group !== expected.group)) {
    return { ...named, kind };
  }
  return { group: expected.group, version: expected.version, kind };
}

function* decodeBuiltin(
  input: DecodeInput,
  { tree, duplicates }: ParsedBody,
  named: BodyKind,
  expected: BodyKind,
): Generator<void, ApiObject> {
  const strict = input.fieldValidation !== "Ignore";
  const decoder = new GoDecoder(strict);
  let object: ApiObject;
  let decoded: unknown;
  try {
    if (named.version === "") {
      throw new Error(`Object 'apiVersion' is missing in '${textOf(input.bytes)}'`);
    }
    const type = typeOf(named, expected);
    decoded = decoder.decode(type, tree) ?? {};
    yield;
    object = complete(type, decoded) as ApiObject;
    yield;
    // Completing drops empty lists, but an empty list of managed fields resets all field managers.
    const reset = (decoded as Partial<ApiObject>).metadata?.managedFields?.length === 0;
    if (reset) object.metadata.managedFields = [];
    refuseOtherKind(named, expected, type);
  } catch (error) {
    if (error instanceof StatusError || isStackOverflow(error)) throw error;
    throw cannotBe(named, expected.kind, (error as Error).message);
  }
  if (strict) tellStrict(input, named, expected.kind, duplicates, [...decoder.strictErrors]);
  if (named.group !== expected.group || named.version !== expected.version) {
    const version = groupVersionText(named);
    if (!input.acceptedVersions?.includes(version)) throw otherVersion(version, expected);
  }
  const whole: ApiObject = {
    kind: expected.kind,
    apiVersion: groupVersionText(expected),
    ...withoutKind(object),
  };
  noteEmptyMaps(whole, decoded);
  return whole;
}

function withoutKind({ kind: _1, apiVersion: _2, ...rest }: ApiObject): ApiObject {
  return rest;
}

function otherVersion(named: string, expected: BodyKind): StatusError {
  return badRequest(
    `the API version in the data (${named}) does not match the expected API version ` +
      `(${groupVersionText(expected)})`,
  );
}

/**
 * The groups that kube-apiserver serves from separate Go schemes, which do not know the kinds of
 * the other groups.
 */
const APART = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

function typeOf(named: BodyKind, expected: BodyKind): BuiltinType {
  const type = lookUp(named);
  const apart = APART.has(named.group) || APART.has(expected.group);
  if (type?.fields?.kind && (!apart || named.group === expected.group)) return type;
  // A known version that is not served is decoded like the served one, and then rejected.
  const served = named.group === expected.group && named.kind === expected.kind &&
    UNSERVED[named.group]?.includes(named.version);
  if (!served) throw noKind(named);
  return lookUp(expected)!;
}

function lookUp({ group, version, kind }: BodyKind): BuiltinType | undefined {
  return structType(`${packageOfVersion(group, version)}.${kind}`) ??
    (META_KINDS.has(kind) ? structType(`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`) : undefined);
}

/** The kinds of `meta.k8s.io` that every group has, such as `DeleteOptions`. */
const META_KINDS = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "WatchEvent",
]);

/**
 * The versions of built-in groups that kube-apiserver can decode but does not serve by default, by
 * group.
 */
const UNSERVED: Readonly<Record<string, readonly string[]>> = {
  "admissionregistration.k8s.io": ["v1alpha1", "v1beta1"],
  apps: ["v1beta1", "v1beta2"],
  "authentication.k8s.io": ["v1alpha1", "v1beta1"],
  "authorization.k8s.io": ["v1beta1"],
  autoscaling: ["v2beta1", "v2beta2"],
  batch: ["v1beta1"],
  "certificates.k8s.io": ["v1alpha1", "v1beta1"],
  "coordination.k8s.io": ["v1alpha2", "v1beta1"],
  "discovery.k8s.io": ["v1beta1"],
  "events.k8s.io": ["v1beta1"],
  "networking.k8s.io": ["v1beta1"],
  "node.k8s.io": ["v1alpha1", "v1beta1"],
  policy: ["v1beta1"],
  "rbac.authorization.k8s.io": ["v1alpha1", "v1beta1"],
  "resource.k8s.io": ["v1alpha3", "v1beta1", "v1beta2"],
  "scheduling.k8s.io": ["v1alpha1", "v1beta1"],
  "storage.k8s.io": ["v1alpha1", "v1beta1"],
};

function refuseOtherKind(named: BodyKind, expected: BodyKind, type: BuiltinType): void {
  if (named.group === expected.group && named.kind === expected.kind) return;
  const internal = `${internalPackage(expected.group)}.${expected.kind}`;
  throw new Error(`converting (${type.goName}) to (${internal}): unknown conversion`);
}

function internalPackage(group: string): string {
  if (group === "" || group === "events.k8s.io") return "core";
  return group.split(".")[0]!;
}

function* decodeCustomResource(
  input: DecodeInput,
  { tree, duplicates }: ParsedBody,
  named: BodyKind,
): Generator<void, ApiObject> {
  const { resource, bytes } = input;
  if (named.kind === "") {
    const error = new Error(`Object 'Kind' is missing in '${textOf(bytes)}'`);
    throw unrecognized(resource.kind, error, bytes);
  }
  const object = plainObject(tree, named, resource.kind);
  yield;
  const dropped = resource.coerce ? yield* resource.coerce(object) : [];
  yield;
  if (input.fieldValidation !== "Ignore") {
    const unknown = dropped.map((path) => `unknown field ${JSON.stringify(path)}`);
    const errors = [...repeatedKeys(tree), ...unknown];
    tellStrict(input, named, resource.kind, duplicates, errors);
  }
  if (named.group !== resource.group || named.version !== resource.version) {
    throw otherVersion(groupVersionText(named), resource);
  }
  return object;
}

function plainObject(tree: unknown, named: BodyKind, kind: string): ApiObject {
  try {
    return plainJson(tree) as ApiObject;
  } catch (error) {
    throw error instanceof TypeMismatch ? cannotBe(named, kind, error.message) : error;
  }
}

/** Returns the messages of strict decoding about repeated keys of a JSON body, 100 at most. */
function repeatedKeys(tree: unknown): string[] {
  const errors = new Set<string>();
  const visit = function* (value: unknown, path: string): NestedSteps<void> {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield visit(item, `${path}[${index}]`);
    } else if (isObject(value) && value instanceof RawObject) {
      const seen = new Set<string>();
      for (const [key, inner] of value.members) {
        const at = path === "" ? key : `${path}.${key}`;
        if (seen.has(key)) errors.add(`duplicate field ${JSON.stringify(at)}`);
        seen.add(key);
        if (typeof inner === "object") yield visit(inner, at);
      }
    }
  };
  if (tree instanceof RawObject) runAll(runNested(visit(tree, "")));
  return [...errors].slice(0, 100);
}

function tellStrict(
  { fieldValidation, warn }: DecodeInput,
  named: BodyKind,
  kind: string,
  duplicates: readonly string[],
  errors: readonly string[],
): void {
  if (duplicates.length + errors.length === 0) return;
  if (fieldValidation === "Warn") {
    for (const text of [...duplicates, ...errors]) warn(text);
    return;
  }
  const yaml = duplicates.length === 0
    ? []
    : [`yaml: unmarshal errors:\n${duplicates.map((each) => `  ${each}`).join("\n")}`];
  throw cannotBe(named, kind, `strict decoding error: ${[...yaml, ...errors].join(", ")}`);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
