// Mirrors `controller/replicaset/replica_set.go, NewReplicaSetController`.
import { ReplicaSet } from "@xca/apimachinery/meta";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import { replicasController } from "./replicas_controller.ts";

/** The controller that keeps the desired number of pods of each ReplicaSet. */
export const replicaSetController: ControllerDefinition = replicasController({
  type: ReplicaSet,
  name: "replicaset-controller",
  eventSource: "replicaset-controller",
  asReplicaSet: (replicaSet) => replicaSet,
  countsTerminating: true,
});
