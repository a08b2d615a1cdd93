// Mirrors `mutating/patch/smd.go, ApplyStructuredMergeDiff` and `mutating/patch/json_patch.go,
// jsonPatcher.Patch`.
import { groupVersionText, kindOf } from "../../decode/body.ts";
import { decodeObject } from "../../decode/decode_object.ts";
import { apiVersionOf } from "../../machinery/keys.ts";
import { mergeObjects } from "../../managed_fields/typed/merge.ts";
import { DEDUCED, type MergeType } from "../../managed_fields/typed/merge_type.ts";
import { validateTyped } from "../../managed_fields/typed/validate_typed.ts";
import { VersionedTypes } from "../../managed_fields/versioned_types.ts";
import { type ApiObject, goQuote, isMap, type JsonObject } from "@xca/apimachinery/internal/values";
import { internalError, isNestedTooDeep, StatusError } from "@xca/apimachinery/internal/errors";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import type { JsonPatchOperation } from "../../patch/json/json_patch_operation.ts";
import { applyEach, asDecoded, OTHER_KIND, withoutPrefix } from "../webhooks/webhook_patch.ts";
import type { AdmissionPorts } from "../ports.ts";
import { MutationError, type Patch } from "./mutations.ts";

/** The resource and the subresource of an object that a policy changes. */
interface Place extends Pick<RequestContext<ApiResource>, "resource" | "subresource"> {
  /** The function that finds the served API resource of a kind. */
  readonly resourceOfKind: AdmissionPorts["resourceOfKind"];
}

/**
 * Applies the patch of a MutatingAdmissionPolicy to an object, decodes the result as an object of
 * its kind, and sets defaults. Returns the result; for a JSON patch whose `test` operation fails,
 * the unchanged object. A JSON patch may change the `apiVersion` of a custom object to another
 * served version, in which the result then is.
 *
 * @throws {MutationError} If the patch does not apply.
 *
 * @throws {StatusError} If the result is not an object of the kind: 500 for a JSON patch, 400 for
 * an apply configuration.
 */
export function applyPatch(object: ApiObject, patch: Patch, place: Place): ApiObject {
  if ("configuration" in patch) return configured(object, patch.configuration, place);
  const { operations } = patch;
  let patched: unknown;
  try {
    patched = applyQuoted(object, operations);
  } catch (error) {
    if (isNestedTooDeep(error)) throw error;
    const { message } = error as Error;
    // A failed `test` operation acts as a false condition: the object is not changed.
    if (message.endsWith("test failed")) return object;
    throw new MutationError(`JSON Patch: ${message}`, { cause: error });
  }
  if (place.resource.customResourceDefinition !== undefined) {
    return decoded(() => asDecoded(patched, { ...place, resource: namedVersion(patched, place) }));
  }
  checkKind(patched, place);
  return decoded(() => asDecoded(patched, place, "Strict"));
}

/**
 * Applies JSON patch operations to an object, and returns the result. kube-apiserver passes the
 * texts of an operation to its JSON patch library as Go's `strconv.Quote` writes them, which is no
 * JSON for most control characters.
 *
 * @throws {Error} If an operation does not apply, with the message of Go's JSON patch library.
 */
function applyQuoted(object: ApiObject, operations: readonly JsonPatchOperation[]): unknown {
  const at = operations.findIndex((operation) => undecodable(operation) !== undefined);
  if (at < 0) return applyEach(object, operations);
  applyEach(object, operations.slice(0, at)); // An earlier failure is reported first.
  throw new Error(undecodable(operations[at]!));
}

/** The JSON patch operations whose error about an undecodable path does not give the reason. */
const SILENT: readonly string[] = ["add", "remove", "copy"];

/**
 * Returns the message of Go's JSON patch library about an operation whose texts `strconv.Quote`
 * does not write as JSON; `undefined` for all other operations.
 */
function undecodable(operation: JsonPatchOperation): string | undefined {
  const [op, path, from] = [operation.op, operation.path, operation.from].map((text) => text ?? "");
  if (quoteProblem(op!) !== undefined) return "Unexpected kind: unknown";
  const takesFrom = op === "move" || op === "copy";
  const fromProblem = takesFrom ? quoteProblem(from!) : undefined;
  if (fromProblem !== undefined) return `${op} operation failed to decode from: ${fromProblem}`;
  const problem = quoteProblem(path!);
  if (problem === undefined) return undefined;
  return `${op} operation failed to decode path: ${
    SILENT.includes(op!) ? "missing value" : problem
  }`;
}

/**
 * Returns the error of Go's JSON decoder about a text that `strconv.Quote` has written; `undefined`
 * if the result is JSON.
 */
function quoteProblem(text: string): string | undefined {
  const escapes = goQuote(text).matchAll(/\\(.)/g);
  const wrong = escapes.find(([, letter]) => !JSON_ESCAPES.includes(letter!));
  return wrong && `invalid character '${wrong[1]}' in string escape code`;
}

/** The letters that follow a backslash in JSON texts. */
const JSON_ESCAPES = '"\\/bfnrtu';

/**
 * Returns the version of a custom resource that a patched object names by its `apiVersion`; the
 * resource in the version before the patch if the object is of another kind, or names no served
 * version of the resource.
 */
function namedVersion(patched: unknown, { resource, resourceOfKind }: Place): ApiResource {
  const { apiVersion, kind } = isMap(patched) ? patched : {};
  if (typeof apiVersion !== "string" || kind !== resource.kind) return resource;
  const [group, version = ""] = apiVersion.split("/");
  const found = group === resource.group && resourceOfKind(group, version, kind);
  return found && found.plural === resource.plural ? found : resource;
}

