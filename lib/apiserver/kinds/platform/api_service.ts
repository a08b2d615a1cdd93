import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dns1035LabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
  rangeProblem,
} from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { V1APIService } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const SPEC = FieldPath.of("spec");
const STATUSES = ["True", "False", "Unknown"];

/**
 * The strategy of APIServices, which sets defaults, prepares objects for storage and validates
 * writes (kube-aggregator/pkg/registry/apiservice, `Strategy`).
 */
export const apiServiceStrategy: KindStrategy = typedStrategy<V1APIService>({
  defaults({ spec }) {
    if (spec?.service) spec.service.port ??= 443;
  },
  prepareForCreate(object, { now }) {
    object.status = object.spec?.service ? {} : { conditions: [localCondition(now)] };
  },
  validateName: () => [],
  validateCreate: validate,
  prepareForUpdate(object, old) {
    object.status = old.status ?? {};
  },
  validateUpdate: validate,
  status: {
    prepareForUpdate(object, old) {
      if (old.spec) object.spec = old.spec;
      for (const name of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
        const before = old.metadata[name];
        if (before === undefined) delete object.metadata[name];
        else (object.metadata as Record<string, unknown>)[name] = before;
      }
    },
    validateUpdate: ({ status }) =>
      (status?.conditions ?? []).flatMap(({ status: text }, index) =>
        STATUSES.includes(text) ? [] : [
          notSupported(
            FieldPath.of("status", "conditions").index(index).child("status"),
            text,
            STATUSES,
          ),
        ]
      ),
  },
  metadataOfUpdate: "all",
});

function localCondition(now: Date): NonNullable<
  NonNullable<V1APIService["status"]>["conditions"]
>[number] {
  return {
    type: "Available",
    status: "True",
    lastTransitionTime: formatTime(now),
    reason: "Local",
    message: "Local APIServices are always available",
  };
}

function validate({ metadata, spec }: V1APIService): FieldError[] {
  const { group = "", version = "", groupPriorityMinimum = 0, versionPriority = 0 } = spec ?? {};
  const errors: FieldError[] = [];
  const name = `${version}.${group}`;
  if (metadata?.name !== name) {
    const detail = `must be \`spec.version+"."+spec.group\`: ${goQuote(name)}`;
    errors.push(invalid(FieldPath.of("metadata", "name"), metadata?.name ?? "", detail));
  }
  if (group === "" && version !== "v1") {
    const detail = "only v1 may have an empty group and it better be legacy kube";
    errors.push(required(SPEC.child("group"), detail));
  }
  if (group) {
    errors.push(...invalidForEach(SPEC.child("group"), group, dnsSubdomainProblems(group)));
  }
  errors.push(...invalidForEach(SPEC.child("version"), version, dns1035LabelProblems(version)));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    const detail = "must be positive and less than 20000";
    errors.push(invalid(SPEC.child("groupPriorityMinimum"), groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    const detail = "must be positive and less than 1000";
    errors.push(invalid(SPEC.child("versionPriority"), versionPriority, detail));
  }
  return [...errors, ...validateBackend(spec)];
}

function validateBackend(spec: V1APIService["spec"]): FieldError[] {
  const { service, caBundle = "", insecureSkipTLSVerify = false } = spec ?? {};
  const errors: FieldError[] = [];
  const insecure = (detail: string): FieldError =>
    invalid(SPEC.child("insecureSkipTLSVerify"), insecureSkipTLSVerify, detail);
  if (!service) {
    if (caBundle) {
      const shown = `${atob(caBundle).length} bytes`;
      const detail = "local APIServices may not have a caBundle";
      errors.push(invalid(SPEC.child("caBundle"), shown, detail));
    }
    const detail = "local APIServices may not have insecureSkipTLSVerify";
    return insecureSkipTLSVerify ? [...errors, insecure(detail)] : errors;
  }
  const at = SPEC.child("service");
  if (!service.namespace) errors.push(required(at.child("namespace")));
  if (!service.name) errors.push(required(at.child("name")));
  const { port = 0 } = service;
  if (port < 1 || port > 65535) {
    const detail = `port is not valid: ${rangeProblem(1, 65535)}`;
    errors.push(invalid(at.child("port"), port, detail));
  }
  if (insecureSkipTLSVerify && caBundle) {
    errors.push(insecure("may not be true if caBundle is present"));
  }
  return errors;
}
