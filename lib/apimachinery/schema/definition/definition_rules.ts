// Mirrors `apis/apiextensions/validation/validation.go, ValidateCustomResourceDefinition`.
import { type FieldError, forbiddenField, invalid, required } from "../../errors/field_error.ts";
import { FieldPath } from "../../errors/field_path.ts";
import { jsonEqual } from "../../values/json_values.ts";
import { dns1035LabelProblems, dnsSubdomainProblems } from "../../validation/names.ts";
import type { CelSchema } from "../../cel/cel_schema.ts";
import type { SchemaCode } from "../schema_code.ts";
import { hasDefault, type JsonSchema, someSchema } from "../structural/json_schema.ts";
import { approvalErrors } from "./api_approval.ts";
import { caBundleProblem } from "./ca_bundle.ts";
import { conversionErrors, enumErrors } from "./conversion_rules.ts";
import { defaultErrors } from "./default_rules.ts";
import {
  type CustomResourceDefinition,
  type DefinitionSpec,
  type DefinitionVersion,
  type InternalSpec,
  internalSpec,
  isTrue,
  noNames,
} from "./definition.ts";
import { internalSchema, internalVersions } from "./internal_json.ts";
import {
  columnErrors,
  deprecationProblems,
  namesErrors,
  selectableFieldErrors,
  subresourceErrors,
} from "./part_rules.ts";
import { schemaErrors } from "./schema_rules.ts";
import { structuralErrors, unsupported } from "./structural_rules.ts";

const SPEC = FieldPath.of("spec");
const STATUS = FieldPath.of("status");
const IMMUTABLE = "field is immutable";

/**
 * Returns the field errors of a new CustomResourceDefinition; the CA bundle of its conversion
 * webhook is not checked. The generator yields so that other requests may run.
 */
export function* definitionErrors(
  code: SchemaCode,
  definition: CustomResourceDefinition,
): Generator<void, FieldError[]> {
  return [
    ...nameErrors(definition),
    ...yield* specErrors(code, definition, { allowsInvalidCaBundle: true, unchanged: new Set() }),
    ...statusErrors(definition),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, undefined),
    ...preserveErrors(definition),
  ];
}

/**
 * Returns the field errors of a changed CustomResourceDefinition, including those of immutable
 * fields. The CA bundle of its conversion webhook is checked only if the old definition is
 * established and had a valid bundle or none. The generator yields so that other requests may run.
 */
export function* definitionUpdateErrors(
  code: SchemaCode,
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
): Generator<void, FieldError[]> {
  const isEstablished = isTrue(old, "Established");
  const oldBundle = old.spec.conversion?.webhook?.clientConfig?.caBundle ?? "";
  const allowsInvalidCaBundle = !isEstablished || caBundleProblem(oldBundle) !== undefined;
  const unchanged = unchangedSchemas(definition, old);
  const errors = yield* specErrors(code, definition, { allowsInvalidCaBundle, unchanged });
  const keep = (value: unknown, before: unknown, ...field: string[]): void => {
    if (value !== before) errors.push(invalid(SPEC.child(...field), value ?? "", IMMUTABLE));
  };
  const { spec } = definition;
  if (isEstablished) {
    keep(spec.scope, old.spec.scope, "scope");
    keep(spec.names?.kind, old.spec.names.kind, "names", "kind");
  }
  keep(spec.group, old.spec.group, "group");
  keep(spec.names?.plural, old.spec.names.plural, "names", "plural");
  return [
    ...errors,
    ...statusErrors(definition),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, old),
    ...preserveErrors(definition),
  ];
}

/**
 * The exceptions from the validation of a CustomResourceDefinition: the invalid parts that an API
 * server, perhaps of an earlier version, may have accepted before.
 */
interface Allowances {
  readonly allowsInvalidCaBundle: boolean;
  /**
   * The names of the versions whose schemas did not change. The cost of each of their CEL rules is
   * not limited, so that a definition stays writable if the rules were cheaper when it was created.
   */
  readonly unchanged: ReadonlySet<string>;
}

