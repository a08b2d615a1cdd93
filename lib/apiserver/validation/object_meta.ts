/**
 * Validates the metadata of objects of all kinds, in steps, between which other requests may run
 * (`api/validation/objectmeta.go`, `ValidateObjectMetaAccessor`).
 *
 * @module
 */
import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  labelNameProblems,
  qualifiedNameProblems,
  validateLabelsInSteps,
} from "@xca/apimachinery/internal/validation";
import type { ObjectMeta, OwnerReference } from "@xca/apimachinery/meta";

const METADATA = FieldPath.of("metadata");
const ANNOTATIONS_BYTES = 256 * 1024;
const SUBRESOURCE_BYTES = 256;
const MANAGER_LENGTH = 128;
const encoder = new TextEncoder();

/** A function that returns the problems of an object's name; with `prefix`, of a `generateName`. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

/**
 * Returns the validation errors of the metadata of a new or changed object of any kind, by `rule`
 * for the name, except those of the rule that finalizers have a domain.
 */
export function* validateMetadata(
  meta: ObjectMeta,
  { namespaced }: { readonly namespaced: boolean },
  rule: NameRule,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  const check = (field: string, value: string, problems: readonly string[]): void => {
    for (const problem of problems) errors.push(invalid(METADATA.child(field), value, problem));
  };
  const { name, generateName, namespace } = meta;
  if (generateName) check("generateName", generateName, rule(generateName, true));
  if (!name) errors.push(required(METADATA.child("name"), "name or generateName is required"));
  else check("name", name, rule(name, false));
  if (namespaced) {
    if (!namespace) errors.push(required(METADATA.child("namespace")));
    else check("namespace", namespace, labelNameProblems(namespace, false));
  } else if (namespace) {
    errors.push(forbiddenField(METADATA.child("namespace"), "not allowed on this type"));
  }
  yield;
  return errors.concat(
    validateGeneration(meta),
    yield* validateTexts(meta),
    yield* validateFinalizers(meta.finalizers ?? []),
    validateManagedFields(meta.managedFields ?? []),
  );
}

/**
 * Returns a validation error if the `generation` of an object is negative; otherwise an empty list.
 */
export function validateGeneration({ generation = 0 }: ObjectMeta): FieldError[] {
  if (generation >= 0) return [];
  const why = "must be greater than or equal to 0";
  return [invalid(METADATA.child("generation"), generation, why)];
}

/**
 * Returns the validation errors of the labels, annotations and owner references of an object, on
 * create and update alike.
 */
export function* validateTexts(meta: ObjectMeta): Generator<void, FieldError[]> {
  const { labels, annotations = {}, ownerReferences = [] } = meta;
  const errors = yield* validateLabelsInSteps(labels, METADATA.child("labels"));
  return errors.concat(
    yield* validateAnnotations(annotations),
    yield* validateOwners(ownerReferences),
  );
}

/** The number of annotations, owners or finalizers between two pauses of their validation. */
const PAUSE_AFTER = 500;

function* validateAnnotations(
  annotations: Readonly<Record<string, string>>,
): Generator<void, FieldError[]> {
  const path = METADATA.child("annotations");
  const errors: FieldError[] = [];
  let size = 0;
  for (const [index, [key, value]] of Object.entries(annotations).entries()) {
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
    for (const problem of qualifiedNameProblems(key.toLowerCase())) {
      errors.push(invalid(path, key, problem));
    }
    size += key.length + value.length;
  }
  // Bytes are counted only if the number of characters does not decide.
  if (size > ANNOTATIONS_BYTES / 3 && bytesOf(annotations) > ANNOTATIONS_BYTES) {
    errors.push(tooLong(path, ANNOTATIONS_BYTES));
  }
  return errors;
}

function bytesOf(texts: Readonly<Record<string, string>>): number {
  return Object.entries(texts).reduce(
    (size, [key, value]) => size + encoder.encode(key).length + encoder.encode(value).length,
    0,
  );
}

