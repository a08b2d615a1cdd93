// Mirrors `pkg/admission/attributes.go, attributesRecord`.
import type { AdmissionRequest } from "../machinery/admission.ts";
import { forbidden, type StatusError } from "@xca/apimachinery/internal/errors";
import type { GroupResource } from "@xca/apimachinery/internal/values";

/** The group, version and kind of an object in admission. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The group, version and plural of a resource in admission. */
export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/**
 * The attributes of a write that are compared with the rules and selectors of webhooks and
 * policies.
 */
export interface AdmissionAttributes {
  readonly request: AdmissionRequest;
  readonly kind: KindName;
  readonly resource: ResourceName;
  readonly subresource: string;
  /**
   * The namespace of the written object; for a Namespace, its own name; empty for other
   * cluster-scoped objects.
   */
  readonly namespace: string;
  /** The name of the written object; empty if it is yet to be generated. */
  readonly name: string;
}

/**
 * Returns the attributes of a write that are compared with the rules and selectors of webhooks and
 * policies.
 */
export function attributesOf(request: AdmissionRequest): AdmissionAttributes {
  const { context } = request;
  const { group, version, plural, kind, subresources } = context.resource;
  const subresource = subresources.find(({ name }) => name === context.subresource);
  const name = context.name || (request.object?.metadata?.name ?? "");
  return {
    request,
    kind: {
      group: subresource?.group ?? group,
      version: subresource?.version ?? version,
      kind: subresource?.kind ?? kind,
    },
    resource: { group, version, resource: plural },
    subresource: context.subresource,
    namespace: group === "" && plural === "namespaces" ? name : context.namespace,
    name,
  };
}

/** Reports whether a write concerns an object of the given resource itself, not a subresource. */
export function concerns(
  { context }: AdmissionRequest,
  { group, resource }: GroupResource,
): boolean {
  return context.subresource === "" && context.resource.group === group &&
    context.resource.plural === resource;
}

/**
 * Returns the 403 error of an admission plugin that refuses a write. The error names the object by
 * its name, its `generateName` or `Unknown`.
 */
export function forbiddenByAdmission(request: AdmissionRequest, why: string): StatusError {
  const { context, object } = request;
  const { group, plural } = context.resource;
  const name = context.name || object?.metadata?.name || object?.metadata?.generateName ||
    "Unknown";
  return forbidden({ group, resource: plural }, name, why);
}
