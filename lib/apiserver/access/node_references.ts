/**
 * The objects that a node may read because of the pods that run on it. Mirrors the graph of
 * `plugin/pkg/auth/authorizer/node/graph.go, Graph`, but reads the stored objects at each request.
 *
 * @module
 */
import { podSecretNames } from "@xca/apimachinery/internal/meta";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { RegistryReader } from "../machinery/registry_reader.ts";

type Fields = Readonly<Record<string, unknown>>;

const MIRROR = "kubernetes.io/config.mirror";

/**
 * The identity of an object that a kubelet requests: the plural of its resource, its namespace and
 * its name.
 */
export interface Related {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Reports whether an object is related to a node, such as a Secret that one of its pods mounts
 * (`NodeAuthorizer.hasPathFrom`).
 */
export function isRelated(registry: RegistryReader, node: string, object: Related): boolean {
  const { resource, namespace, name } = object;
  switch (resource) {
    case "pods":
      return nodeOf(registry.get("", "pods", namespace, name)) === node;
    case "volumeattachments":
      return nodeOf(registry.get("storage.k8s.io", resource, "", name)) === node;
    case "resourceslices":
      return nodeOf(registry.get("resource.k8s.io", resource, "", name)) === node;
    case "persistentvolumes":
      return isVolumeOnNode(registry, node, registry.get("", resource, "", name));
    case "secrets":
      return isReferenced(registry, node, object) || isSecretOfVolume(registry, node, object);
    default:
      return isReferenced(registry, node, object);
  }
}

/**
 * Reports whether a pod on the node refers to an object of the pod's namespace, such as a
 * ConfigMap. Mirror pods do not count.
 */
function isReferenced(
  registry: RegistryReader,
  node: string,
  { resource, namespace, name }: Related,
): boolean {
  for (const pod of registry.list("", "pods", namespace)) {
    if (nodeOf(pod) !== node || pod.metadata.annotations?.[MIRROR] !== undefined) continue;
    if (namesIn(pod, resource).includes(name)) return true;
  }
  return false;
}

function isVolumeOnNode(
  registry: RegistryReader,
  node: string,
  volume: ApiObject | undefined,
): boolean {
  const { claimRef } = fieldsOf(volume?.["spec"]);
  if (!claimRef) return false;
  const { namespace, name } = claimRef as Related;
  return isReferenced(registry, node, { resource: "persistentvolumeclaims", namespace, name });
}

/**
 * Reports whether a PersistentVolume whose claim a pod on the node mounts names the Secret, as one
 * that the kubelet reads to mount the volume.
 */
function isSecretOfVolume(
  registry: RegistryReader,
  node: string,
  { namespace, name }: Related,
): boolean {
  for (const volume of registry.list("", "persistentvolumes")) {
    const { claimRef, ...spec } = fieldsOf(volume["spec"]);
    const ofClaim = fieldsOf(claimRef)["namespace"];
    const refers = Object.values(spec).some((source) =>
      KUBELET_SECRETS.some((field) => {
        const secret = fieldsOf(fieldsOf(source)[field]);
        return secret["name"] === name && (secret["namespace"] ?? ofClaim) === namespace;
      })
    );
    if (refers && isVolumeOnNode(registry, node, volume)) return true;
  }
  return false;
}

/**
 * The names of the fields of persistent volume sources that name Secrets which the kubelet reads;
 * controllers read the Secrets of other fields.
 */
const KUBELET_SECRETS = [
  "secretRef",
  "nodePublishSecretRef",
  "nodeStageSecretRef",
  "nodeExpandSecretRef",
];

function nodeOf(object: ApiObject | undefined): unknown {
  return fieldsOf(object?.["spec"])["nodeName"];
}

/**
 * Returns the names of the objects of one resource, such as `secrets`, that a pod refers to, with
 * repetitions and with `undefined` for absent references.
 */
function namesIn(pod: ApiObject, resource: string): readonly unknown[] {
  const spec = fieldsOf(pod["spec"]);
  const volumes = listOf(spec["volumes"]);
  switch (resource) {
    case "serviceaccounts":
      return [spec["serviceAccountName"]];
    case "secrets":
      return podSecretNames(pod as V1Pod);
    case "configmaps":
      return [
        ...fromEnvironment(spec, "configMapRef", "configMapKeyRef"),
        ...volumes.map(({ configMap }) => fieldsOf(configMap)["name"]),
        ...volumes.flatMap((volume) => projected(volume, "configMap")),
      ];
    case "persistentvolumeclaims":
      return volumes.map(({ name, persistentVolumeClaim, ephemeral }) =>
        ephemeral ? `${pod.metadata.name}-${name}` : fieldsOf(persistentVolumeClaim)["claimName"]
      );
    case "resourceclaims":
      return claimsOf(spec, fieldsOf(pod["status"]));
    default:
      return [];
  }
}

function fromEnvironment(spec: Fields, whole: string, key: string): unknown[] {
  const containers = ["initContainers", "containers", "ephemeralContainers"]
    .flatMap((kind) => listOf(spec[kind]));
  return containers.flatMap(({ env, envFrom }) => [
    ...listOf(envFrom).map((source) => fieldsOf(source[whole])["name"]),
    ...listOf(env).map(({ valueFrom }) => fieldsOf(fieldsOf(valueFrom)[key])["name"]),
  ]);
}

function projected({ projected: source }: Fields, kind: string): unknown[] {
  return listOf(fieldsOf(source)["sources"]).map((each) => fieldsOf(each[kind])["name"]);
}

function claimsOf(spec: Fields, status: Fields): unknown[] {
  return [
    ...listOf(spec["resourceClaims"]).map(({ resourceClaimName }) => resourceClaimName),
    ...listOf(status["resourceClaimStatuses"]).map(({ resourceClaimName }) => resourceClaimName),
    fieldsOf(status["extendedResourceClaimStatus"])["resourceClaimName"],
  ];
}

function fieldsOf(value: unknown): Fields {
  return (value ?? {}) as JsonObject;
}

function listOf(value: unknown): readonly Fields[] {
  return (value ?? []) as readonly Fields[];
}
