import type { KindStrategy } from "../machinery/strategy.ts";
import { controllerRevisionStrategy } from "./workloads/controller_revision.ts";
import { cronJobStrategy } from "./jobs/cron_job.ts";
import { daemonSetStrategy } from "./workloads/daemon_set.ts";
import { deploymentStrategy } from "./workloads/deployment.ts";
import { horizontalPodAutoscalerStrategy } from "./workloads/horizontal_pod_autoscaler.ts";
import { jobStrategy } from "./jobs/job.ts";
import { podStrategy } from "./pods/pod.ts";
import { podDisruptionBudgetStrategy } from "./workloads/pod_disruption_budget.ts";
import { podTemplateStrategy } from "./pods/pod_template.ts";
import { replicaSetStrategy } from "./workloads/replica_set.ts";
import { replicationControllerStrategy } from "./workloads/replication_controller.ts";
import { statefulSetStrategy } from "./workloads/stateful_set.ts";

/** The strategies of workloads, by kind and group, such as `Pod` or `Deployment.apps`. */
export const WORKLOAD_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  Pod: podStrategy,
  PodTemplate: podTemplateStrategy,
  ReplicationController: replicationControllerStrategy,
  "ControllerRevision.apps": controllerRevisionStrategy,
  "DaemonSet.apps": daemonSetStrategy,
  "Deployment.apps": deploymentStrategy,
  "ReplicaSet.apps": replicaSetStrategy,
  "StatefulSet.apps": statefulSetStrategy,
  "CronJob.batch": cronJobStrategy,
  "Job.batch": jobStrategy,
  "HorizontalPodAutoscaler.autoscaling": horizontalPodAutoscalerStrategy,
  "PodDisruptionBudget.policy": podDisruptionBudgetStrategy,
};
