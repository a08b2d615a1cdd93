import type { AdmissionRequest } from "../machinery/admission.ts";
import type { ApiObject } from "../machinery/api_object.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { RequestScope } from "./request_scope.ts";

/** A write on its way. */
type Operation = AdmissionRequest["operation"];

function requestOf(
  scope: RequestScope,
  operation: Operation,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): AdmissionRequest {
  return { context: scope, operation, object, old, options: scope.options };
}

/**
 * Lets admission change an object. @throws {StatusError} When a plugin refuses it.
 */
export async function mutate(
  registry: RegistryCore,
  scope: RequestScope,
  operation: Operation,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<ApiObject> {
  const request = requestOf(scope, operation, object, old);
  for (const plugin of registry.admission) {
    if (plugin.mutate && plugin.handles(request, registry)) await plugin.mutate(request, registry);
  }
  return request.object!;
}

/** Lets admission refuse a write. @throws {StatusError} When a plugin does. */
export async function validate(
  registry: RegistryCore,
  scope: RequestScope,
  operation: Operation,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): Promise<void> {
  const request = requestOf(scope, operation, object, old);
  for (const plugin of registry.admission) {
    if (plugin.validate && plugin.handles(request, registry)) {
      await plugin.validate(request, registry);
    }
  }
}
