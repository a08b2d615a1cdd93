import type { AdmissionRequest } from "../machinery/admission.ts";
import { forbidden, type StatusError } from "@xca/apimachinery/internal/errors";
import type { GroupResource } from "@xca/apimachinery/internal/values";

/** Group, version and kind. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Group, version and plural. */
export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The attributes of a write that admission rules match (`admission.Attributes`). */
export interface AdmissionAttributes {
  readonly request: AdmissionRequest;
  readonly kind: KindName;
  readonly resource: ResourceName;
  readonly subresource: string;
  /** For a Namespace, its own name. */
  readonly namespace: string;
  /** Empty if the name is yet to be generated. */
  readonly name: string;
}

/** Returns the attributes of a write. */
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

/** Reports whether a write concerns objects of a resource themselves, not a subresource. */
export function concerns(
  { context }: AdmissionRequest,
  { group, resource }: GroupResource,
): boolean {
  return context.subresource === "" && context.resource.group === group &&
    context.resource.plural === resource;
}

/** Returns a 403 error of admission. An object without a name is named by its `generateName`. */
export function forbiddenByAdmission(request: AdmissionRequest, why: string): StatusError {
  const { context, object } = request;
  const { group, plural } = context.resource;
  const name = context.name || object?.metadata?.name || object?.metadata?.generateName ||
    "Unknown";
  return forbidden({ group, resource: plural }, name, why);
}
