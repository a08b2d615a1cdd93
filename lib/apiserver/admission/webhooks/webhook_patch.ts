// Mirrors `webhook/mutating/dispatcher.go, mutatingDispatcher.callAttrMutatingHook`.
import { canonicalBase64 } from "../../decode/base64.ts";
import { decodeObject } from "../../decode/decode_object.ts";
import { goJsonObjectProblem } from "../../validation/go_json_problem.ts";
import { internalError, isNestedTooDeep, StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, cloneJson, goQuote } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import { applyOperations } from "../../patch/json/json_patch.ts";
import type { JsonPatchOperation } from "../../patch/json/json_patch_operation.ts";
import { withoutRawLeaves, withRawLeaves } from "../../patch/json/raw_leaf.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { callFailure } from "./hook_call.ts";
import type { Hook } from "./hook.ts";
import type { ReviewResponse } from "./review.ts";

/**
 * Parses the JSON patch of a webhook's response. Returns `undefined` if the patch is unreadable or
 * of another type, and the webhook's `failurePolicy` is `Ignore`.
 *
 * @throws {StatusError} 500 if the patch is unreadable or of another type, and the webhook's
 * `failurePolicy` is not `Ignore`.
 */
export function readPatch(
  hook: Hook,
  { patch, patchType }: ReviewResponse,
): readonly JsonPatchOperation[] | undefined {
  const text = base64Text(patch!);
  const operations = text instanceof Error ? text : parse(text);
  const problem = operations instanceof Error
    ? `failed to call webhook: ${operations.message}`
    : typeof operations === "string"
    ? `received undecodable patch in webhook response: ${operations}`
    : patchType !== "JSONPatch"
    ? `unsupported patch type ${goQuote(patchType!)}`
    : undefined;
  if (problem === undefined) return operations as readonly JsonPatchOperation[];
  if (hook.failurePolicy === "Ignore") return undefined;
  throw callFailure(hook, problem);
}

function base64Text(base64: string): string | Error {
  try {
    const bytes = atob(canonicalBase64(base64));
    return new TextDecoder().decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0)));
  } catch (error) {
    return error as Error;
  }
}

/**
 * Returns the JSON patch operations of a text, an empty list for `null`, or the message of Go's
 * decoder if the text is no list in JSON.
 */
function parse(text: string): readonly JsonPatchOperation[] | string {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return withRawLeaves(text, value) as readonly JsonPatchOperation[];
    if (value === null) return [];
    const kind = typeof value === "boolean" ? "bool" : typeof value;
    return `json: cannot unmarshal ${kind} into Go value of type jsonpatch.Patch`;
  } catch (error) {
    if (isNestedTooDeep(error)) throw error;
    return goJsonObjectProblem(text) ?? (error as Error).message;
  }
}

/**
 * Applies the JSON patch of a webhook to an object, decodes the result as an object of its kind in
 * the version that the webhook received, and sets defaults.
 *
 * @throws {StatusError} 500 if the patch does not apply, or the result is not an object of the
 * kind.
 */
export function applyWebhookPatch(
  object: ApiObject,
  operations: readonly JsonPatchOperation[],
  { request: { context } }: AdmissionAttributes,
  equivalent: ApiResource | undefined,
): ApiObject {
  try {
    const { subresource, resource } = context;
    const decoding = { subresource, resource: equivalent ?? resource };
    return asDecoded(applyEach(object, operations), decoding);
  } catch (error) {
    if (isNestedTooDeep(error)) throw error;
    const ofOtherKind = OTHER_KIND.exec((error as Error).message);
    throw ofOtherKind
      ? new StatusError(500, "", ofOtherKind[0])
      : internalError(withoutPrefix(error as Error));
  }
}

/**
 * A pattern of the error message about an object of another kind, whose conversion kube-apiserver
 * tries last.
 */
export const OTHER_KIND: RegExp = /converting \(\S+\) to \(\S+\): unknown conversion$/;

/** Returns the message of an error without the prefix of the decoder, which names the kind. */
export function withoutPrefix({ message }: Error): string {
  return message.replace(/^\S+ in version "\S+" cannot be handled as a \S+: /, "");
}

/**
 * Decodes an object that a webhook or policy changed as an object of its kind, and sets the
 * defaults of the kind. The object of a subresource of another kind, such as Scale, gets no
 * defaults.
 *
 * @throws {StatusError} 400 if the object cannot be decoded.
 */
export function asDecoded(
  object: unknown,
  { resource, subresource }: Pick<RequestContext<ApiResource>, "resource" | "subresource">,
  fieldValidation: "Ignore" | "Strict" = "Ignore",
): ApiObject {
  const own = resource.subresources.find(({ name }) => name === subresource);
  const isOther = own !== undefined && own.kind !== resource.kind;
  const decoded = decodeObject({
    bytes: new TextEncoder().encode(JSON.stringify(object)),
    contentType: "application/json",
    resource,
    ...(isOther && {
      kind: {
        group: own.group ?? resource.group,
        version: own.version ?? resource.version,
        kind: own.kind,
      },
    }),
    fieldValidation,
    warn: () => {},
  });
  if (isOther) return decoded;
  // A patch may remove the metadata of a custom object; that of a built-in object is always
  // present.
  decoded.metadata ??= {};
  resource.strategy.defaults?.(decoded);
  return decoded;
}

/**
 * Returns a copy of an object to which JSON patch operations are applied.
 *
 * @throws {Error} If an operation does not apply, with the message of Go's JSON patch library.
 */
export function applyEach(object: ApiObject, operations: readonly JsonPatchOperation[]): unknown {
  const failure = (operation: JsonPatchOperation, error: unknown): unknown =>
    isNestedTooDeep(error)
      ? error
      : new Error(unfitText(operation, (error as Error).message), { cause: error });
  return withoutRawLeaves(applyOperations(cloneJson(object), operations, failure));
}

/** Returns the message of Go's JSON patch library about an operation that does not apply. */
function unfitText({ op, path }: JsonPatchOperation, why: string): string {
  if (why.startsWith("doc is missing path: ")) {
    const missing = why.slice("doc is missing path: ".length);
    switch (op) {
      case "add":
      case "remove":
        return `${op} operation does not apply: doc is missing path: "${missing}": missing value`;
      case "test":
        return `test operation does not apply: is missing path: ${missing}: missing value`;
      case "move":
      case "copy": {
        const which = missing === path ? "destination" : "from";
        return `${op} operation does not apply: doc is missing ${which} path: ${missing}: missing value`;
      }
      default:
        return `${op} operation does not apply: ${why}: missing value`;
    }
  }
  if (op !== "add" && op !== "remove") return why;
  const kind = why.startsWith("Unable to access") ? "invalid index referenced" : "missing value";
  return `error in ${op} for path: '${path}': ${why}: ${kind}`;
}
