// Mirrors `controller/replication/replication_controller.go, ReplicationManager`.
import type { V1ReplicationController } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, ReplicationController } from "@xca/apimachinery/meta";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import { type ReadReplicaSet, replicasController } from "./replicas_controller.ts";

/**
 * The controller of ReplicationControllers, which it handles as ReplicaSets with a plain label
 * selector.
 */
export const replicationController: ControllerDefinition = replicasController({
  type: ReplicationController,
  name: "replicationcontroller-controller",
  eventSource: "replication-controller",
  asReplicaSet,
  countsTerminating: false,
});

function asReplicaSet(object: DeepReadonly<V1ReplicationController>): ReadReplicaSet {
  const { metadata, status } = object;
  const { selector: matchLabels = {}, ...spec } = object.spec ?? {};
  return {
    metadata,
    spec: { ...spec, selector: { matchLabels } },
    ...(status && { status }),
  };
}