/**
 * Calls `decode`, and returns its result.
 *
 * @throws {StatusError} 500 if `decode` throws, with its message without the decoder's prefix. An
 * object of another kind is decoded as that kind, and cannot be converted.
 */
function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (isNestedTooDeep(error)) throw error;
    const text = withoutPrefix(error as Error);
    throw internalError(OTHER_KIND.test(text) ? `failed to convert object: ${text}` : text);
  }
}

/**
 * Throws the error about a patched object of a built-in kind that names another kind or version;
 * accepts an object that names its own kind and version or no version, and a valid object of
 * another kind in the same version, whose conversion fails later.
 *
 * @throws {StatusError} 500 if the object is not a valid object of the kind that it names.
 *
 * @throws {MutationError} If the object names another group or version, from which nothing is
 * converted.
 */
function checkKind(patched: unknown, { resource, subresource }: Place): void {
  const own = resource.subresources.find(({ name }) => name === subresource);
  const { group = resource.group, version = resource.version, kind } = own ?? resource;
  const given = decoded(() => kindOf(patched));
  const named = { ...given, kind: given.kind || kind };
  const isSame = named.kind === kind && named.group === group;
  if (named.version === "" || isSame && named.version === version) return;
  try {
    decodeObject({
      bytes: new TextEncoder().encode(JSON.stringify(patched)),
      contentType: "application/json",
      resource,
      kind: isSame ? { group, version, kind } : named,
      fieldValidation: "Strict",
      warn: () => {},
    });
  } catch (error) {
    if (isNestedTooDeep(error)) throw error;
    const text = withoutPrefix(error as Error);
    if (!isSame || !OTHER_VERSION.test(text)) throw internalError(text);
  }
  const type = `${named.version}.${named.kind}`;
  if (named.group !== group) {
    throw new MutationError(
      `${type} is not suitable for converting to ` +
        `${goQuote(groupVersionText({ group, version }))} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (named.version === version) return; // Another kind of the version; its conversion fails later.
  throw new MutationError(
    `converting (${type}) to (${version}.${named.kind}): unknown conversion`,
  );
}

const OTHER_VERSION = /^the API version in the data /;

/**
 * Merges the apply configuration of a mutation into an object, decodes the result, and sets
 * defaults. Fields are set or changed, but never removed.
 *
 * @throws {MutationError} If the configuration does not fit the object, or sets an atomic list or
 * map.
 *
 * @throws {StatusError} 400 if the result cannot be decoded; 500 if the configuration has a number
 * that JSON lacks, which kube-apiserver cannot store.
 */
function configured(object: ApiObject, configuration: JsonObject, place: Place): ApiObject {
  const { apiVersion, kind } = object;
  const applied = { ...configuration, apiVersion, kind };
  const step = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (isNestedTooDeep(error)) throw error;
      const why = `error applying patch: ${what}: ${(error as Error).message}`;
      throw new MutationError(why, { cause: error });
    }
  };
  const type = step("failed to convert patch object to typed object", () => {
    const found = typeOf(place, object);
    validateTyped(applied, found);
    return found;
  });
  const atomic = atomics(applied, type, "");
  if (atomic.length > 0) {
    throw new MutationError(
      "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or " +
        `structs: ${atomic.join(", ")}`,
    );
  }
  const merged = step("failed to merge patch", () => mergeObjects(object, applied, type));
  const unsupported = notInJson(configuration);
  if (unsupported) throw new StatusError(500, "", `json: unsupported value: ${unsupported}`);
  return asDecoded(merged, place);
}

/**
 * Returns the first number of a value that JSON lacks, as Go formats it; `undefined` if there is
 * none.
 */
function notInJson(value: unknown): string | undefined {
  if (typeof value === "number") {
    if (Number.isFinite(value)) return undefined;
    return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }
  if (value === null || typeof value !== "object") return undefined;
  for (const each of Object.values(value)) {
    const found = notInJson(each);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the merge type of an object (its structural schema for server-side apply).
 *
 * @throws {Error} For a subresource's kind of another API version, such as Scale, and for the
 * options of a connection, for which kube-apiserver has no merge type.
 */
function typeOf({ resource }: Place, { apiVersion = "", kind, metadata }: ApiObject): MergeType {
  if (kind === resource.kind) {
    const types = new VersionedTypes(resource, resource.schema(), () => undefined);
    return types.type(apiVersionOf(resource)) ?? DEDUCED;
  }
  if (apiVersion === apiVersionOf(resource) && metadata !== undefined) return DEDUCED;
  const group = apiVersion.includes("/") ? "" : "/";
  throw new Error(`no corresponding type for ${group}${apiVersion}, Kind=${kind}`);
}

/** Returns the paths of the atomic lists and objects that an apply configuration sets. */
function atomics(value: unknown, type: MergeType, path: string): string[] {
  if (isMap(value) && type.map) {
    const { map } = type;
    const below = Object.entries(value).flatMap(([name, each]) =>
      map.declares(name) ? atomics(each, map.field(name)!, `${path}.${name}`) : []
    );
    return map.atomic ? [path, ...below] : below;
  }
  if (Array.isArray(value) && type.list) {
    const { list } = type;
    const below = value.flatMap((each, index) => atomics(each, list.element, `${path}[${index}]`));
    return list.atomic ? [path, ...below] : below;
  }
  return [];
}
