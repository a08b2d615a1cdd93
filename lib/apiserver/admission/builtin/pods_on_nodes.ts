// Mirrors `admission/podtopologylabels/admission.go, Plugin.Admit`.

/**
 * The admission plugins for pods that are assigned to a node: topology labels, and checks of
 * changes against the node.
 *
 * @module
 */
import { StatusError } from "@xca/apimachinery/internal/errors";
import {
  type ApiObject,
  compareQuantities,
  goQuote,
  type Json,
  jsonEqual,
  milliValue,
  wholeValue,
} from "@xca/apimachinery/internal/values";
import type { V1Node, V1Pod } from "@xca/apimachinery/kubernetes-types";
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { forbiddenByAdmission } from "../attributes.ts";
import { podRequests } from "@xca/apimachinery/internal/resources";

const LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** A Node with the features that its kubelet declares. */
type Node = V1Node & { readonly status?: { readonly declaredFeatures?: readonly string[] } };

function isPart({ context }: AdmissionRequest, ...subresources: readonly string[]): boolean {
  const { group, plural } = context.resource;
  return group === "" && plural === "pods" && subresources.includes(context.subresource);
}

function nodeNameOf(pod: ApiObject): string {
  return (pod as V1Pod).spec?.nodeName ?? "";
}

/**
 * The admission plugin that copies the zone and region labels of a node to a pod that is created on
 * the node, or to the Binding that binds a pod to the node; they replace labels with the same keys.
 * Without the node or such labels, nothing changes.
 */
export const TOPOLOGY_LABELS: Admission = {
  name: "PodTopologyLabels",
  handles: (request) => request.operation === "CREATE" && isPart(request, "", "binding"),
  mutate({ context, object }, registry) {
    const { target } = object as { target?: { kind?: string; name?: string } };
    const isBound = context.subresource === "binding";
    if (isBound && target?.kind !== "Node") return;
    const name = isBound ? target!.name ?? "" : nodeNameOf(object!);
    const node = name === "" ? undefined : registry.get("", "nodes", "", name);
    const labels = Object.entries(node?.metadata.labels ?? {})
      .filter(([key]) => LABELS.includes(key));
    if (labels.length === 0) return;
    object!.metadata.labels = { ...object!.metadata.labels, ...Object.fromEntries(labels) };
  },
};

/**
 * Reports whether a write updates a pod that is assigned to a node, through one of the given
 * subresources; an empty string stands for the pod itself.
 */
function changesPodOnNode(request: AdmissionRequest, ...subresources: string[]): boolean {
  return request.operation === "UPDATE" && isPart(request, ...subresources) &&
    nodeNameOf(request.object!) !== "";
}

/**
 * Returns the node that a pod is assigned to.
 *
 * @throws {StatusError} 403 if the node does not exist.
 */
function nodeOf(request: AdmissionRequest, registry: Registry): Node {
  const name = nodeNameOf(request.object!);
  const node = registry.get("", "nodes", "", name);
  if (!node) throw forbiddenByAdmission(request, `node ${goQuote(name)} not found`);
  return node as unknown as Node;
}

function isSameGeneration({ object, old }: AdmissionRequest): boolean {
  return object!.metadata.generation === old!.metadata.generation;
}

/**
 * The admission plugin that refuses with 403 an update of a pod on a node that needs a feature,
 * such as a change of the pod-level resources, if the node does not declare the feature or does not
 * exist. A write that keeps the pod's generation is not checked.
 */
export const DECLARED_FEATURES: Admission = {
  name: "NodeDeclaredFeatureValidator",
  handles: (request) => changesPodOnNode(request, "", "resize"),
  validate(request, registry) {
    if (isSameGeneration(request)) return;
    const wanted = neededFeatures(request.object as V1Pod, request.old as V1Pod);
    if (wanted.length === 0) return;
    const { metadata, status } = nodeOf(request, registry);
    const missing = wanted.filter((feature) => !status?.declaredFeatures?.includes(feature));
    if (missing.length === 0) return;
    throw forbiddenByAdmission(
      request,
      `pod update requires features ${missing.join(", ")} which are not available on node ` +
        goQuote(metadata.name!),
    );
  },
};

function neededFeatures({ spec }: V1Pod, { spec: old }: V1Pod): string[] {
  const differ = (a: unknown, b: unknown): boolean =>
    !jsonEqual((a ?? {}) as Json, (b ?? {}) as Json);
  const features: string[] = [];
  if (differ(spec?.resources, old?.resources)) {
    features.push("InPlacePodLevelResourcesVerticalScaling");
  }
  const starting = (old?.initContainers ?? []).some(({ restartPolicy, resources }, index) =>
    restartPolicy !== "Always" && differ(resources, spec?.initContainers?.[index]?.resources)
  );
  if (starting) features.push("InPlacePodVerticalScalingInitContainers");
  return features;
}

/**
 * The admission plugin that refuses a resize of a pod on a node with 403 if the pod's requests
 * would exceed the allocatable CPU or memory of the node, or if the node does not run Linux or does
 * not exist. A write that keeps the pod's generation is not checked.
 */
export const POD_RESIZE: Admission = {
  name: "PodResizeValidator",
  handles: (request) => changesPodOnNode(request, "resize"),
  validate(request, registry) {
    if (isSameGeneration(request)) return;
    const { metadata, status } = nodeOf(request, registry);
    const system = metadata.labels?.["kubernetes.io/os"] ?? "linux";
    if (system !== "linux") {
      const why = `pod resize is only supported on linux nodes, node ${goQuote(metadata.name!)} ` +
        `is ${goQuote(system)}`;
      throw withCause(forbiddenByAdmission(request, why), "UnsupportedPlatform");
    }
    const lacking = lackingOf(podRequests(request.object as V1Pod), status?.allocatable ?? {});
    if (lacking.length === 0) return;
    const why = `node didn't have enough allocatable resources: ${lacking.join("; ")}`;
    throw withCause(forbiddenByAdmission(request, why), "NodeCapacity");
  },
};

type Amounts = Readonly<Record<string, string>>;

function lackingOf(requests: Amounts, allocatable: Amounts): string[] {
  const shown = { cpu: milliValue, memory: wholeValue };
  return (["cpu", "memory"] as const).flatMap((name) => {
    const [asked = "0", most = "0"] = [requests[name], allocatable[name]];
    if (compareQuantities(asked, most) <= 0) return [];
    const amount = shown[name];
    return [`${name}, requested: ${amount(asked)}, allocatable: ${amount(most)}`];
  });
}

function withCause({ status }: StatusError, reason: string): StatusError {
  return new StatusError(status.code, status.reason!, status.message!, {
    ...status.details,
    causes: [{ reason }],
  });
}
