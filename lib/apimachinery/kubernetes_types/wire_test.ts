import assert from "node:assert/strict";
import type { KubeObject } from "../meta/object.ts";
import { resourceType } from "../meta/resource_type.ts";
import type { Client } from "../../client/typed/client.ts";
import type {
  CoreV1Event,
  V1CustomResourceDefinition,
  V1Deployment,
  V1Lease,
  V1NetworkPolicy,
  V1Node,
  V1Pod,
  Wire,
} from "./mod.ts";

/** A type that compiles only when its two parameters are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : never;

function holds<_Claim extends true>(): void {}

Deno.test("kubernetes-types: dates are strings at every depth", () => {
  holds<Same<V1Pod["metadata"]["creationTimestamp"], string | undefined>>();
  holds<Same<NonNullable<V1Lease["spec"]>["renewTime"], string | undefined>>();
  holds<Same<NonNullable<CoreV1Event["eventTime"]>, string>>();
  type Conditions = NonNullable<NonNullable<V1Node["status"]>["conditions"]>;
  holds<Same<Conditions[number]["lastHeartbeatTime"], string | undefined>>();
});

Deno.test("kubernetes-types: fields have their names in JSON", () => {
  holds<Same<Wire<{ _continue?: string }>["continue"], string | undefined>>();
  type Rule = NonNullable<NonNullable<V1NetworkPolicy["spec"]>["ingress"]>[number];
  holds<"from" extends keyof Rule ? true : never>();
  type Schema = NonNullable<
    NonNullable<V1CustomResourceDefinition["spec"]["versions"][number]["schema"]>["openAPIV3Schema"]
  >;
  holds<"x-kubernetes-preserve-unknown-fields" extends keyof Schema ? true : never>();
  holds<"$ref" extends keyof Schema ? true : never>();
  holds<Same<Schema["enum"], unknown[] | undefined>>();
});

Deno.test("kubernetes-types: the type of a kind is assignable to KubeObject", () => {
  const pod: V1Pod = { metadata: { name: "p", labels: { a: "b" } }, spec: { containers: [] } };
  const object: KubeObject = pod;
  assert.equal(object.metadata.name, "p");
  const Deployments = resourceType<V1Deployment>({
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
  });
  const image = async (client: Client): Promise<string | undefined> =>
    (await client.get(Deployments, "default/web")).spec?.template.spec?.containers[0]?.image;
  assert.equal(typeof image, "function");
});
