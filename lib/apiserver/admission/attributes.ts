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

/** What admission rules are about: a write, as the real server's admission names its parts. */
export interface AdmissionAttributes {
  readonly request: AdmissionRequest;
  readonly kind: KindName;
  readonly resource: ResourceName;
  readonly subresource: string;
  /** Of a Namespace its own name. */
  readonly namespace: string;
  /** Empty when it is yet to be generated. */
  readonly name: string;
}

/** The attributes of a write. */
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

/** Whether a write is about objects of this resource themselves, not about a subresource. */
export function concerns(
  { context }: AdmissionRequest,
  { group, resource }: GroupResource,
): boolean {
  return context.subresource === "" && context.resource.group === group &&
    context.resource.plural === resource;
}

/** 403: admission refuses it. An object that has no name yet is named by what its name begins with. */
export function forbiddenByAdmission(request: AdmissionRequest, why: string): StatusError {
  const { context, object } = request;
  const { group, plural } = context.resource;
  const name = context.name || object?.metadata?.name || object?.metadata?.generateName ||
    "Unknown";
  return forbidden({ group, resource: plural }, name, why);
}
