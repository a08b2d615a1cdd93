import assert from "node:assert/strict";
import type {
  CoreV1Event,
  V1ConfigMap,
  V1Container,
  V1Deployment,
  V1StatefulSet,
  V2HorizontalPodAutoscaler,
} from "../kubernetes_types/mod.ts";
import * as builtin from "./builtin.ts";
import { namespaced } from "./builtin_type.ts";
import type { KubeObject } from "./object.ts";
import { type ResourceType, resourceType } from "./resource_type.ts";

/** A type that compiles only when its two parameters are identical types. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : never;

function holds<_Claim extends true>(): void {}

/** The names of the resource constants whose object type does not determine a kind. */
type Open = {
  [Name in keyof typeof builtin]: (typeof builtin)[Name] extends
    ResourceType<infer T extends KubeObject>
    ? string extends NonNullable<T["kind"]> | NonNullable<T["apiVersion"]> ? Name : never
    : Name;
}[keyof typeof builtin];

Deno.test("a constant of a built-in kind has the type of its objects", () => {
  holds<Same<typeof builtin.Deployment, ResourceType<V1Deployment>>>();
  holds<Same<typeof builtin.ConfigMap, ResourceType<V1ConfigMap>>>();
  holds<Same<typeof builtin.Event, ResourceType<CoreV1Event>>>();
  holds<
    Same<typeof builtin.HorizontalPodAutoscaler, ResourceType<V2HorizontalPodAutoscaler>>
  >();
  const image = (web: V1Deployment): V1Container["image"] =>
    web.spec.template.spec?.containers[0]?.image;
  assert.equal(image({ metadata: {}, spec: { selector: {}, template: {} } }), undefined);
});

Deno.test("a constant whose type names another kind does not compile", () => {
  holds<Same<Open, never>>();
  // @ts-expect-error The kind is another one than the type's.
  const wrongKind: ResourceType<V1Deployment> = namespaced("deployments.v1.apps", "StatefulSet");
  // @ts-expect-error The group is another one than the type's.
  const wrongGroup: ResourceType<V1Deployment> = namespaced("deployments.v1.batch", "Deployment");
  // @ts-expect-error The type is that of another constant.
  const wrongType: ResourceType<V1StatefulSet> = builtin.Deployment;
  assert.deepEqual([wrongKind.kind, wrongGroup.group, wrongType.kind], [
    "StatefulSet",
    "batch",
    "Deployment",
  ]);
  const names = {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
  } as const;
  assert.deepEqual(resourceType<V1Deployment>(names), builtin.Deployment);
  // @ts-expect-error The same of what users write themselves.
  assert(resourceType<V1Deployment>({ ...names, kind: "Deploymnet" }).kind !== "Deployment");
  // @ts-expect-error The same of what users write themselves.
  assert(resourceType<V1Deployment>({ ...names, version: "v1beta1" }).version !== "v1");
});
