/**
 * The fields that an endpoint resets, and that its writers therefore never own.
 *
 * Mirrors `registry/rest/rest.go, ResetFieldsStrategy`.
 *
 * @module
 */
import type { ApiResource } from "../machinery/resource.ts";
import { type FieldSet, recursiveDifference, setOf } from "./field_set/field_set.ts";

/** A function that removes from a field set the fields that writers of an endpoint never own. */
export type SetFilter = (set: FieldSet) => FieldSet;

type Paths = readonly (readonly string[])[];

const STATUS: Paths = [["status"]];
const SPEC: Paths = [["spec"]];
const SPEC_AND_METADATA: Paths = [["spec"], ["metadata"]];

/**
 * The fields that writers of `status` do not own, by resource, where these are not just the spec
 * and the strategy does not state them as `statusResetFields`, which take precedence.
 */
const STATUS_WRITER: Readonly<Record<string, Paths>> = {
  "pods.": [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
  "deployments.apps": [["spec"], ["metadata", "labels"]],
  "certificatesigningrequests.certificates.k8s.io": [["spec"], ["status", "conditions"]],
  "customresourcedefinitions.apiextensions.k8s.io": SPEC_AND_METADATA,
  "apiservices.apiregistration.k8s.io": SPEC_AND_METADATA,
  "validatingadmissionpolicies.admissionregistration.k8s.io": SPEC_AND_METADATA,
  "storageversions.internal.apiserver.k8s.io": SPEC_AND_METADATA,
  "flowschemas.flowcontrol.apiserver.k8s.io": SPEC_AND_METADATA,
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": SPEC_AND_METADATA,
  "servicecidrs.networking.k8s.io": SPEC_AND_METADATA,
  "devicetaintrules.resource.k8s.io": SPEC_AND_METADATA,
  "resourceclaims.resource.k8s.io": SPEC_AND_METADATA,
  "resourcepoolstatusrequests.resource.k8s.io": SPEC_AND_METADATA,
  "podgroups.scheduling.k8s.io": SPEC_AND_METADATA,
  "volumeattachments.storage.k8s.io": SPEC_AND_METADATA,
  "storageversionmigrations.storagemigration.k8s.io": SPEC_AND_METADATA,
};

/**
 * The fields that writers of other subresources than `status` do not own, by resource and
 * subresource.
 */
const SUBRESOURCE_WRITER: Readonly<Record<string, Paths>> = {
  "certificatesigningrequests/approval.certificates.k8s.io": [["spec"], ["status", "certificate"]],
  "namespaces/finalize.": STATUS,
};

/**
 * Returns the function that removes from a field set the fields that writers of a resource's
 * endpoint never own.
 */
export function resetFilter(resource: ApiResource, subresource: string): SetFilter {
  return filterOf(resetPaths(resource, subresource));
}

/**
 * Returns the function that removes the reset fields of a custom resource's endpoint from field
 * sets of another API version than that of the request. `row` is the resource in that version;
 * absent if the version no longer exists. Only the endpoint `status` has reset fields in other
 * versions.
 */
export function otherVersionFilter(row: ApiResource | undefined, subresource: string): SetFilter {
  return filterOf(subresource === "status" ? row?.strategy.statusResetFields ?? [] : []);
}

function filterOf(paths: Paths): SetFilter {
  if (paths.length === 0) return (set) => set;
  const reset = setOf(...paths.map((path) => path.map((name) => `f:${name}`)));
  return (set) => recursiveDifference(set, reset);
}

function resetPaths(resource: ApiResource, subresource: string): Paths {
  const { group, plural, strategy, subresources, customResourceDefinition } = resource;
  const key = `${plural}.${group}`;
  const hasStatus = subresources.some(({ name }) => name === "status");
  switch (subresource) {
    case "":
      if (strategy.resetFields) return strategy.resetFields;
      if (key === "certificatesigningrequests.certificates.k8s.io") return [...SPEC, ...STATUS];
      return hasStatus ? STATUS : [];
    case "status":
      if (strategy.statusResetFields) return strategy.statusResetFields;
      if (customResourceDefinition !== undefined) return SPEC_AND_METADATA;
      return STATUS_WRITER[key] ?? SPEC;
    default:
      return SUBRESOURCE_WRITER[`${plural}/${subresource}.${group}`] ?? [];
  }
}