function unchangedSchemas(
  { spec }: CustomResourceDefinition,
  old: CustomResourceDefinition,
): ReadonlySet<string> {
  const schemaOf = (versions: DefinitionSpec["versions"], name: string): unknown =>
    versions?.find((version) => version.name === name)?.schema;
  const before = old.spec.versions;
  const names = (spec?.versions ?? []).map(({ name }) => name);
  return new Set(names.filter((name) =>
    before?.some((version) => version.name === name) &&
    jsonEqual(schemaOf(spec.versions, name), schemaOf(before, name))
  ));
}

/** Returns the field errors of the accepted names in the status of a CustomResourceDefinition. */
export function statusErrors({ status }: CustomResourceDefinition): FieldError[] {
  return namesErrors(status?.acceptedNames ?? noNames(), STATUS.child("acceptedNames"));
}

function nameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const wanted = `${spec.names?.plural ?? ""}.${spec.group ?? ""}`;
  const why = 'must be spec.names.plural+"."+spec.group';
  return (["generateName", "name"] as const)
    .filter((field) => metadata[field] && metadata[field] !== wanted)
    .map((field) => invalid(FieldPath.of("metadata", field), metadata[field], why));
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = STATUS.child("storedVersions");
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) {
    return [invalid(path, status?.storedVersions ?? null, "must have at least one stored version")];
  }
  const versions = spec.versions ?? [];
  const missing = versions.filter((version) => version.storage && !stored.includes(version.name))
    .map(({ name }) => invalid(path, stored, `must have the storage version ${name}`));
  const gone = [...stored.entries()]
    .filter(([, name]) => !versions.some((version) => version.name === name))
    .map(([index, name]) =>
      invalid(
        path.index(index),
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in ` +
          `spec.versions until a storage migration ensures no data remains persisted in ${name} ` +
          `and removes ${name} from status.storedVersions`,
      )
    );
  return [...missing, ...gone];
}

function preserveErrors({ spec }: CustomResourceDefinition): FieldError[] {
  if (!spec.preserveUnknownFields) return [];
  const why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in " +
    "spec.versions[*].schema instead";
  return [invalid(SPEC.child("preserveUnknownFields"), true, why)];
}

function* specErrors(
  code: SchemaCode,
  definition: CustomResourceDefinition,
  { allowsInvalidCaBundle, unchanged }: Allowances,
): Generator<void, FieldError[]> {
  const spec = internalSpec(definition.spec ?? {});
  const errors = [
    ...groupErrors(spec.group),
    ...enumErrors(SPEC.child("scope"), spec.scope, ["Cluster", "Namespaced"]),
    ...missingSchemaErrors(spec),
  ];
  if (spec.preserveUnknownFields && hasDefaults(spec)) {
    const why = "must be false in order to use defaults in the schema";
    errors.push(invalid(SPEC.child("preserveUnknownFields"), true, why));
  }
  const shown = definition.spec?.versions ? internalVersions(spec.versions) : null;
  errors.push(...yield* versionsErrors(code, spec, shown, unchanged));
  errors.push(...requiredNameErrors(spec));
  errors.push(...namesErrors(spec.names, SPEC.child("names")));
  const hasStatus = spec.subresources?.status !== undefined ||
    spec.versions.some((version) => version.subresources?.status !== undefined);
  const suppressCost = unchanged.has(spec.version);
  const validation = SPEC.child("validation");
  errors.push(
    ...yield* validationErrors(code, spec.schema, { hasStatus, suppressCost }, validation),
  );
  errors.push(...subresourceErrors(spec.subresources, SPEC.child("subresources")));
  for (const [index, column] of spec.additionalPrinterColumns.entries()) {
    errors.push(...columnErrors(column, SPEC.child("additionalPrinterColumns").index(index)));
  }
  errors.push(...sharedSelectableErrors(spec));
  const { conversion } = spec;
  const path = SPEC.child("conversion");
  if (conversion && conversion.strategy !== "None" && spec.preserveUnknownFields) {
    const why = "must be None if spec.preserveUnknownFields is true";
    errors.push(invalid(path.child("strategy"), conversion.strategy, why));
  }
  if (conversion) errors.push(...conversionErrors(conversion, path, allowsInvalidCaBundle));
  return errors;
}

function groupErrors(group: string): FieldError[] {
  const path = SPEC.child("group");
  if (group === "") return [required(path)];
  const problems = dnsSubdomainProblems(group);
  if (problems.length > 0) return [invalid(path, group, problems.join(","))];
  if (group.includes(".")) return [];
  return [invalid(path, group, "should be a domain with at least one dot")];
}

function missingSchemaErrors(spec: InternalSpec): FieldError[] {
  if (spec.schema?.openAPIV3Schema) return [];
  return [...spec.versions.entries()]
    .filter(([, version]) => !version.schema?.openAPIV3Schema)
    .map(([index]) =>
      required(SPEC.child("versions").index(index).child("schema", "openAPIV3Schema"))
    );
}

function hasDefaults(spec: InternalSpec): boolean {
  return [spec.schema, ...spec.versions.map((version) => version.schema)]
    .some((each) => someSchema(each?.openAPIV3Schema, hasDefault));
}

function* versionsErrors(
  code: SchemaCode,
  spec: InternalSpec,
  shown: unknown,
  unchanged: ReadonlySet<string>,
): Generator<void, FieldError[]> {
  const path = SPEC.child("versions");
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, version] of spec.versions.entries()) {
    names.add(version.name);
    const problems = dns1035LabelProblems(version.name ?? "");
    if (problems.length > 0) {
      errors.push(invalid(path.index(index).child("name"), version.name ?? "", problems.join(",")));
    }
    errors.push(...yield* versionErrors(code, version, spec, path.index(index), unchanged));
  }
  if (names.size < spec.versions.length) {
    errors.push(invalid(path, shown, "must contain unique version names"));
  }
  if (spec.versions.filter((version) => version.storage).length !== 1) {
    errors.push(invalid(path, shown, "must have exactly one version marked as storage version"));
  }
  if (spec.version !== "") {
    const problems = dns1035LabelProblems(spec.version);
    if (problems.length > 0) {
      errors.push(invalid(SPEC.child("version"), spec.version, problems.join(",")));
    }
  }
  return errors;
}

function* versionErrors(
  code: SchemaCode,
  version: DefinitionVersion,
  spec: InternalSpec,
  path: FieldPath,
  unchanged: ReadonlySet<string>,
): Generator<void, FieldError[]> {
  const problems = deprecationProblems(version.deprecated, version.deprecationWarning);
  const errors = problems.map((problem) =>
    invalid(path.child("deprecationWarning"), version.deprecationWarning, problem)
  );
  const hasPerVersion = spec.versions.some(({ subresources }) => subresources !== undefined);
  const subresources = hasPerVersion ? version.subresources : spec.subresources;
  const hasStatus = subresources?.status !== undefined;
  const options = { hasStatus, suppressCost: unchanged.has(version.name) };
  errors.push(...yield* validationErrors(code, version.schema, options, path.child("schema")));
  errors.push(...subresourceErrors(version.subresources, path.child("subresources")));
  for (const [index, column] of (version.additionalPrinterColumns ?? []).entries()) {
    errors.push(...columnErrors(column, path.child("additionalPrinterColumns").index(index)));
  }
  const { selectableFields = [] } = version;
  if (selectableFields.length === 0) return errors;
  const at = path.child("selectableFields");
  const schema = version.schema?.openAPIV3Schema;
  if (!schema) {
    const why = "may only be set when `version.schema.openAPIV3Schema` is not included";
    return [...errors, invalid(at, "", why)];
  }
  const problem = unsupported(schema);
  if (problem !== undefined) {
    errors.push(invalid(path.child("schema.openAPIV3Schema"), "", problem));
  }
  return [...errors, ...selectableFieldErrors(selectableFields, schema, at)];
}

function requiredNameErrors({ names }: InternalSpec): FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => !names[name])
    .map((name) => required(SPEC.child("names", name)));
}

function sharedSelectableErrors(spec: InternalSpec): FieldError[] {
  if (spec.selectableFields.length === 0) return [];
  const path = SPEC.child("selectableFields");
  const schema = spec.schema?.openAPIV3Schema;
  if (!schema) return [invalid(path, "", "may only be set when validations.schema is included")];
  return selectableFieldErrors(spec.selectableFields, schema, path);
}

/**
 * The schema keywords, by the names of their fields in Go and separated by spaces, that are allowed
 * at the root of a schema of a version with the `status` subresource, in the order of messages.
 */
const ALLOWED_AT_ROOT = "Description Type Format Title Maximum ExclusiveMaximum Minimum " +
  "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required " +
  "Items Properties ExternalDocs Example XPreserveUnknownFields XValidations";

function rootErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  const allowed = ALLOWED_AT_ROOT.split(" ");
  const shown = internalSchema(schema);
  for (const [field, value] of Object.entries(shown)) {
    if (value === null || value === "" || value === false) continue;
    if (field === "Type" && schema.type !== "object") {
      const why = 'only "object" is allowed as the type at the root of the schema if the status ' +
        "subresource is enabled";
      return [invalid(path.child("openAPIV3Schema.type"), schema.type, why)];
    }
    if (allowed.includes(field)) continue;
    const why = `only [${ALLOWED_AT_ROOT}] fields are allowed at the root of the schema if the ` +
      "status subresource is enabled";
    return [invalid(path.child("openAPIV3Schema"), shown, why)];
  }
  return [];
}

function* validationErrors(
  code: SchemaCode,
  validation: { readonly openAPIV3Schema?: JsonSchema } | undefined,
  { hasStatus, suppressCost }: { readonly hasStatus: boolean; readonly suppressCost: boolean },
  path: FieldPath,
): Generator<void, FieldError[]> {
  const schema = validation?.openAPIV3Schema;
  if (!schema) return [];
  const errors = hasStatus ? rootErrors(schema, path) : [];
  if (schema.nullable) {
    errors.push(
      forbiddenField(path.child("openAPIV3Schema.nullable"), "nullable cannot be true at the root"),
    );
  }
  const at = path.child("openAPIV3Schema");
  const problem = unsupported(schema);
  let structural: FieldError[] = [];
  if (problem === undefined) {
    structural = structuralErrors(code, at, schema);
    yield;
    if (structural.length === 0) structural = yield* defaultErrors(code, schema, at);
  }
  errors.push(...structural);
  const own = schemaErrors(schema, at);
  yield;
  errors.push(...own);
  errors.push(
    ...yield* ruleErrors(code, schema, at, {
      isBroken: structural.length > 0 || problem !== undefined,
      own,
      suppressCost,
    }),
  );
  if (errors.length === 0 && problem !== undefined) errors.push(invalid(at, "", problem));
  return errors;
}

function* ruleErrors(
  code: SchemaCode,
  schema: JsonSchema,
  path: FieldPath,
  { isBroken, own, suppressCost }: {
    readonly isBroken: boolean;
    readonly own: readonly FieldError[];
    readonly suppressCost: boolean;
  },
): Generator<void, FieldError[]> {
  if (!someSchema(schema, (each) => (each["x-kubernetes-validations"] ?? []).length > 0)) return [];
  const compiled = yield* code.checkCustomRules(schema as CelSchema, path, {
    schemaErrors: own,
    suppressCost,
  });
  return [...compiled.ruleErrors, ...isBroken ? [] : compiled.errors];
}
