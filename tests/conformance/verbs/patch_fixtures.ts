/**
 * Objects that the cases of patches and field management begin with.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Answer, Target } from "../target.ts";

/** The owners of an object, as `manager operation subresource`, sorted: for what a case asserts. */
export function owners(object: { readonly metadata: unknown }): string[] {
  const { managedFields = [] } = object.metadata as {
    managedFields?: readonly Record<string, string>[];
  };
  return managedFields.map(({ manager, operation, subresource }) =>
    [manager, operation, subresource].filter(Boolean).join(" ")
  ).sort();
}

/** A ConfigMap, created as `creator`. */
export async function configMap(
  t: Target,
  name: string,
  data: Record<string, string>,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  const body = { metadata: { name, ...more }, data };
  const created = await t.post(t.path("configmaps?fieldManager=creator"), body);
  assert.equal(created.code, 201);
  return created;
}

/** A Deployment of one container `c`, as it is posted. */
export function deployment(name: string, container: Record<string, unknown> = {}): unknown {
  return {
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "c", image: "i", ...container }] },
      },
    },
  };
}

/** Returns the path of the Deployments of a case. */
export function deployments(t: Target, rest = ""): string {
  return t.path(`deployments${rest}`, "apps/v1");
}

/** Creates a Deployment as `creator`. */
export async function createDeployment(
  t: Target,
  name: string,
  container: Record<string, unknown> = {},
): Promise<Answer> {
  const body = deployment(name, container);
  const created = await t.post(deployments(t, "?fieldManager=creator"), body);
  assert.equal(created.code, 201);
  return created;
}

/** Removes the patched object from a message, since the order of its fields is undefined. */
export function hidePatchedObjects(t: Target): void {
  t.mask(/Invalid value: "\{[^]*\}": /g, "Invalid value: <object>: ");
}
