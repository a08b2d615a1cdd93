import type {
  V1CustomResourceConversion,
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionVersion,
} from "@xca/apimachinery/kubernetes-types";
import type { ResourcePlan, VersionPlan } from "../definition/resource_plan.ts";
import { scalePathsOf } from "../definition/scale_paths.ts";

/**
 * The `spec.conversion` of the CustomResourceDefinition of a resource with conversion functions,
 * before deployment: a webhook with the placeholder Service of kubebuilder's manifests.
 */
const UNDEPLOYED: V1CustomResourceConversion = {
  strategy: "Webhook",
  webhook: {
    clientConfig: { service: { name: "webhook-service", namespace: "system", path: "/convert" } },
    conversionReviewVersions: ["v1"],
  },
};

/**
 * Returns the CustomResourceDefinition of a resource, deep frozen. With conversion functions, its
 * conversion webhook has a placeholder for the Service. The plan must be free of problems.
 */
export function crdOf(plan: ResourcePlan): V1CustomResourceDefinition {
  const { group, kind, listKind, plural, singular, shortNames, categories, scope, versions } = plan;
  const { labels, annotations } = plan;
  const isConverted = versions.some(({ convert }) => convert !== undefined);
  return deepFreeze<V1CustomResourceDefinition>({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
      ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
      name: `${plural}.${group}`,
    },
    spec: {
      ...(isConverted && { conversion: structuredClone(UNDEPLOYED) }),
      group,
      names: {
        ...(categories.length > 0 && { categories: [...categories] }),
        kind,
        listKind,
        plural,
        ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
        singular,
      },
      scope,
      versions: versions.map(crdVersion),
    },
  });
}

function crdVersion(version: VersionPlan): V1CustomResourceDefinitionVersion {
  const { name, served, isStored, deprecated, schema, status, subresources = {} } = version;
  const { printerColumns = [], selectableFields = [] } = version;
  const hasStatus = subresources.status ?? status !== undefined;
  const { scale } = subresources;
  return {
    ...(printerColumns.length > 0 && {
      additionalPrinterColumns: printerColumns.map((column) => ({ ...column })),
    }),
    ...(deprecated !== false && { deprecated: true }),
    ...(typeof deprecated === "string" && { deprecationWarning: deprecated }),
    name,
    schema: { openAPIV3Schema: schema! },
    ...(selectableFields.length > 0 && {
      selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })),
    }),
    served,
    storage: isStored,
    ...((hasStatus || scale !== undefined) && {
      subresources: {
        ...(scale !== undefined && { scale: { ...scalePathsOf(scale) } }),
        ...(hasStatus && { status: {} }),
      },
    }),
  };
}

/**
 * Freezes a JSON value in place, with all values nested in it, and returns the value. Does not look
 * into values that are frozen already.
 */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
