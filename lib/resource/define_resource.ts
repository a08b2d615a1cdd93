import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import { resourceType } from "@xca/apimachinery/meta";
import { crdOf } from "./crd/crd_of.ts";
import { nameProblems } from "./definition/check_names.ts";
import { shapeProblems } from "./definition/check_shape.ts";
import { versionProblems } from "./definition/check_versions.ts";
import type { DefinedResource, DefinedVersion } from "./definition/defined_resource.ts";
import { ResourceDefinitionError } from "./definition/definition_error.ts";
import type { InputResource, StoredResource } from "./definition/object_types.ts";
import { conversionOf, type VersionConversion } from "./definition/resource_conversion.ts";
import type {
  ResourceInit,
  SpecIn,
  StatusIn,
  VersionedResourceInit,
} from "./definition/resource_init.ts";
import { type AnyResourceInit, planOf, type ResourcePlan } from "./definition/resource_plan.ts";

/**
 * Defines a custom resource with one version: from its names and the schemas of its `spec` and
 * `status` follow the TypeScript types of its objects and its CustomResourceDefinition.
 *
 * The result is a resource type, which controllers, clients and caches accept as an argument.
 *
 * @throws {ResourceDefinitionError} When the definition has faults, which the error lists. Faults
 * that only an RE2 parser or the CEL compiler finds are returned by `problemsOfCrd` instead.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, defineOperator } from "@xca/operator";
 * import { defineResource, s, type StoredOf } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   spec: s.object({ holder: s.string(), seconds: s.integer({ default: 30 }) }),
 *   status: s.object({ expires: s.dateTime() }),
 * });
 * type Lock = StoredOf<typeof Lock>;
 *
 * const operator = defineOperator({
 *   name: "locker",
 *   controllers: [
 *     controllerFor(Lock).reconcile(({ key, cache, log }) => {
 *       const lock = cache.get(Lock, key);
 *       if (lock) log.info("{holder} holds it", { holder: lock.spec.holder });
 *     }),
 *   ],
 * });
 * assert.equal(operator.crds[0]?.metadata.name, "locks.example.org");
 * ```
 */
export function defineResource<const Spec = undefined, const Status = undefined>(
  init: ResourceInit<Spec, Status>,
): DefinedResource<
  StoredResource<Spec, Status>,
  InputResource<Spec, Status>,
  Readonly<
    Record<string, DefinedVersion<StoredResource<Spec, Status>, InputResource<Spec, Status>>>
  >
>;
/**
 * Defines a custom resource with several versions, of which one is the stored version. The result
 * is the resource type of the stored version; `versions` has the resource types of all versions.
 *
 * @throws {ResourceDefinitionError} When the definition has faults, which the error lists. Faults
 * that only an RE2 parser or the CEL compiler finds are returned by `problemsOfCrd` instead.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineResource, s } from "@xca/operator/resource";
 *
 * const Disk = defineResource({
 *   group: "example.org",
 *   kind: "Disk",
 *   storedVersion: "v1",
 *   versions: {
 *     v1alpha1: {
 *       deprecated: "example.org/v1alpha1 Disk is deprecated; use example.org/v1",
 *       spec: s.object({ size: s.string({ pattern: "^[0-9]+Gi$" }) }),
 *       convert: {
 *         toStored: ({ spec, ...rest }) => ({ ...rest, spec: { gibibytes: parseInt(spec.size) } }),
 *         fromStored: ({ spec, ...rest }) => ({ ...rest, spec: { size: `${spec.gibibytes}Gi` } }),
 *       },
 *     },
 *     v1: { spec: s.object({ gibibytes: s.integer({ minimum: 0 }) }) },
 *   },
 * });
 * const disk = {
 *   apiVersion: "example.org/v1alpha1",
 *   kind: "Disk",
 *   metadata: { name: "a" },
 *   spec: { size: "8Gi" },
 * };
 * assert.deepEqual(Disk.conversion?.convert(disk, "v1"), {
 *   apiVersion: "example.org/v1",
 *   kind: "Disk",
 *   metadata: { name: "a" },
 *   spec: { gibibytes: 8 },
 * });
 * ```
 */
export function defineResource<
  const Specs extends Readonly<Record<string, unknown>>,
  const Statuses extends { readonly [V in keyof Specs]?: unknown },
  const Hub extends string & keyof Specs,
>(
  init: VersionedResourceInit<Specs, Statuses, Hub>,
): DefinedResource<
  StoredResource<SpecIn<Specs, Hub>, StatusIn<Statuses, Hub>>,
  InputResource<SpecIn<Specs, Hub>, StatusIn<Statuses, Hub>>,
  {
    readonly [V in keyof Specs]: DefinedVersion<
      StoredResource<Specs[V], StatusIn<Statuses, V>>,
      InputResource<Specs[V], StatusIn<Statuses, V>>
    >;
  }
>;
export function defineResource(init: unknown): DefinedResource {
  const wrong = shapeProblems(init);
  if (wrong.length > 0) throw new ResourceDefinitionError(kindOf(init), wrong);
  const plan = planOf(init as AnyResourceInit);
  const problems = [...nameProblems(plan), ...versionProblems(plan)];
  if (problems.length > 0) throw new ResourceDefinitionError(kindOf(init), problems);
  const crd = crdOf(plan);
  const versionOf = (version: string): DefinedVersion<KubeObject, KubeObject> => {
    const { group, kind, plural, scope } = plan;
    const type: ResourceType = resourceType({ group, version, kind, plural, scope });
    return Object.freeze({ ...type, inputType: undefined, crd });
  };
  const versions = plan.versions.map(({ name }) => [name, versionOf(name)] as const);
  const conversion = conversionIn(plan);
  return Object.freeze({
    ...versionOf(plan.storedVersion!),
    versions: Object.freeze(Object.fromEntries(versions)),
    ...(conversion && { conversion }),
  });
}

/**
 * Returns the kind of a resource definition for error messages, or the text `without a kind` if the
 * definition has no kind that is a string.
 */
function kindOf(init: unknown): string {
  const { kind } = (init ?? {}) as { readonly kind?: unknown };
  return typeof kind === "string" ? kind : "without a kind";
}

/**
 * Returns the conversion between a resource's versions; `undefined` if no version has conversion
 * functions.
 */
function conversionIn({ group, kind, storedVersion, versions }: ResourcePlan) {
  // deno-lint-ignore no-explicit-any -- each version has types of its own.
  const functions = new Map<string, VersionConversion<any, any>>();
  for (const { name, convert } of versions) if (convert) functions.set(name, convert);
  if (functions.size === 0) return undefined;
  return conversionOf({ group, kind, storedVersion: storedVersion!, functions });
}
