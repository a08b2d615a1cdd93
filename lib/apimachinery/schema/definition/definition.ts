// Mirrors `apihelpers/helpers.go, SetCRDCondition`.
import { formatTime } from "../../meta/time.ts";
import type { ObjectMeta } from "../../meta/object.ts";
import { jsonEqual } from "../../values/json_values.ts";
import type { JsonSchema } from "../structural/json_schema.ts";

/**
 * The names in a CustomResourceDefinition: plural, singular, short names, kind, list kind and
 * categories.
 */
export interface DefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

/**
 * The field paths, such as `.spec.replicas`, of the replica counts and the selector in a custom
 * resource's `scale` subresource.
 */
export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

/** The subresources of a version of a CustomResourceDefinition. */
export interface DefinitionSubresources {
  status?: Record<string, never>;
  scale?: ScalePaths;
}

/** A printer column of a version of a CustomResourceDefinition. */
export interface DefinitionColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

/**
 * A field of a custom resource that field selectors may name, by its path, such as `.spec.color`.
 */
export interface SelectableField {
  jsonPath: string;
}

/** A version of a CustomResourceDefinition. */
export interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: DefinitionSubresources;
  additionalPrinterColumns?: DefinitionColumn[];
  selectableFields?: SelectableField[];
}

/** The connection to a conversion webhook: a URL or a Service, and the CA bundle. */
export interface WebhookClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  /** The certificates that verify the webhook's server, as base64 of PEM. */
  caBundle?: string;
}

/**
 * The conversion of custom objects between versions, as a CustomResourceDefinition configures it.
 */
export interface DefinitionConversion {
  strategy: string;
  webhook?: { clientConfig?: WebhookClientConfig; conversionReviewVersions?: string[] };
}

/** The spec of a CustomResourceDefinition. */
export interface DefinitionSpec {
  group: string;
  names: DefinitionNames;
  scope: string;
  versions: DefinitionVersion[];
  conversion?: DefinitionConversion;
  preserveUnknownFields?: boolean;
}

/** A condition in the status of a CustomResourceDefinition. */
export interface DefinitionCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** The status of a CustomResourceDefinition. */
export interface DefinitionStatus {
  conditions?: DefinitionCondition[] | null;
  acceptedNames: DefinitionNames;
  storedVersions: string[] | null;
}

/** A CustomResourceDefinition as the API server stores it. */
export interface CustomResourceDefinition {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: DefinitionSpec;
  status: DefinitionStatus;
  [field: string]: unknown;
}

/** The API group of CustomResourceDefinitions. */
export const DEFINITION_GROUP = "apiextensions.k8s.io";
/** The plural name of the resource of CustomResourceDefinitions. */
export const DEFINITION_RESOURCE = "customresourcedefinitions";
/** The finalizer that keeps a CustomResourceDefinition until its objects are deleted. */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

/** Returns a record of the names of a custom resource with empty plural and kind. */
export function noNames(): DefinitionNames {
  return { plural: "", kind: "" };
}

/**
 * Returns the condition of a type in a CustomResourceDefinition's status; `undefined` if there is
 * none.
 */
export function conditionOf(
  definition: CustomResourceDefinition,
  type: string,
): DefinitionCondition | undefined {
  return definition.status.conditions?.find((condition) => condition.type === type);
}

/**
 * Reports whether the condition of a type in a CustomResourceDefinition's status is `True`; false
 * if the status has no such condition.
 */
export function isTrue(definition: CustomResourceDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === "True";
}

/**
 * Sets a condition of a CustomResourceDefinition in place; the `lastTransitionTime` becomes `now`
 * only if the condition is new, its status changes, or it has no such time yet.
 */
export function setCondition(
  definition: CustomResourceDefinition,
  condition: DefinitionCondition,
  now: Date,
): void {
  const lastTransitionTime = formatTime(now);
  const existing = conditionOf(definition, condition.type);
  if (!existing) {
    (definition.status.conditions ??= []).push({ ...condition, lastTransitionTime });
    return;
  }
  if (existing.status !== condition.status || !existing.lastTransitionTime) {
    existing.lastTransitionTime = lastTransitionTime;
  }
  existing.status = condition.status;
  existing.reason = condition.reason ?? "";
  existing.message = condition.message ?? "";
}

/**
 * The spec of a CustomResourceDefinition in the form that is validated: if all versions have equal
 * `subresources`, `schema`, `additionalPrinterColumns` or `selectableFields`, the field is moved
 * from the versions to the top level, as the field paths in messages expect.
 */
export interface InternalSpec {
  readonly group: string;
  readonly version: string;
  readonly names: DefinitionNames;
  readonly scope: string;
  readonly schema: { readonly openAPIV3Schema?: JsonSchema } | undefined;
  readonly subresources: DefinitionSubresources | undefined;
  readonly additionalPrinterColumns: readonly DefinitionColumn[];
  readonly selectableFields: readonly SelectableField[];
  readonly versions: readonly DefinitionVersion[];
  readonly conversion: DefinitionConversion | undefined;
  readonly preserveUnknownFields: boolean;
}

const SHARED = ["subresources", "schema", "additionalPrinterColumns", "selectableFields"] as const;

/**
 * Returns the spec of a CustomResourceDefinition in kube-apiserver's internal form, which is
 * validated.
 */
export function internalSpec(spec: DefinitionSpec): InternalSpec {
  const versions = spec.versions ?? [];
  const first = versions[0];
  const isShared = (field: typeof SHARED[number]): boolean =>
    versions.every((version) => equalOrEmpty(version[field], first?.[field]));
  const shared = SHARED.filter(isShared);
  const common = <F extends typeof SHARED[number]>(field: F): DefinitionVersion[F] | undefined =>
    shared.includes(field) ? first?.[field] : undefined;
  return {
    group: spec.group ?? "",
    version: first?.name ?? "",
    names: spec.names ?? noNames(),
    scope: spec.scope ?? "",
    schema: common("schema"),
    subresources: common("subresources"),
    additionalPrinterColumns: common("additionalPrinterColumns") ?? [],
    selectableFields: common("selectableFields") ?? [],
    versions: versions.map((version) =>
      Object.fromEntries(
        Object.entries(version).filter(([name]) => !(shared as string[]).includes(name)),
      ) as unknown as DefinitionVersion
    ),
    conversion: spec.conversion,
    preserveUnknownFields: spec.preserveUnknownFields === true,
  };
}

function equalOrEmpty(a: unknown, b: unknown): boolean {
  const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  return jsonEqual(isEmptyList(a) ? undefined : a, isEmptyList(b) ? undefined : b);
}
