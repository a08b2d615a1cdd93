import {
  declared,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  withoutRepeats,
} from "@xca/apimachinery/internal/errors";
import {
  pathSegmentNameProblems,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { ObjectMeta } from "@xca/apimachinery/meta";
import {
  type NameRule,
  standardFinalizers,
  validateGeneration,
  validateManagedFields,
  validateMetadata,
  validateTexts,
} from "../../validation/object_meta.ts";
import type { ApiResource } from "../../machinery/resource.ts";

const METADATA = FieldPath.of("metadata");

/**
 * Validates the metadata of a new object, in steps, and returns the field errors (`rest/create.go`,
 * `BeforeCreate`).
 */
export function* validateNewMetadata(
  meta: ObjectMeta,
  resource: ApiResource,
): Generator<void, FieldError[]> {
  const all = yield* withoutRepeats(
    yield* validateMetadata(meta, resource, nameRule(resource)),
  );
  const errors = !resource.strategy.declaresName
    ? all
    : all.map((error) => error.field === "metadata.name" ? declared(error)[0]! : error);
  return takesAnyFinalizer(resource) ? errors : errors.concat(standardFinalizers(meta));
}

/** The API groups whose kinds accept finalizers without a domain. */
const ANY_FINALIZER = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "coordination.k8s.io",
]);

/**
 * Reports whether a kind accepts finalizers without a domain: a custom resource, a kind of one of
 * the groups {@linkcode ANY_FINALIZER}, or one whose `metadataOfUpdate` is `none`, such as core
 * Events.
 */
function takesAnyFinalizer({ customResourceDefinition, group, strategy }: ApiResource): boolean {
  return customResourceDefinition !== undefined || ANY_FINALIZER.has(group) ||
    strategy.metadataOfUpdate === "none";
}

/**
 * Reports whether kube-apiserver has declarative rules for a kind. The other errors of such a kind
 * are reported once each, and those of declarative rules last.
 */
export function hasDeclaredRules({ customResourceDefinition, group }: ApiResource): boolean {
  return customResourceDefinition === undefined && group !== "apiextensions.k8s.io" &&
    group !== "apiregistration.k8s.io";
}

/**
 * The errors in the metadata of a changed object, by the check that found them. Several checks may
 * report the same error.
 */
export interface ChangedMetadataErrors {
  /** The metadata errors of the checks that all kinds share. */
  readonly general: readonly FieldError[];
  /** The metadata errors of those checks of the kind that precede its `validateChange`. */
  readonly before: readonly FieldError[];
  /** The metadata errors of those checks of the kind that follow its `validateChange`. */
  readonly after: readonly FieldError[];
}

/**
 * Validates the metadata of a changed object, in steps, and returns the errors by the check that
 * found them (`validation.ValidateObjectMetaUpdate`, and the rules of the kind).
 */
export function* validateChangedMetadata(
  meta: ObjectMeta,
  old: ObjectMeta,
  { resource, subresource }: { readonly resource: ApiResource; readonly subresource: string },
): Generator<void, ChangedMetadataErrors> {
  const change = yield* validateChange(meta, old);
  const { strategy } = resource;
  const ofPart = subresource !== "" && subresource !== "scale";
  const part = subresource === "status" ? strategy.status : undefined;
  const metadataOfUpdate = part?.metadataOfUpdate ??
    (ofPart && strategy.metadataOfUpdate === "all first" ? undefined : strategy.metadataOfUpdate) ??
    (ofPart ? "change" : "all");
  const general = (yield* validateMetadata(meta, resource, pathSegmentNameProblems))
    .concat(change);
  if (metadataOfUpdate === "none") return { general, before: [], after: [] };
  if (takesAnyFinalizer(resource)) {
    return { general, before: yield* withoutRepeats(change), after: [] };
  }
  const ofChange = change.concat(standardFinalizers(meta));
  if (metadataOfUpdate === "change" || (general.length === 0 && ofChange.length === 0)) {
    return { general, before: ofChange, after: [] };
  }
  const all = yield* validateNewMetadata(meta, resource);
  return metadataOfUpdate === "all first"
    ? { general, before: all.concat(ofChange), after: [] }
    : { general, before: ofChange, after: all };
}

function nameRule({ strategy }: ApiResource): NameRule {
  return strategy.validateName ?? subdomainNameProblems;
}

const IMMUTABLE = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

function* validateChange(
  meta: ObjectMeta,
  old: ObjectMeta,
): Generator<void, FieldError[]> {
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
  errors.push(...validateGeneration(meta));
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    const path = METADATA.child("generation");
    errors.push(invalid(path, meta.generation ?? 0, "must not be decremented"));
  }
  for (const field of IMMUTABLE) {
    if (meta[field] === old[field]) continue;
    errors.push(invalid(METADATA.child(field), meta[field], "field is immutable"));
  }
  return errors.concat(
    yield* validateTexts(meta),
    validateManagedFields(meta.managedFields ?? []),
  );
}
