/** The operator of the tests of deployments: one kind, whose objects have a finalizer. */
import {
  controllerFor,
  defineOperator,
  finalize,
  type Operator,
} from "../../../lib/controller/mod.ts";
import { type DefinedResource, defineResource, s } from "../../../lib/resource/mod.ts";
import type { KubeObject } from "../../../lib/apimachinery/meta/mod.ts";

/** An object of the operator. */
export interface Parcel extends KubeObject {
  spec: { address: string; size: "small" | "large" };
}

/** The kind of the operator. */
export const Parcel: DefinedResource<Parcel> = defineResource({
  group: "post.example.org",
  version: "v1",
  kind: "Parcel",
  plural: "parcels",
  spec: s.object({
    address: s.string({ minLength: 3, description: "The address of the receiver." }),
    size: s.enum(["small", "large"], { default: "small" }),
  }),
}) as unknown as DefinedResource<Parcel>;

const controller = controllerFor(Parcel)
  .uses(Parcel, ["finalize"])
  .reconcile(async (context) => {
    const found = context.cache.get(Parcel, context.key);
    const cleanup = (): void => {};
    if (found) await finalize(context, Parcel, found, { finalizer: "example.org/post", cleanup });
  });

/** The operator of the tests. */
export const post: Operator = defineOperator({ name: "post", controllers: [controller] });

export default post;