function* validateOwners(
  owners: readonly OwnerReference[],
): Generator<void, FieldError[]> {
  const path = METADATA.child("ownerReferences");
  const errors: FieldError[] = [];
  let controller = "";
  for (const [index, owner] of owners.entries()) {
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
    const { apiVersion = "", kind = "", name = "", uid = "" } = owner;
    const at = path.index(index);
    if (apiVersion !== "" && !/^([^/]*\/)?[^/]+$/.test(apiVersion)) {
      const why = "must be <group>/<version> or <version>";
      errors.push(invalid(at.child("apiVersion"), apiVersion, why));
    }
    for (const [field, value] of Object.entries({ apiVersion, kind, name, uid })) {
      if (value === "") errors.push(required(at.child(field), "must not be empty"));
    }
    if (apiVersion === "v1" && kind === "Event") {
      errors.push(invalid(at, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (!owner.controller) continue;
    if (controller !== "") {
      const why = "Only one reference can have Controller set to true. " +
        `Found "true" in references for ${controller} and ${kind}/${name}`;
      errors.push(invalid(path, owners, why));
    } else controller = `${kind}/${name}`;
  }
  return errors;
}

function* validateFinalizers(
  finalizers: readonly string[],
): Generator<void, FieldError[]> {
  const path = METADATA.child("finalizers");
  const errors: FieldError[] = [];
  for (const [index, finalizer] of finalizers.entries()) {
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
    for (const problem of qualifiedNameProblems(finalizer)) {
      errors.push(invalid(path, finalizer, problem));
    }
  }
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    const why = "finalizer orphan and foregroundDeletion cannot be both set";
    errors.push(invalid(path, finalizers, why));
  }
  return errors;
}

const STANDARD_FINALIZERS = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/**
 * Returns the validation errors of the finalizers of a built-in kind, which must be standard or
 * have a domain.
 */
export function standardFinalizers({ finalizers = [] }: ObjectMeta): FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    if (finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer)) return [];
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    return [invalid(METADATA.child("finalizers").index(index), finalizer, why)];
  });
}

export function validateManagedFields(entries: readonly unknown[]): FieldError[] {
  return entries.flatMap((entry, index) => {
    const path = METADATA.child("managedFields").index(index);
    const { operation, fieldsType, manager = "", subresource = "" } = entry as Record<
      string,
      string
    >;
    const errors: FieldError[] = [];
    if (!operation) errors.push(required(path.child("operation"), "must not be empty"));
    else if (operation !== "Apply" && operation !== "Update") {
      errors.push(notSupported(path.child("operation"), operation, ["Apply", "Update"]));
    }
    if (fieldsType && fieldsType !== "FieldsV1") {
      errors.push(invalid(path.child("fieldsType"), fieldsType, "must be `FieldsV1`"));
    }
    errors.push(...managerErrors(manager, path.child("manager")));
    if (byteLength(subresource) > SUBRESOURCE_BYTES) {
      errors.push(tooLong(path.child("subresource"), SUBRESOURCE_BYTES));
    }
    return errors;
  });
}

/** A pattern of field manager names that consist of printable ASCII characters. */
const PLAIN_MANAGER = /^[\x20-\x7e]*$/;

/**
 * Returns the validation errors of the name of a field manager, which a request or an entry of
 * `managedFields` names: at most 128 bytes of printable characters.
 */
export function managerErrors(manager: string, path: FieldPath): FieldError[] {
  if (manager.length <= MANAGER_LENGTH && PLAIN_MANAGER.test(manager)) return [];
  const errors: FieldError[] = [];
  if (encoder.encode(manager).length > MANAGER_LENGTH) errors.push(tooLong(path, MANAGER_LENGTH));
  let at = 0;
  for (const character of manager) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${at})`));
    }
    at += encoder.encode(character).length;
  }
  return errors;
}
