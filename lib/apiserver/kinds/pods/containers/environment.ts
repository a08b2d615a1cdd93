import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import { configMapKeyProblems, environmentNameProblems } from "../../../validation/identifiers.ts";
import { validateFieldReference, validateResourceReference } from "../common/field_reference.ts";
import { backstepProblems } from "../common/paths.ts";
import type { Container, EnvVar } from "../common/pod_types.ts";

const VARIABLE_FIELDS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/**
 * Validates the environment variables of a container (`core/validation/validation.go`,
 * `ValidateEnv`).
 */
export function validateEnvironment(
  variables: readonly EnvVar[],
  path: FieldPath,
): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = path.index(index);
    const { name = "" } = variable;
    const errors = name === ""
      ? [required(at.child("name"))]
      : invalidForEach(at.child("name"), name, environmentNameProblems(name));
    errors.push(...validateValueFrom(variable, at.child("valueFrom")));
    return errors;
  });
}

function validateValueFrom({ value, valueFrom }: EnvVar, path: FieldPath): FieldError[] {
  if (!valueFrom) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const errors: FieldError[] = [];
  if (fieldRef) {
    errors.push(...validateFieldReference(fieldRef, VARIABLE_FIELDS, path.child("fieldRef")));
  }
  if (resourceFieldRef) {
    const at = path.child("resourceFieldRef");
    errors.push(...validateResourceReference(resourceFieldRef, at, false));
  }
  if (configMapKeyRef) {
    errors.push(...validateKeyRef(configMapKeyRef, path.child("configMapKeyRef")));
  }
  if (secretKeyRef) errors.push(...validateKeyRef(secretKeyRef, path.child("secretKeyRef")));
  if (fileKeyRef) errors.push(...validateFileKeyRef(fileKeyRef, path.child("fileKeyRef")));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef]
    .filter((source) => source).length;
  if (sources === 0) {
    const detail = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, " +
      "`secretKeyRef` or `fileKeyRef`";
    errors.push(invalid(path, "", detail));
  } else if (value) {
    errors.push(invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (sources > 1) {
    errors.push(invalid(path, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

function validateKeyRef(
  { name = "", key = "" }: { name?: string; key?: string },
  path: FieldPath,
): FieldError[] {
  return [
    ...invalidForEach(path.child("name"), name, dnsSubdomainProblems(name)),
    ...key === ""
      ? [required(path.child("key"))]
      : invalidForEach(path.child("key"), key, configMapKeyProblems(key)),
  ];
}

function validateFileKeyRef(
  reference: { key?: string; volumeName?: string; path?: string },
  path: FieldPath,
): FieldError[] {
  const check = (field: "key" | "volumeName" | "path", problems: (text: string) => string[]) => {
    const value = reference[field] ?? "";
    const at = path.child(field);
    return value === "" ? [required(at)] : invalidForEach(at, value, problems(value));
  };
  return [
    ...check("key", environmentNameProblems),
    ...check("volumeName", dnsLabelProblems),
    ...check("path", backstepProblems),
  ];
}

/**
 * Validates the `envFrom` sources of a container: ConfigMaps and Secrets whose keys become
 * environment variables.
 */
export function validateEnvironmentSources(
  sources: NonNullable<Container["envFrom"]>,
  path: FieldPath,
): FieldError[] {
  return sources.flatMap(({ prefix = "", configMapRef, secretRef }, index) => {
    const at = path.index(index);
    const errors = prefix === ""
      ? []
      : invalidForEach(at.child("prefix"), prefix, environmentNameProblems(prefix));
    for (const [field, reference] of Object.entries({ configMapRef, secretRef })) {
      if (!reference) continue;
      const { name = "" } = reference;
      const namePath = at.child(field, "name");
      if (name === "") errors.push(required(namePath));
      else errors.push(...invalidForEach(namePath, name, subdomainNameProblems(name, true)));
    }
    if (!configMapRef && !secretRef) {
      errors.push(invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (configMapRef && secretRef) {
      errors.push(invalid(path, "", "may not have more than one field specified at a time"));
    }
    return errors;
  });
}
