import type { ObjectMeta, OwnerReference } from "../../meta/object.ts";
import { validateLabels } from "../validation/labels.ts";
import { qualifiedNameProblems } from "../validation/labels.ts";
import {
  labelNameProblems,
  pathSegmentNameProblems,
  subdomainNameProblems,
} from "../validation/names.ts";
import {
  type FieldError,
  forbiddenField,
  invalid,
  required,
  tooLong,
} from "../machinery/field_error.ts";
import { FieldPath } from "../machinery/field_path.ts";
import { goQuote } from "../machinery/go_text.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { managerErrors } from "../request/write_options.ts";

const METADATA = FieldPath.of("metadata");
const ANNOTATIONS_BYTES = 256 * 1024;
const SUBRESOURCE_BYTES = 256;
const encoder = new TextEncoder();

/** How a name is checked. */
type NameRule = (name: string, prefix: boolean) => readonly string[];

/** What is wrong with the metadata of a new object. */
export function validateNewMetadata(meta: ObjectMeta, resource: ApiResource): FieldError[] {
  const errors = validateMetadata(meta, resource, nameRule(resource));
  return takesAnyFinalizer(resource) ? errors : [...errors, ...standardFinalizers(meta)];
}

/** Groups whose kinds may have finalizers without a domain. */
const ANY_FINALIZER = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "coordination.k8s.io",
]);

/** So may custom resources, and events of the core group. */
function takesAnyFinalizer({ customResourceDefinition, group, strategy }: ApiResource): boolean {
  return customResourceDefinition !== undefined || ANY_FINALIZER.has(group) ||
    strategy.metadataOfUpdate === "none";
}

/** What is wrong with the metadata of a changed object. The same may be said several times. */
export interface ChangedMetadataErrors {
  /** By the checks of all kinds. */
  readonly general: readonly FieldError[];
  /** By those of its own kind: before it looks at what changed, */
  readonly before: readonly FieldError[];
  /** and after that. */
  readonly after: readonly FieldError[];
}

/** Checks the metadata of a changed object. */
export function validateChangedMetadata(
  meta: ObjectMeta,
  old: ObjectMeta,
  { resource, subresource }: { readonly resource: ApiResource; readonly subresource: string },
): ChangedMetadataErrors {
  const change = validateChange(meta, old);
  const { strategy } = resource;
  const ofPart = subresource !== "" && subresource !== "scale";
  const part = subresource === "status" ? strategy.status : undefined;
  const metadataOfUpdate = part?.metadataOfUpdate ??
    (ofPart && strategy.metadataOfUpdate === "all first" ? undefined : strategy.metadataOfUpdate) ??
    (ofPart ? "change" : "all");
  const general = [...validateMetadata(meta, resource, pathSegmentNameProblems), ...change];
  if (metadataOfUpdate === "none") return { general, before: [], after: [] };
  if (takesAnyFinalizer(resource)) return { general, before: change, after: [] };
  const ofChange = [...change, ...standardFinalizers(meta)];
  if (metadataOfUpdate === "change" || (general.length === 0 && ofChange.length === 0)) {
    return { general, before: ofChange, after: [] };
  }
  const all = validateNewMetadata(meta, resource);
  return metadataOfUpdate === "all first"
    ? { general, before: [...all, ...ofChange], after: [] }
    : { general, before: ofChange, after: all };
}

function nameRule({ strategy }: ApiResource): NameRule {
  return strategy.validateName ?? subdomainNameProblems;
}

function validateMetadata(meta: ObjectMeta, resource: ApiResource, rule: NameRule): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, value: string, problems: readonly string[]): void => {
    for (const problem of problems) errors.push(invalid(METADATA.child(field), value, problem));
  };
  const { name, generateName, namespace } = meta;
  if (generateName) check("generateName", generateName, rule(generateName, true));
  if (!name) errors.push(required(METADATA.child("name"), "name or generateName is required"));
  else check("name", name, rule(name, false));
  if (resource.namespaced) {
    if (!namespace) errors.push(required(METADATA.child("namespace")));
    else check("namespace", namespace, labelNameProblems(namespace, false));
  } else if (namespace) {
    errors.push(forbiddenField(METADATA.child("namespace"), "not allowed on this type"));
  }
  if ((meta.generation ?? 0) < 0) {
    const why = "must be greater than or equal to 0";
    errors.push(invalid(METADATA.child("generation"), meta.generation, why));
  }
  errors.push(
    ...validateTexts(meta),
    ...validateFinalizers(meta.finalizers ?? []),
    ...validateManagedFields(meta.managedFields ?? []),
  );
  return errors;
}

