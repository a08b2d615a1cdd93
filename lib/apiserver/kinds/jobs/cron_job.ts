import {
  declared,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { byteLength, subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { V1CronJobSpec } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import type { Loose } from "../../validation/fields.ts";
import { sameValue } from "../../validation/immutable.ts";
import { validateNonnegative } from "../../validation/numbers.ts";
import { shownSelector } from "../../validation/shown.ts";
import { scheduleProblem, timeZoneProblem } from "./cron_schedule.ts";
import { hostnameWarnings } from "../pods/hostname_warnings.ts";
import { defaultFailurePolicy, dropDisabledJobFields, manyIndexesWarnings } from "./job.ts";
import type { JobSpec } from "./job_types.ts";
import { validateJobSpec } from "./job_validation.ts";
import { defaultPodTemplate } from "../pods/pod_defaults.ts";
import { dropDisabledFields } from "../pods/dropped_fields.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import type { Meta } from "../pods/common/pod_types.ts";
import { podWarnings } from "../pods/pod_warnings.ts";
import { podRules } from "../pods/stored_pod_rules.ts";
import { keepSpec, keepStatus } from "../pods/template_object.ts";

type Spec = Omit<Loose<V1CronJobSpec>, "jobTemplate"> & {
  jobTemplate?: { metadata?: Meta; spec?: JobSpec };
};

interface CronJob {
  metadata: Meta;
  spec: Spec;
  status?: object;
}

const SPEC = FieldPath.of("spec");
const JOB_SPEC = SPEC.child("jobTemplate", "spec");

/**
 * The strategy of CronJobs, which sets defaults, prepares objects for storage and validates writes
 * (registry/batch/cronjob, `Strategy`).
 */
export const cronJobStrategy: KindStrategy = typedStrategy<CronJob>({
  metadataOfUpdate: "change",
  defaults(object) {
    const spec = object.spec ??= {};
    spec.concurrencyPolicy ||= "Allow";
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    const job = spec.jobTemplate ??= {};
    job.metadata ??= {};
    defaultPodTemplate((job.spec ??= {}).template ??= {});
    defaultFailurePolicy(job.spec);
    object.status ??= {};
  },
  prepareForCreate(object) {
    const { metadata, spec } = object;
    object["status"] = {};
    metadata.generation = 1;
    const job = spec.jobTemplate!.spec!;
    dropDisabledJobFields(job, undefined);
    dropDisabledFields(job.template!.spec!, undefined);
  },
  validateCreate(object) {
    const { metadata: { name = "" }, spec } = object;
    const errors = validateSpec(spec, undefined, podRules(false));
    if (byteLength(name) <= 52) return errors;
    const detail = "must be no more than 52 characters";
    return [...errors, invalid(FieldPath.of("metadata", "name"), name, detail)];
  },
  prepareForUpdate(object, old) {
    const { metadata, spec } = object;
    keepStatus(object, old);
    const job = spec.jobTemplate!.spec!;
    const stored = old.spec.jobTemplate?.spec;
    dropDisabledJobFields(job, stored);
    dropDisabledFields(job.template!.spec!, stored?.template?.spec);
    if (!sameValue(spec, old.spec)) metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validateUpdate(object, old) {
    const before = old.spec;
    const rules = podRules(false, before.jobTemplate?.spec?.template);
    return validateSpec(object.spec, before, rules);
  },
  warnings(object, old) {
    const { metadata, spec } = object;
    const job = spec.jobTemplate?.spec ?? {};
    const warnings = old ? [] : hostnameWarnings(metadata.name ?? "", "Pod names and hostnames");
    if (!old || metadata.generation !== old.metadata.generation) {
      const { template = {} } = job;
      const at = JOB_SPEC.child("template");
      warnings.push(...manyIndexesWarnings(job, JOB_SPEC, false));
      warnings.push(...podWarnings(template.spec ?? {}, template.metadata, at));
    }
    if (old && spec.schedule?.includes("TZ")) {
      warnings.push(
        "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see " +
          "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
      );
    }
    return warnings;
  },
  status: { metadataOfUpdate: "none", prepareForUpdate: keepSpec },
  validateName: subdomainNameProblems,
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

function validateSpec(spec: Spec, old: Spec | undefined, rules: PodRules): FieldError[] {
  const { schedule = "", startingDeadlineSeconds = 0, timeZone } = spec;
  const at = SPEC.child("schedule");
  const errors = schedule === ""
    ? declared(required(at))
    : validateSchedule(schedule, timeZone, old?.schedule?.includes("TZ") ?? false);
  const deadline = SPEC.child("startingDeadlineSeconds");
  errors.push(...validateNonnegative(startingDeadlineSeconds, deadline));
  if (!old || old.timeZone !== timeZone) errors.push(...validateTimeZone(timeZone));
  const policies = ["Allow", "Forbid", "Replace"];
  const policy = spec.concurrencyPolicy ?? "";
  if (!policies.includes(policy)) {
    errors.push(notSupported(SPEC.child("concurrencyPolicy"), policy, policies));
  }
  const job = spec.jobTemplate?.spec ?? {};
  errors.push(...validateJobSpec(job, JOB_SPEC, rules));
  if (job.selector) {
    const detail = "`selector` will be auto-generated";
    errors.push(invalid(JOB_SPEC.child("selector"), shownSelector(job.selector), detail));
  }
  if (job.manualSelector) {
    errors.push(notSupported(JOB_SPEC.child("manualSelector"), true, ["nil", "false"]));
  }
  for (const field of ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"] as const) {
    errors.push(...validateNonnegative(spec[field] ?? 0, SPEC.child(field)));
  }
  return errors;
}

function validateSchedule(
  schedule: string,
  timeZone: string | undefined,
  allowZone: boolean,
): FieldError[] {
  const at = SPEC.child("schedule");
  const problem = scheduleProblem(schedule);
  const errors = problem ? [invalid(at, schedule, problem)] : [];
  if (!schedule.includes("TZ")) return errors;
  if (!allowZone) {
    const detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    errors.push(invalid(at, schedule, detail));
  } else if (timeZone !== undefined) {
    const detail = "cannot use both timeZone field and TZ or CRON_TZ in schedule";
    errors.push(invalid(at, schedule, detail));
  }
  return errors;
}

function validateTimeZone(zone: string | undefined): FieldError[] {
  if (zone === undefined) return [];
  const at = SPEC.child("timeZone");
  if (zone === "") return [invalid(at, zone, "timeZone must be nil or non-empty string")];
  const isPart = (part: string) =>
    part !== "." && part !== ".." && !part.startsWith("-") && /^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (!zone.split("/").every(isPart)) return [invalid(at, zone, `unknown time zone ${zone}`)];
  const errors: FieldError[] = [];
  if (zone.toLowerCase() === "local") {
    const detail = "timeZone must be an explicit time zone as defined in " +
      "https://www.iana.org/time-zones";
    errors.push(invalid(at, zone, detail));
  }
  const problem = timeZoneProblem(zone);
  return problem ? [...errors, invalid(at, zone, problem)] : errors;
}
