import type { KindStrategy } from "../../machinery/strategy.ts";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import { hostnameWarnings } from "./hostname_warnings.ts";
import { defaultPod } from "./pod_defaults.ts";
import { dropDisabledFields, preparePod, updatePodGeneration } from "./pod_preparation.ts";
import { podStatusWarnings, preparePodStatus, validatePodStatus } from "./pod_status.ts";
import {
  prepareEphemeralContainers,
  prepareResize,
  validateEphemeralUpdate,
  validateResize,
} from "./pod_subresources.ts";
import { as, type Pod } from "./pod_types.ts";
import { validatePodUpdate } from "./pod_update.ts";
import { validatePodCreate } from "./pod_validation.ts";
import { podWarnings } from "./pod_warnings.ts";
import { podRules } from "./stored_pod_rules.ts";

/** Pods. */
export const POD: KindStrategy = {
  defaults(object) {
    defaultPod(as<Pod>(object));
  },
  prepareForCreate(object, context) {
    preparePod(as<Pod>(object), context);
  },
  validateCreate: (object) => validatePodCreate(as<Pod>(object), podRules(true)),
  prepareForUpdate(object, old) {
    const pod = as<Pod>(object);
    const before = as<Pod>(old);
    pod.status = structuredClone(before.status ?? {});
    dropDisabledFields(pod.spec!, before.spec);
    updatePodGeneration(pod, before);
  },
  validateUpdate(object, old) {
    const before = as<Pod>(old);
    return validatePodUpdate(as<Pod>(object), before, podRules(true, before));
  },
  warnings(object, old) {
    if (old) return [];
    const pod = as<Pod>(object);
    return [
      ...hostnameWarnings(pod.metadata.name ?? "", "the Pod's hostname"),
      ...podWarnings(pod.spec ?? {}, pod.metadata),
    ];
  },
  status: {
    prepareForUpdate(object, old) {
      preparePodStatus(as<Pod>(object), as<Pod>(old));
    },
    validateUpdate(object, old) {
      const before = as<Pod>(old);
      return validatePodStatus(as<Pod>(object), before, podRules(true, before));
    },
    warnings: (object) => podStatusWarnings(as<Pod>(object)),
  },
  subresources: {
    ephemeralcontainers: {
      prepareForUpdate(object, old) {
        prepareEphemeralContainers(as<Pod>(object), as<Pod>(old));
      },
      validateUpdate(object, old) {
        const before = as<Pod>(old);
        return validateEphemeralUpdate(as<Pod>(object), before, podRules(true, before));
      },
    },
    resize: {
      prepareForUpdate(object, old) {
        prepareResize(as<Pod>(object), as<Pod>(old));
      },
      validateUpdate(object, old) {
        const before = as<Pod>(old);
        return validateResize(as<Pod>(object), before, podRules(true, before));
      },
    },
  },
  validateName: subdomainNameProblems,
  gracePeriodSeconds(object, requested) {
    const { spec = {}, status = {} } = as<Pod>(object);
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
    const { spec = {}, status = {} } = as<Pod>(object);
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
};