/** Labels, annotations and owners: what creates and updates check alike. */
function validateTexts(meta: ObjectMeta): FieldError[] {
  const { labels, annotations, ownerReferences } = meta;
  const errors = labels ? validateLabels(labels, METADATA.child("labels")) : [];
  if (annotations) errors.push(...validateAnnotations(annotations));
  if (ownerReferences) errors.push(...validateOwners(ownerReferences));
  return errors;
}

function validateAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const path = METADATA.child("annotations");
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const problem of qualifiedNameProblems(key.toLowerCase())) {
      errors.push(invalid(path, key, problem));
    }
    size += key.length + value.length;
  }
  // Bytes are counted only where characters leave it open.
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

function validateOwners(owners: readonly OwnerReference[]): FieldError[] {
  const path = METADATA.child("ownerReferences");
  const errors: FieldError[] = [];
  let controller = "";
  for (const owner of owners) {
    const { apiVersion = "", kind = "", name = "", uid = "" } = owner;
    const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
    if (version === "") {
      errors.push(invalid(path.child("apiVersion"), apiVersion, "version must not be empty"));
    }
    for (const [field, value] of Object.entries({ kind, name, uid })) {
      if (value === "") errors.push(invalid(path.child(field), value, "must not be empty"));
    }
    if (apiVersion === "v1" && kind === "Event") {
      errors.push(invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
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

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const path = METADATA.child("finalizers");
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((problem) => invalid(path, finalizer, problem))
  );
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    const why = "finalizer orphan and foregroundDeletion cannot be both set";
    errors.push(invalid(path, finalizers, why));
  }
  return errors;
}

const STANDARD_FINALIZERS = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** Built-in kinds take only finalizers of the standard or with a domain. */
function standardFinalizers({ finalizers = [] }: ObjectMeta): FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    if (finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer)) return [];
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    return [invalid(METADATA.child("finalizers").index(index), finalizer, why)];
  });
}

function validateManagedFields(entries: readonly unknown[]): FieldError[] {
  return entries.flatMap((entry, index) => {
    const path = METADATA.child("managedFields").index(index);
    const { operation, fieldsType, manager = "", subresource = "" } = entry as Record<
      string,
      string
    >;
    const errors: FieldError[] = [];
    if (operation !== "Apply" && operation !== "Update") {
      errors.push(invalid(path.child("operation"), operation ?? "", "must be `Apply` or `Update`"));
    }
    if (fieldsType && fieldsType !== "FieldsV1") {
      errors.push(invalid(path.child("fieldsType"), fieldsType, "must be `FieldsV1`"));
    }
    errors.push(...managerErrors(manager, path.child("manager")));
    if (subresource.length > SUBRESOURCE_BYTES) {
      errors.push(tooLong(path.child("subresource"), SUBRESOURCE_BYTES));
    }
    return errors;
  });
}

const IMMUTABLE = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

function validateChange(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    const before = new Set(old.finalizers);
    const late = [...new Set(meta.finalizers)].filter((each) => !before.has(each)).sort();
    if (late.length > 0) {
      const list = `[]string{${late.map(goQuote).join(", ")}}`;
      const why = "no new finalizers can be added if the object is being deleted, " +
        `found new finalizers ${list}`;
      errors.push(forbiddenField(METADATA.child("finalizers"), why));
    }
  }
  if (!meta.resourceVersion) {
    const why = "must be specified for an update";
    errors.push(invalid(METADATA.child("resourceVersion"), "", why));
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    const path = METADATA.child("generation");
    errors.push(invalid(path, meta.generation ?? 0, "must not be decremented"));
  }
  for (const field of IMMUTABLE) {
    if (meta[field] === old[field]) continue;
    errors.push(invalid(METADATA.child(field), meta[field], "field is immutable"));
  }
  errors.push(...validateTexts(meta), ...validateManagedFields(meta.managedFields ?? []));
  return errors;
}
