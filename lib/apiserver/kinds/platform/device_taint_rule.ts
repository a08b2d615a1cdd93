import {
  declared,
  type FieldError,
  FieldPath,
  notSupported,
  required,
  tooMany,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
  labelValueProblems,
  validateLabelKey,
} from "@xca/apimachinery/internal/validation";
import type { V1DeviceTaintRule } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateConditions } from "../../validation/conditions.ts";
import { validateDriverName } from "../../validation/driver_name.ts";
import { beginGeneration, countGeneration } from "../core/generation.ts";

type Spec = V1DeviceTaintRule["spec"];
type Taint = NonNullable<Spec["taint"]>;

const SPEC = FieldPath.of("spec");
const EFFECTS = ["NoExecute", "NoSchedule", "None"];
const MAX_CONDITIONS = 8;

/**
 * The strategy of DeviceTaintRules, which prepares objects for storage, with the time of the taint,
 * and validates writes (registry/resource/devicetaintrule, `Strategy`).
 */
export const deviceTaintRuleStrategy: KindStrategy = typedStrategy<V1DeviceTaintRule>({
  prepareForCreate(rule, { now }) {
    rule.status = {};
    rule.spec.taint.timeAdded ??= formatTime(now);
    beginGeneration(rule);
  },
  validateCreate: ({ spec }) => validateSpec(spec, undefined),
  prepareForUpdate(rule, old, { now }) {
    rule.status = old.status ?? {};
    const { taint } = rule.spec;
    taint.timeAdded ??= formatTime(now);
    // A new effect counts from now, unless the writer sets another time.
    if (taint.effect !== old.spec.taint.effect && taint.timeAdded === old.spec.taint.timeAdded) {
      taint.timeAdded = formatTime(now);
    }
    countGeneration(rule, old, rule.spec, old.spec);
  },
  validateUpdate: ({ spec }, old) => validateSpec(spec, old.spec),
  status: {
    prepareForUpdate(rule, old) {
      rule.spec = old.spec;
      keepMetadata(rule, old);
    },
    validateUpdate({ status }) {
      const { conditions = [] } = status ?? {};
      const path = FieldPath.of("status", "conditions");
      const errors = validateConditions(conditions, path);
      if (conditions.length <= MAX_CONDITIONS) return errors;
      return [...errors, tooMany(path, conditions.length, MAX_CONDITIONS)];
    },
  },
  metadataOfUpdate: "change",
  allowUnconditionalUpdate: false,
  resetFields: [["status"]],
  statusResetFields: [["metadata"], ["spec"]],
});

function validateSpec({ deviceSelector, taint }: Spec, old: Spec | undefined): FieldError[] {
  const { driver, pool, device } = deviceSelector ?? {};
  const path = SPEC.child("deviceSelector");
  return [
    ...driver === undefined ? [] : validateDriverName(driver, path.child("driver")),
    ...pool === undefined ? [] : validatePoolName(pool, path.child("pool")),
    ...device === undefined
      ? []
      : invalidForEach(path.child("device"), device, dnsLabelProblems(device)),
    ...validateTaint(taint, old?.taint),
  ];
}

/** Validates the name of a device pool: subdomains, with slashes between them. */
function validatePoolName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  return name.split("/").flatMap((part) => invalidForEach(path, part, dnsSubdomainProblems(part)));
}

function validateTaint(taint: Taint | undefined, old: Taint | undefined): FieldError[] {
  const { key = "", value = "", effect = "" } = taint ?? {};
  const path = SPEC.child("taint");
  const errors = validateLabelKey(key, path.child("key"));
  if (value !== "") {
    errors.push(...invalidForEach(path.child("value"), value, labelValueProblems(value)));
  }
  if (old && (old.effect ?? "") === effect) return errors;
  const at = path.child("effect");
  if (effect === "") return [...errors, ...declared(required(at))];
  if (EFFECTS.includes(effect)) return errors;
  return [...errors, ...declared(notSupported(at, effect, EFFECTS))];
}
