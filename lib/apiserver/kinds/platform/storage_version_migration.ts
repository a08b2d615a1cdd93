import { type FieldError, FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import { dns1035LabelProblems, dnsSubdomainProblems } from "@xca/apimachinery/internal/validation";
import type { V1StorageVersionMigration } from "@xca/apimachinery/kubernetes-types";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateConditions } from "../../validation/conditions.ts";
import { IMMUTABLE, sameValue } from "../../validation/immutable.ts";

type Status = NonNullable<V1StorageVersionMigration["status"]>;

const SPEC = FieldPath.of("spec");
const STATUS = FieldPath.of("status");

/**
 * The strategy of StorageVersionMigrations, which prepares objects for storage and validates writes
 * (registry/storagemigration/storagemigration, `Strategy`). This API server performs no migrations.
 */
export const storageVersionMigrationStrategy: KindStrategy = typedStrategy<
  V1StorageVersionMigration
>({
  prepareForCreate(migration) {
    migration.status = {};
  },
  validateCreate: validateSpec,
  prepareForUpdate(migration, old) {
    migration.status = old.status ?? {};
  },
  validateUpdate: (migration, old) => [
    ...validateSpec(migration),
    ...sameValue(migration.spec, old.spec) ? [] : [invalid(SPEC, shownSpec(migration), IMMUTABLE)],
  ],
  status: {
    prepareForUpdate(migration, old) {
      if (old.spec) migration.spec = old.spec;
      keepMetadata(migration, old);
    },
    validateUpdate: ({ status = {} }, old) => validateStatus(status, old.status ?? {}),
  },
  allowUnconditionalUpdate: false,
  resetFields: [["status"]],
  statusResetFields: [["metadata"], ["spec"]],
});

function shownSpec({ spec }: V1StorageVersionMigration): unknown {
  const { group = "", resource = "" } = spec?.resource ?? {};
  return { Resource: { group, resource } };
}

function validateSpec({ spec }: V1StorageVersionMigration): FieldError[] {
  const { group = "", resource = "" } = spec?.resource ?? {};
  const path = SPEC.child("resource");
  const errors: FieldError[] = [];
  if (resource === "") {
    errors.push(required(path.child("resource"), "resource is required to be set"));
  } else {
    const problems = dns1035LabelProblems(resource);
    if (problems.length > 0) {
      errors.push(invalid(path.child("resource"), resource, problems.join(",")));
    }
  }
  const problems = group === "" ? [] : dnsSubdomainProblems(group);
  if (problems.length > 0) errors.push(invalid(path.child("group"), group, problems.join(",")));
  return errors;
}

function validateStatus(status: Status, old: Status): FieldError[] {
  const { resourceVersion: version = "", conditions = [] } = status;
  const { resourceVersion: before = "" } = old;
  const at = STATUS.child("resourceVersion");
  const path = STATUS.child("conditions");
  const errors: FieldError[] = [];
  const problem = version === "" ? undefined : versionProblem(version);
  if (problem) errors.push(invalid(at, version, problem));
  errors.push(...validateConditions(conditions, path));
  if (before !== "" && before !== version) errors.push(invalid(at, version, IMMUTABLE));
  if (isTrue(status, "Succeeded") && isTrue(status, "Failed")) {
    const detail = "Both success and failed conditions cannot be true at the same time";
    errors.push(invalid(path, conditions, detail));
  }
  for (const [type, word] of [["Succeeded", "Success"], ["Failed", "Failed"]] as const) {
    if (!isTrue(old, type) || isTrue(status, type)) continue;
    const detail = `${word} condition cannot be set to false once it is true`;
    errors.push(invalid(path, conditions, detail));
  }
  return errors;
}

function isTrue({ conditions = [] }: Status, type: string): boolean {
  return conditions.find((each) => each.type === type)?.status === "True";
}

function versionProblem(version: string): string | undefined {
  return /^[1-9][0-9]*$/.test(version)
    ? undefined
    : `resource version is not well formed: ${version}`;
}
