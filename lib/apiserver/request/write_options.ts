// Mirrors `apis/meta/v1/validation/validation.go, ValidateCreateOptions`.
import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalidObject,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { type ApiObject, booleanParameter } from "@xca/apimachinery/internal/values";
import { managerErrors } from "../validation/object_meta.ts";

/** The `CreateOptions`, `UpdateOptions` or `PatchOptions` of a write request, with defaults. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** The field manager that the request names; empty if it names none. */
  readonly fieldManager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly force: boolean;
  /**
   * The write options as the object that admission plugins see: the given ones, without defaults.
   */
  readonly object: ApiObject;
}

/**
 * Returns the options in the query of a write request, after validation. `apply` is true for a
 * PATCH that is a server-side apply.
 *
 * @throws {StatusError} 422
 */
export function writeOptions(
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  query: URLSearchParams,
  apply = false,
): WriteOptions {
  const dryRun = query.getAll("dryRun");
  const fieldManager = query.get("fieldManager") ?? "";
  const fieldValidation = query.get("fieldValidation") ?? "";
  const force = booleanParameter(query, "force");
  const errors: FieldError[] = [];
  if (kind === "PatchOptions") {
    if (apply && fieldManager === "") {
      errors.push(required(FieldPath.of("fieldManager"), "is required for apply patch"));
    } else if (!apply && force !== undefined) {
      const why = "may not be specified for non-apply patch";
      errors.push(forbiddenField(FieldPath.of("force"), why));
    }
  }
  errors.push(...managerErrors(fieldManager, FieldPath.of("fieldManager")));
  errors.push(...dryRunErrors(dryRun));
  if (!["", "Ignore", "Strict", "Warn"].includes(fieldValidation)) {
    const supported = ["", "Ignore", "Strict", "Warn"];
    errors.push(notSupported(FieldPath.of("fieldValidation"), fieldValidation, supported));
  }
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: (fieldValidation || "Warn") as WriteOptions["fieldValidation"],
    force: force ?? false,
    object: {
      kind,
      apiVersion: "meta.k8s.io/v1",
      ...(dryRun.length > 0 && { dryRun }),
      ...(force !== undefined && kind === "PatchOptions" && { force }),
      ...(fieldManager !== "" && { fieldManager }),
      ...(fieldValidation !== "" && { fieldValidation }),
    } as unknown as ApiObject,
  };
}

/**
 * Returns the error about the values of the `dryRun` option, each of which must be `All`; empty if
 * all are.
 */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((value) => value === "All")) return [];
  return [notSupported(FieldPath.of("dryRun"), dryRun, ["All"])];
}
