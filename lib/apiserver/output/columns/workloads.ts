// Mirrors `printers/internalversion/printers.go, printDeployment` and its siblings.
import { selectorText } from "@xca/apimachinery/internal/validation";
import {
  type CellsByKind,
  containerTexts,
  labelText,
  selectorOrNone,
  type Tree,
} from "../cell_text.ts";
import { humanDuration } from "../human_duration.ts";

/** The functions that return the table cells of workloads, such as Deployment, by kind. */
export const WORKLOAD_CELLS: CellsByKind = {
  PodTemplate: ({ metadata, template }) => [
    metadata.name,
    ...containerTexts(template?.spec),
    labelText(template?.metadata?.labels),
  ],
  ReplicationController: ({ metadata, spec, status }, age) => [
    metadata.name,
    spec.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    age(metadata.creationTimestamp),
    ...containerTexts(spec.template?.spec),
    labelText(spec.selector),
  ],
  "ReplicaSet.apps": ({ metadata, spec, status }, age) => [
    metadata.name,
    spec.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    age(metadata.creationTimestamp),
    ...containerTexts(spec.template?.spec),
    selectorOrNone(spec.selector),
  ],
  "Deployment.apps": ({ metadata, spec, status }, age) => [
    metadata.name,
    `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    age(metadata.creationTimestamp),
    ...containerTexts(spec.template?.spec),
    selectorText(spec.selector),
  ],
  "StatefulSet.apps": ({ metadata, spec, status }, age) => [
    metadata.name,
    `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    age(metadata.creationTimestamp),
    ...containerTexts(spec.template?.spec),
  ],
  "DaemonSet.apps": ({ metadata, spec, status }, age) => [
    metadata.name,
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelText(spec.template?.spec?.nodeSelector),
    age(metadata.creationTimestamp),
    ...containerTexts(spec.template?.spec),
    selectorOrNone(spec.selector),
  ],
  "ControllerRevision.apps": ({ metadata, revision }, age) => [
    metadata.name,
    controllerName(metadata),
    revision,
    age(metadata.creationTimestamp),
  ],
  "Job.batch": (job, age) => [
    job.metadata.name,
    jobStatus(job),
    completions(job),
    jobDuration(job, age),
    age(job.metadata.creationTimestamp),
    ...containerTexts(job.spec.template?.spec),
    selectorOrNone(job.spec.selector),
  ],
  "CronJob.batch": ({ metadata, spec, status }, age) => [
    metadata.name,
    spec.schedule,
    spec.timeZone ?? "<none>",
    spec.suspend === undefined ? "<unset>" : spec.suspend ? "True" : "False",
    status?.active?.length ?? 0,
    status?.lastScheduleTime ? age(status.lastScheduleTime) : "<none>",
    age(metadata.creationTimestamp),
    ...containerTexts(spec.jobTemplate?.spec?.template?.spec),
    selectorOrNone(spec.jobTemplate?.spec?.selector),
  ],
};

function controllerName({ ownerReferences = [] }: Tree): string {
  const owner = ownerReferences.find((each: Tree) => each.controller);
  if (!owner) return "<none>";
  const group = owner.apiVersion.includes("/") ? `.${owner.apiVersion.split("/")[0]}` : "";
  return `${owner.kind}${group}`.toLowerCase() + `/${owner.name}`;
}

function completions({ spec, status }: Tree): string {
  const done = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${done}/${spec.completions}`;
  return (spec.parallelism ?? 0) > 1 ? `${done}/1 of ${spec.parallelism}` : `${done}/1`;
}

function jobDuration({ status }: Tree, age: (time: string) => string): string {
  const { startTime, completionTime } = status ?? {};
  if (!startTime) return "";
  if (!completionTime) return age(startTime);
  return humanDuration(Date.parse(completionTime) - Date.parse(startTime));
}

function jobStatus({ metadata, status }: Tree): string {
  const has = (type: string): boolean =>
    status?.conditions?.find((each: Tree) => each.type === type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (metadata.deletionTimestamp) return "Terminating";
  if (has("Suspended")) return "Suspended";
  if (has("FailureTarget")) return "FailureTarget";
  return has("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}
