import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import { sameValue } from "../../validation/immutable.ts";
import { overlappingIndex, parseIndexes } from "./index_intervals.ts";
import { internalForm } from "../pods/common/internal_form.ts";
import { isIndexed, type Job, type JobStatus } from "./job_types.ts";
import { omitValue } from "./omit_value.ts";
import { validateCounts } from "../workloads/replica_counts.ts";

const STATUS = FieldPath.of("status");
const CONDITIONS = STATUS.child("conditions");

/**
 * The new and the old status of a Job, with functions that report whether conditions are or were
 * true, and whether any of several fields changed, or any of several conditions became true or
 * ceased to be true.
 */
interface View {
  readonly status: JobStatus;
  readonly old: JobStatus;
  readonly is: (condition: string) => boolean;
  readonly was: (condition: string) => boolean;
  readonly changed: (...fields: (keyof JobStatus)[]) => boolean;
  readonly turned: (...conditions: string[]) => boolean;
}

function viewOf(status: JobStatus, old: JobStatus): View {
  const has = ({ conditions = [] }: JobStatus) => (condition: string): boolean =>
    conditions.some(({ type, status: value }) => type === condition && value === "True");
  const is = has(status);
  const was = has(old);
  return {
    status,
    old,
    is,
    was,
    changed: (...fields) => fields.some((field) => !sameValue(status[field], old[field])),
    turned: (...conditions) => conditions.some((condition) => is(condition) !== was(condition)),
  };
}

/**
 * Validates an update of a Job's status, of which `old` is the stored Job; the outcome of a
 * finished Job cannot change (`batch/validation/validation.go`, `ValidateJobUpdateStatus`).
 */
export function validateJobStatus(job: Job, old: Job): FieldError[] {
  const view = viewOf(job.status ?? {}, old.status ?? {});
  return [
    ...validateCounts(view.status, ["active", "succeeded", "failed", "ready", "terminating"]),
    ...validateUncounted(view.status),
    ...validateCompletion(view),
    ...validateFinished(job, view),
    ...validateIndexSets(job, view),
    ...validatePods(view),
    ...validateSuccess(job, view),
    ...validateTransition(job, view),
  ];
}

function validateUncounted({ uncountedTerminatedPods: pods }: JobStatus): FieldError[] {
  const seen = new Set<string>();
  return (["succeeded", "failed"] as const).flatMap((field) =>
    (pods?.[field] ?? []).flatMap((uid, index) => {
      const at = STATUS.child("uncountedTerminatedPods", field).index(index);
      if (uid === "") return [invalid(at, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    })
  );
}

function cannot(detail: string): FieldError {
  return omitValue(invalid(CONDITIONS, "", detail));
}

function validateCompletion({ status, is, changed, turned }: View): FieldError[] {
  const { completionTime, startTime } = status;
  const at = STATUS.child("completionTime");
  const errors: FieldError[] = [];
  const complete = is("Complete");
  if (turned("Complete", "Failed") && complete && is("Failed")) {
    errors.push(cannot("cannot set Complete=True and Failed=true conditions"));
  }
  if (turned("Complete", "FailureTarget") && complete && is("FailureTarget")) {
    errors.push(cannot("cannot set Complete=True and FailureTarget=true conditions"));
  }
  if (turned("Complete") || changed("completionTime")) {
    if (completionTime && !complete) {
      const detail = "cannot set completionTime when there is no Complete=True condition";
      errors.push(invalid(at, completionTime, detail));
    }
    if (!completionTime && complete) {
      errors.push(required(at, "completionTime is required for Complete jobs"));
    }
  }
  if (
    changed("startTime", "completionTime") && startTime && completionTime &&
    Date.parse(completionTime) < Date.parse(startTime)
  ) errors.push(invalid(at, completionTime, "must be equal to or after `startTime`"));
  return errors;
}

function validateFinished(job: Job, view: View): FieldError[] {
  const { status, is, was, changed, turned } = view;
  const errors: FieldError[] = [];
  if ((turned("Failed") || changed("failedIndexes")) && is("Failed") && !is("FailureTarget")) {
    errors.push(
      cannot("cannot set Failed=True condition without the FailureTarget=true condition"),
    );
  }
  if (turned("Complete", "SuccessCriteriaMet") && is("Complete") && !is("SuccessCriteriaMet")) {
    const detail =
      "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
    errors.push(cannot(detail));
  }
  const finished = is("Complete") || is("Failed");
  const ended = finished !== (was("Complete") || was("Failed"));
  if (!finished) return errors;
  const { active = 0, startTime, uncountedTerminatedPods: pods } = status;
  if ((ended || changed("active")) && active > 0) {
    errors.push(invalid(STATUS.child("active"), active, "active>0 is invalid for finished job"));
  }
  const neverRan = job.spec.suspend && job.spec.completions === 0;
  if ((ended || changed("startTime")) && !neverRan && !startTime) {
    errors.push(required(STATUS.child("startTime"), "startTime is required for finished job"));
  }
  const uncounted = (pods?.failed ?? []).length + (pods?.succeeded ?? []).length;
  if ((ended || changed("uncountedTerminatedPods")) && uncounted > 0) {
    const shown = internalForm("UncountedTerminatedPods", pods);
    const at = STATUS.child("uncountedTerminatedPods");
    errors.push(invalid(at, shown, "must be empty for finished job"));
  }
  return errors;
}

function validateIndexSets({ spec }: Job, { status, changed }: View): FieldError[] {
  const { completedIndexes: completed = "", failedIndexes: failed } = status;
  const { completions, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  const completedAt = STATUS.child("completedIndexes");
  const failedAt = STATUS.child("failedIndexes");
  const [completedChanged, failedChanged] = [changed("completedIndexes"), changed("failedIndexes")];
  const check = (field: string, text: string) => {
    const parsed = parseIndexes(text, completions!);
    if (typeof parsed === "number") return;
    errors.push(invalid(STATUS.child(field), text, `error parsing ${field}: ${parsed}`));
  };
  if (completions !== undefined) {
    if (completedChanged) check("completedIndexes", completed);
    if (failedChanged && backoffLimitPerIndex !== undefined && failed !== undefined) {
      check("failedIndexes", failed);
    }
  }
  if (completedChanged && completed !== "" && !isIndexed(spec)) {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalid(completedAt, completed, detail));
  }
  if (failed === undefined) return errors;
  if (failedChanged && backoffLimitPerIndex === undefined) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalid(failedAt, failed, detail));
  }
  if ((failedChanged || completedChanged) && completions !== undefined) {
    const index = overlappingIndex(completed, failed, completions);
    if (index !== undefined) {
      const detail = `failedIndexes and completedIndexes overlap at index: ${index}`;
      errors.push(invalid(failedAt, failed, detail));
    }
  }
  return errors;
}

