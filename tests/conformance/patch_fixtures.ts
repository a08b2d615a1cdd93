/**
 * Objects that the cases of patches and field management begin with.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Answer, Target } from "./target.ts";

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

/** Where the Deployments of a case are. */
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

/** Hides the patched object from the message about it: the order of its fields is nobody's promise. */
export function hidePatchedObjects(t: Target): void {
  t.mask(/Invalid value: "\{[^]*\}": /g, "Invalid value: <object>: ");
}

/** A kind of this case, and where its objects are. */
export interface CustomKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Below the case's namespace. */
  path(rest?: string, version?: string): string;
}

/** Installs a kind `Widget` whose `spec` has these properties, and waits until it is served. */
export async function customKind(
  t: Target,
  properties: Record<string, unknown>,
  options: { readonly status?: boolean; readonly versions?: readonly string[] } = {},
): Promise<CustomKind> {
  const group = `${t.unique("group")}.example.com`;
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const { versions = ["v1"], status = false } = options;
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties },
        ...(status && {
          status: { type: "object", properties: { phase: { type: "string" } } },
        }),
      },
    },
  };
  const definition = {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      names,
      scope: "Namespaced",
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema,
        ...(status && { subresources: { status: {} } }),
      })),
    },
  };
  const root = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const created = await t.post(root, definition, { unrecorded: true });
  assert.equal(created.code, 201, JSON.stringify(created.body));
  const path = (rest = "", version = versions[0]!) =>
    t.path(`widgets${rest}`, `${group}/${version}`);
  for (let attempt = 0; attempt < 100; attempt++) {
    const codes = await Promise.all(
      versions.map(async (version) => (await t.get(path("", version), { unrecorded: true })).code),
    );
    if (codes.every((code) => code === 200)) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { apiVersion: `${group}/${versions[0]}`, kind: "Widget", path };
}
