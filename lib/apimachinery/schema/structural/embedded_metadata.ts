// Mirrors `schema/objectmeta/validation.go, validateEmbeddedResource`.
import type { ObjectMeta, OwnerReference } from "../../meta/object.ts";
import { type FieldError, invalid, tooLong } from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { qualifiedNameProblems, validateLabels } from "../../validation/labels.ts";
import { labelNameProblems, pathSegmentNameProblems } from "../../validation/names.ts";
import { byteLength, invalidForEach } from "../../validation/texts.ts";

const ANNOTATIONS_LIMIT = 256 * 1024;

/**
 * Returns the field errors of metadata by the rules for embedded resources, which require no field.
 */
export function checkEmbeddedMetadata(path: FieldPath, metadata: ObjectMeta): FieldError[] {
  const { generateName = "", name = "", namespace = "", generation = 0 } = metadata;
  const errors: FieldError[] = [];
  const check = (field: string, value: unknown, problems: readonly string[]): void =>
    void errors.push(...invalidForEach(path.child(field), value, problems));
  if (generateName !== "") {
    check("generateName", generateName, pathSegmentNameProblems(generateName, true));
  }
  if (name !== "") check("name", name, pathSegmentNameProblems(name, false));
  if (namespace !== "") check("namespace", namespace, labelNameProblems(namespace, false));
  if (generation < 0) {
    check("generation", generation, ["must be greater than or equal to 0"]);
  }
  errors.push(...validateLabels(metadata.labels, path.child("labels")));
  errors.push(...checkAnnotations(path.child("annotations"), metadata.annotations ?? {}));
  errors.push(...checkOwners(path.child("ownerReferences"), metadata.ownerReferences ?? []));
  for (const finalizer of metadata.finalizers ?? []) {
    check("finalizers", finalizer, qualifiedNameProblems(finalizer));
  }
  return errors;
}

/**
 * Returns the field errors of the keys of annotations, and of the total size of keys and values if
 * it exceeds 256 KiB; all errors have the path of the map.
 */
export function checkAnnotations(
  path: FieldPath,
  annotations: Readonly<Record<string, string>>,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    errors.push(...invalidForEach(path, key, qualifiedNameProblems(key.toLowerCase())));
    size += byteLength(key) + byteLength(value);
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(tooLong(path, ANNOTATIONS_LIMIT));
  return errors;
}

function checkOwners(path: FieldPath, owners: readonly OwnerReference[]): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of owners) {
    const version = owner.apiVersion.split("/").at(-1)!;
    if (version === "") {
      errors.push(
        invalid(path.child("apiVersion"), owner.apiVersion, "version must not be empty"),
      );
    }
    for (const field of ["kind", "name", "uid"] as const) {
      if (owner[field] === "") errors.push(invalid(path.child(field), "", "must not be empty"));
    }
    if (owner.apiVersion === "v1" && owner.kind === "Event") {
      errors.push(invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (!owner.controller) continue;
    const found = `${owner.kind}/${owner.name}`;
    if (controller !== undefined) {
      errors.push(invalid(
        path,
        owners,
        'Only one reference can have Controller set to true. Found "true" in references for ' +
          `${controller} and ${found}`,
      ));
    } else controller = found;
  }
  return errors;
}