function validatePods({ status, is, was, changed }: View): FieldError[] {
  const { terminating, ready, active = 0 } = status;
  const finished = is("Complete") || is("Failed");
  const ended = finished !== (was("Complete") || was("Failed"));
  const errors: FieldError[] = [];
  if ((ended || changed("terminating")) && finished && (terminating ?? 0) > 0) {
    const detail = "terminating>0 is invalid for finished job";
    errors.push(invalid(STATUS.child("terminating"), terminating, detail));
  }
  if (changed("ready", "active") && ready !== undefined && ready > active) {
    const detail = "cannot set more ready pods than active";
    errors.push(invalid(STATUS.child("ready"), ready, detail));
  }
  return errors;
}

function validateSuccess({ spec }: Job, { is }: View): FieldError[] {
  const met = is("SuccessCriteriaMet");
  const errors: FieldError[] = [];
  if (met && is("Failed")) {
    errors.push(cannot("cannot set SuccessCriteriaMet=True and Failed=true conditions"));
  }
  if (met && is("FailureTarget")) {
    errors.push(cannot("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"));
  }
  if (spec.successPolicy && !met && is("Complete")) {
    const detail = "cannot set Complete=True for Job with SuccessPolicy unless " +
      "SuccessCriteriaMet=True";
    errors.push(cannot(detail));
  }
  return errors;
}

function validateTransition({ spec }: Job, view: View): FieldError[] {
  const { status, old, is, was, changed } = view;
  const errors = ["Failed", "Complete", "FailureTarget"].filter((type) => was(type) && !is(type))
    .map((type) => cannot(`cannot disable the terminal ${type}=True condition`));
  const countsDown = (field: "failed" | "succeeded") => {
    const count = status[field] ?? 0;
    if (count >= (old[field] ?? 0)) return;
    errors.push(invalid(STATUS.child(field), count, `cannot decrease the ${field} counter`));
  };
  countsDown("failed");
  if (!isIndexed(spec) || spec.completions !== spec.parallelism) countsDown("succeeded");
  const { completionTime, startTime } = status;
  if (completionTime && old.completionTime && changed("completionTime")) {
    errors.push(invalid(STATUS.child("completionTime"), completionTime, "field is immutable"));
  }
  const resumes = was("Suspended") &&
    (status.conditions ?? []).some((each) => each.type === "Suspended" && each.status === "False");
  if (old.startTime && changed("startTime") && !resumes && !spec.suspend) {
    const detail = "field is immutable for unsuspended job once set";
    errors.push(invalid(STATUS.child("startTime"), startTime, detail));
  }
  if (was("SuccessCriteriaMet") && !is("SuccessCriteriaMet")) {
    errors.push(cannot("cannot disable the SuccessCriteriaMet=True condition"));
  }
  if (was("Complete") && !was("SuccessCriteriaMet") && is("SuccessCriteriaMet")) {
    const detail =
      "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.push(cannot(detail));
  }
  return errors;
}
