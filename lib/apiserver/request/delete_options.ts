// Mirrors `endpoints/handlers/delete.go, DeleteResource`.
import {
  badRequest,
  type FieldError,
  FieldPath,
  invalid,
  invalidObject,
  notSupported,
  StatusError,
} from "@xca/apimachinery/internal/errors";
import { type ApiObject, booleanParameter } from "@xca/apimachinery/internal/values";
import { bodyTypeOf, kindOf, noKind, parseBody } from "../decode/body.ts";
import { GoDecoder } from "../decode/go_decoder.ts";
import { structType } from "../types/builtin_type.ts";
import { int64Parameter } from "../machinery/query_values.ts";
import { dryRunErrors } from "./write_options.ts";

/** The `DeleteOptions` of a DELETE request. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

const DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
const POLICIES = ["Foreground", "Background", "Orphan"];
const PATH = FieldPath.of("propagationPolicy");

/**
 * Returns the options of a deletion, after validation: those of the body or, if the body is empty,
 * of the query.
 * @throws {StatusError} 400, 415 or 422
 */
export function deleteOptions(
  query: URLSearchParams,
  contentType: string,
  body: Uint8Array,
): DeleteOptions {
  const options = body.length > 0 ? bodyOptions(contentType, body) : queryOptions(query);
  checkDeleteOptions(options);
  return options;
}

/**
 * Throws an error with all problems of the `DeleteOptions` of a request, if any.
 *
 * @throws {StatusError} 422
 */
export function checkDeleteOptions(options: DeleteOptions): void {
  const errors: FieldError[] = [];
  const { orphanDependents, propagationPolicy, dryRun = [] } = options;
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    const why = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(invalid(PATH, propagationPolicy, why));
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    errors.push(notSupported(PATH, propagationPolicy, [...POLICIES, "nil"]));
  }
  errors.push(...dryRunErrors(dryRun));
  if (errors.length > 0) {
    throw invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  }
}

/** Returns `DeleteOptions` as the object that admission plugins see. */
export function deleteOptionsObject(options: DeleteOptions): ApiObject {
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...options,
  } as unknown as ApiObject;
}

function queryOptions(query: URLSearchParams): DeleteOptions {
  const gracePeriodSeconds = int64Parameter(query, "gracePeriodSeconds");
  const orphanDependents = booleanParameter(query, "orphanDependents");
  const propagationPolicy = query.get("propagationPolicy");
  const dryRun = query.getAll("dryRun");
  const uid = query.get("uid");
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== null && { propagationPolicy }),
    ...(uid !== null && { preconditions: { uid } }),
    ...(dryRun.length > 0 && { dryRun }),
  };
}

function bodyOptions(contentType: string, bytes: Uint8Array): DeleteOptions {
  const type = bodyTypeOf(contentType);
  try {
    const { tree } = parseBody(bytes, type);
    const named = kindOf(tree);
    if (named.kind !== "" && named.kind !== "DeleteOptions") throw noKind(named);
    const options = new GoDecoder(false).decode(structType(DELETE_OPTIONS)!, tree) ?? {};
    const { kind: _1, apiVersion: _2, ...rest } = options as Record<string, unknown>;
    return rest as DeleteOptions;
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw badRequest((error as Error).message);
  }
}
