// Mirrors `admission/chain.go, chainAdmissionHandler`.
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { guardManagedFields } from "../../managed_fields/admission_guard.ts";
import {
  type Scale,
  scaleOf,
  setReplicas,
  wantedReplicas,
} from "../../subresources/scale_object.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { VerbContext } from "./verb_context.ts";

/** The operation of an admission request, such as `CREATE`. */
type Operation = AdmissionRequest["operation"];

/**
 * Runs the mutating admission plugins that apply to a request, in order, and all of these a second
 * time if one asks for reinvocation. If the request shows a Scale, its changed replicas are set in
 * the scaled object, in place.
 * @returns The admitted object, the scaled one for a Scale; `undefined` for a deletion.
 * @throws {StatusError} If a plugin refuses the request.
 */
export async function mutate(
  registry: RegistryCore,
  context: VerbContext,
  operation: Operation,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): Promise<ApiObject | undefined> {
  const request = requestOf(context, operation, object, old);
  const concerned = registry.admission.filter((plugin) =>
    plugin.mutate && plugin.handles(request, registry)
  );
  if (concerned.length === 0) return object;
  const shown = request.object;
  // The options of a connection have no metadata.
  const guard = shown && operation !== "CONNECT" ? guardManagedFields(shown) : undefined;
  await runMutating(concerned, request, registry);
  if (guard && request.object) guard(request.object, (text) => context.warn(text));
  if (shown === object) return request.object;
  const { replicas = 0 } = (request.object as Scale).spec;
  if (replicas !== wantedReplicas(context.resource, object!)) {
    setReplicas(context.resource, object!, replicas);
  }
  return object;
}

/**
 * Returns the admission request of a write. For a write of the `scale` subresource, the request
 * contains the Scale instead of the scaled object.
 */
function requestOf(
  context: VerbContext,
  operation: Operation,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): AdmissionRequest {
  const isScale = context.subresource === "scale" && operation === "UPDATE" &&
    object?.kind !== "Scale";
  const shown = (each: ApiObject | undefined): ApiObject | undefined =>
    each && isScale ? scaleOf(context.resource, each) : each;
  return {
    context: context,
    operation,
    object: shown(object),
    old: shown(old),
    options: context.options,
  };
}

async function runMutating(
  plugins: readonly Admission[],
  request: AdmissionRequest,
  registry: RegistryCore,
): Promise<void> {
  let again = false;
  for (const plugin of plugins) {
    if ((await plugin.mutate!(request, registry))?.again) again = true;
  }
  if (!again) return;
  for (const plugin of plugins) await plugin.mutate!(request, registry);
}

/**
 * Runs the validating admission plugins that apply to a request, in order, up to the first that
 * refuses the request.
 *
 * @throws {StatusError} If a plugin refuses the request.
 */
export async function validate(
  registry: RegistryCore,
  context: VerbContext,
  operation: Operation,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): Promise<void> {
  const request = requestOf(context, operation, object, old);
  for (const plugin of registry.admission) {
    if (plugin.validate && plugin.handles(request, registry)) {
      await plugin.validate(request, registry);
    }
  }
}
