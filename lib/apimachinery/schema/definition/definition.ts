import { formatTime } from "../../meta/time.ts";
import type { ObjectMeta } from "../../meta/object.ts";
import { jsonEqual } from "../../values/json_values.ts";
import type { JsonSchema } from "../structural/json_schema.ts";

/** The names of a kind. */
export interface DefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

/** The paths of the fields of a scale. */
export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

/** The subresources of a version. */
export interface DefinitionSubresources {
  status?: Record<string, never>;
  scale?: ScalePaths;
}

/** One column of a table. */
export interface DefinitionColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

/** A field that selectors may name. */
export interface SelectableField {
  jsonPath: string;
}

/** One version of a kind. */
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

/** A webhook, by URL or by Service. */
export interface WebhookClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  /** Base64 of PEM. */
  caBundle?: string;
}

/** The conversion of objects between versions. */
export interface DefinitionConversion {
  strategy: string;
  webhook?: { clientConfig?: WebhookClientConfig; conversionReviewVersions?: string[] };
}

/** The spec of a definition. */
export interface DefinitionSpec {
  group: string;
  names: DefinitionNames;
  scope: string;
  versions: DefinitionVersion[];
  conversion?: DefinitionConversion;
  preserveUnknownFields?: boolean;
}

/** One condition of a definition. */
export interface DefinitionCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** The status of a definition. */
export interface DefinitionStatus {
  conditions?: DefinitionCondition[] | null;
  acceptedNames: DefinitionNames;
  storedVersions: string[] | null;
}

/** A `CustomResourceDefinition` as it is stored. */
export interface CustomResourceDefinition {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: DefinitionSpec;
  status: DefinitionStatus;
  [field: string]: unknown;
}

/** The group of definitions. */
export const DEFINITION_GROUP = "apiextensions.k8s.io";
/** The resource of definitions. */
export const DEFINITION_RESOURCE = "customresourcedefinitions";
/** Holds a definition until its objects are gone. */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

/** Names without any. */
export function noNames(): DefinitionNames {
  return { plural: "", kind: "" };
}

/** The condition of a type, if it is there. */
export function conditionOf(
  definition: CustomResourceDefinition,
  type: string,
): DefinitionCondition | undefined {
  return definition.status.conditions?.find((condition) => condition.type === type);
}

/** Reports whether a condition is present and true. */
export function isTrue(definition: CustomResourceDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === "True";
}

/** Sets a condition; its time changes with its status. */
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
 * The spec as validation sees it: what all versions have in common stands above them, so that the
 * paths in messages lead there.
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

/** The form for validation. */
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
