import type { KindStrategy } from "../machinery/strategy.ts";
import { CONTROLLER_REVISION } from "./workloads/controller_revision.ts";
import { CRON_JOB } from "./jobs/cron_job.ts";
import { DAEMON_SET } from "./workloads/daemon_set.ts";
import { DEPLOYMENT } from "./workloads/deployment.ts";
import { HORIZONTAL_POD_AUTOSCALER } from "./workloads/horizontal_pod_autoscaler.ts";
import { JOB } from "./jobs/job.ts";
import { POD } from "./pods/pod.ts";
import { POD_DISRUPTION_BUDGET } from "./workloads/pod_disruption_budget.ts";
import { POD_TEMPLATE } from "./pods/pod_template.ts";
import { REPLICA_SET } from "./workloads/replica_set.ts";
import { REPLICATION_CONTROLLER } from "./workloads/replication_controller.ts";
import { STATEFUL_SET } from "./workloads/stateful_set.ts";

/** By kind and group, as `Pod` or `Deployment.apps`. */
export const WORKLOAD_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  Pod: POD,
  PodTemplate: POD_TEMPLATE,
  ReplicationController: REPLICATION_CONTROLLER,
  "ControllerRevision.apps": CONTROLLER_REVISION,
  "DaemonSet.apps": DAEMON_SET,
  "Deployment.apps": DEPLOYMENT,
  "ReplicaSet.apps": REPLICA_SET,
  "StatefulSet.apps": STATEFUL_SET,
  "CronJob.batch": CRON_JOB,
  "Job.batch": JOB,
  "HorizontalPodAutoscaler.autoscaling": HORIZONTAL_POD_AUTOSCALER,
  "PodDisruptionBudget.policy": POD_DISRUPTION_BUDGET,
};
