// Mirrors `api/meta/interfaces.go, RESTMapper.RESTMappings`.
import {
  Deployment,
  Ingress,
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  ReplicationController,
  type ResourceType,
  resourceType,
  Service,
  StatefulSet,
} from "@xca/apimachinery/meta";
import { isNotFound } from "../../client/errors/api_error.ts";
import type { Client } from "../../client/typed/client.ts";

const KNOWN: readonly ResourceType[] = [
  Deployment,
  Ingress,
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  ReplicationController,
  Service,
  StatefulSet,
];

/** The name of a kind and its API group, without a version. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * Returns the API group (empty for the core group) and the kind that a target reference names,
 * without the version.
 */
export function groupKindOf(
  { apiVersion = "", kind }: { readonly apiVersion?: string; readonly kind: string },
): GroupKind {
  return { group: apiVersion.includes("/") ? apiVersion.split("/")[0]! : "", kind };
}

/**
 * Returns the resource types of a kind: the built-in type of a well-known kind, otherwise the types
 * of all served versions, the server's preferred version first.
 *
 * @throws {Error} When the server does not serve the kind; the message is that of
 *   kube-controller-manager.
 */
export async function resourcesOfKind(
  client: Client,
  { group, kind }: GroupKind,
): Promise<readonly ResourceType[]> {
  const known = KNOWN.find((type) => type.group === group && type.kind === kind);
  if (known) return [known];
  const found: ResourceType[] = [];
  for (const version of await versionsOf(client, group)) {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const { resources = [] } = await readOr404<ResourceList>(client, path) ?? {};
    found.push(
      ...resources.filter((each) => each.kind === kind && !each.name.includes("/"))
        .map(({ name, namespaced }) =>
          resourceType({
            group,
            version,
            kind,
            plural: name,
            scope: namespaced ? "Namespaced" : "Cluster",
          })
        ),
    );
  }
  if (found.length > 0) return found;
  throw new Error(
    `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`,
  );
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

interface Group {
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion: { readonly version: string };
}

/**
 * Returns the served versions of an API group, the preferred one first; an empty list when the
 * group is not served.
 */
async function versionsOf(client: Client, group: string): Promise<readonly string[]> {
  if (group === "") return ["v1"];
  const found = await readOr404<Group>(client, `/apis/${group}`);
  if (!found) return [];
  const { preferredVersion: { version }, versions } = found;
  return [...new Set([version, ...versions.map((each) => each.version)])];
}

async function readOr404<T>(client: Client, path: string): Promise<T | undefined> {
  return await client.requestJson<T>({ path }).catch((error) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}
