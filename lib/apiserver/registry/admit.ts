import type { Admission, AdmissionRequest } from "../machinery/admission.ts";
import type { ApiObject } from "../machinery/api_object.ts";
import { guardManagedFields } from "../managed_fields/admission_guard.ts";
import type { RegistryCore } from "./registry_core.ts";
import type { RequestScope } from "./request_scope.ts";

/** A write on its way. */
type Operation = AdmissionRequest["operation"];

/**
 * Lets admission change an object, in the order of the plugins; one that asks for it runs once more
 * after a later one changed something.
 * @throws {StatusError} When a plugin refuses it.
 */
export async function mutate(
  registry: RegistryCore,
  scope: RequestScope,
  operation: Operation,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): Promise<ApiObject | undefined> {
  const request: AdmissionRequest = {
    context: scope,
    operation,
    object,
    old,
    options: scope.options,
  };
  const concerned = registry.admission.filter((plugin) =>
    plugin.mutate && plugin.handles(request, registry)
  );
  if (concerned.length === 0) return object;
  const guard = object && guardManagedFields(object);
  await runMutating(concerned, request, registry);
  if (guard && request.object) guard(request.object, (text) => scope.warn(text));
  return request.object;
}

async function runMutating(
  plugins: readonly Admission[],
  request: AdmissionRequest,
  registry: RegistryCore,
): Promise<void> {
  const again = new Set<Admission>();
  for (const [index, plugin] of plugins.entries()) {
    const rerun = plugins.slice(0, index).filter((earlier) => earlier.reinvoked);
    const before = rerun.length > 0 ? JSON.stringify(request.object) : undefined;
    await plugin.mutate!(request, registry);
    if (before !== undefined && before !== JSON.stringify(request.object)) {
      for (const earlier of rerun) again.add(earlier);
    }
  }
  for (const plugin of again) await plugin.mutate!(request, registry);
}

/** Lets admission refuse a write. @throws {StatusError} When a plugin does. */
export async function validate(
  registry: RegistryCore,
  scope: RequestScope,
  operation: Operation,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): Promise<void> {
  const request: AdmissionRequest = {
    context: scope,
    operation,
    object,
    old,
    options: scope.options,
  };
  for (const plugin of registry.admission) {
    if (plugin.validate && plugin.handles(request, registry)) {
      await plugin.validate(request, registry);
    }
  }
}
