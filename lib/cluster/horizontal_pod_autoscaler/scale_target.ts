// Mirrors `client-go/scale/client.go, scaleClient`.
import type { Client } from "../../client/typed/client.ts";

/** The scale of an autoscaler's target. */
export interface TargetScale {
  readonly path: string;
  readonly object: { readonly spec?: { readonly replicas?: number } };
  readonly replicas: number;
  /** The selector of the target's pods, as text. */
  readonly selector: string;
}

/** The reference of an autoscaler to its target. */
interface TargetReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

interface ScaleObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly selector?: string };
}

/** Reads the scale of a target. @throws {ApiError} @throws {Error} When its kind is unknown. */
export async function readScale(
  client: Client,
  namespace: string,
  { apiVersion = "v1", kind, name }: TargetReference,
): Promise<TargetScale> {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
  const root = group === "" ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const plural = await pluralOf(client, root, kind, group);
  const path = `${root}/namespaces/${namespace}/${plural}/${name}/scale`;
  const object = await (await client.request({ path })).json() as ScaleObject;
  const { spec, status } = object;
  return { path, object, replicas: spec?.replicas ?? 0, selector: status?.selector ?? "" };
}

/** Writes the number of replicas of a target. @throws {ApiError} When the server refuses. */
export async function writeScale(
  client: Client,
  { path, object }: TargetScale,
  replicas: number,
): Promise<void> {
  const body = { ...object, spec: { ...object.spec, replicas } };
  await (await client.request({ method: "PUT", path, body })).body?.cancel();
}

const KNOWN: Readonly<Record<string, string>> = {
  "apps/Deployment": "deployments",
  "apps/ReplicaSet": "replicasets",
  "apps/StatefulSet": "statefulsets",
  "/ReplicationController": "replicationcontrollers",
};

async function pluralOf(
  client: Client,
  root: string,
  kind: string,
  group: string,
): Promise<string> {
  const known = KNOWN[`${group}/${kind}`];
  if (known !== undefined) return known;
  const { resources = [] } = await client.request({ path: root })
    .then((response) => response.json(), () => ({})) as {
      readonly resources?: readonly { readonly name: string; readonly kind: string }[];
    };
  const found = resources.find((each) => each.kind === kind && !each.name.includes("/"));
  if (found) return found.name;
  throw new Error(
    `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`,
  );
}
