import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import { hostnameWarnings } from "./hostname_warnings.ts";
import { defaultPod } from "./pod_defaults.ts";
import { dropDisabledFields } from "./dropped_fields.ts";
import { preparePod, updatePodGeneration } from "./pod_preparation.ts";
import { podStatusWarnings, preparePodStatus, validatePodStatus } from "./pod_status.ts";
import {
  prepareEphemeralContainers,
  prepareResize,
  validateEphemeralUpdate,
  validateResize,
} from "./pod_subresources.ts";
import type { Pod } from "./common/pod_types.ts";
import { validatePodUpdate } from "./pod_update.ts";
import { validatePodCreate } from "./pod_validation.ts";
import { podWarnings } from "./pod_warnings.ts";
import { podRules } from "./stored_pod_rules.ts";

/**
 * The strategy of Pods, which sets defaults, prepares objects for storage and validates writes
 * (registry/core/pod, `Strategy`).
 */
export const podStrategy: KindStrategy = typedStrategy<Pod>({
  defaults(object) {
    defaultPod(object);
  },
  prepareForCreate(object, context) {
    preparePod(object, context);
  },
  validateCreate: (object) => validatePodCreate(object, podRules(true)),
  prepareForUpdate(object, old) {
    object.status = structuredClone(old.status ?? {});
    if (old.spec?.resources) object.spec!.resources ??= structuredClone(old.spec.resources);
    dropDisabledFields(object.spec!, old.spec);
    updatePodGeneration(object, old);
  },
  validateUpdate(object, old) {
    return validatePodUpdate(object, old, podRules(true, old));
  },
  warnings(object, old) {
    if (old) return [];
    return [
      ...hostnameWarnings(object.metadata.name ?? "", "the Pod's hostname"),
      ...podWarnings(object.spec ?? {}, object.metadata),
    ];
  },
  status: {
    prepareForUpdate(object, old) {
      preparePodStatus(object, old);
    },
    validateUpdate(object, old) {
      return validatePodStatus(object, old, podRules(true, old));
    },
    warnings: (object) => podStatusWarnings(object),
  },
  subresources: {
    ephemeralcontainers: {
      prepareForUpdate(object, old) {
        prepareEphemeralContainers(object, old);
      },
      validateUpdate(object, old) {
        return validateEphemeralUpdate(object, old, podRules(true, old));
      },
    },
    resize: {
      prepareForUpdate(object, old) {
        prepareResize(object, old);
      },
      validateUpdate(object, old) {
        return validateResize(object, old, podRules(true, old));
      },
    },
  },
  validateName: subdomainNameProblems,
  gracePeriodSeconds(object, requested) {
    const { spec = {}, status = {} } = object;
    const isOver = status.phase === "Failed" || status.phase === "Succeeded";
    if (!spec.nodeName || isOver) return 0;
    const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
    return period < 0 ? 1 : period;
  },
  selectableFieldNames: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  selectableFields(object) {
    const { spec = {}, status = {} } = object;
    return {
      "spec.nodeName": spec.nodeName ?? "",
      "spec.restartPolicy": spec.restartPolicy ?? "",
      "spec.schedulerName": spec.schedulerName ?? "",
      "spec.serviceAccountName": spec.serviceAccountName ?? "",
      "spec.hostNetwork": String(spec.hostNetwork ?? false),
      "status.phase": status.phase ?? "",
      "status.podIP": status.podIPs?.[0]?.ip ?? "",
      "status.nominatedNodeName": status.nominatedNodeName ?? "",
    };
  },
  resetFields: [["status"]],
  statusResetFields: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
});
