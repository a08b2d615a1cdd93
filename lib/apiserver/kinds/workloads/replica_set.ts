import { type FieldError, FieldPath } from "@xca/apimachinery/internal/errors";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { V1ReplicaSetSpec, V1ReplicaSetStatus } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import type { Loose } from "../../validation/fields.ts";
import { validateNonnegative } from "../../validation/numbers.ts";
import { validateReplicaTemplate, validateSelectorUnchanged } from "./deployment.ts";
import { hostnameWarnings } from "../pods/hostname_warnings.ts";
import { defaultPodTemplate } from "../pods/pod_defaults.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import type { Meta, PodTemplate } from "../pods/common/pod_types.ts";
import { type Counts, validateAtMost, validateCounts } from "./replica_counts.ts";
import { podRules } from "../pods/stored_pod_rules.ts";
import {
  keepSpec,
  prepareTemplateObject,
  prepareTemplateUpdate,
  templateWarnings,
} from "../pods/template_object.ts";

type Spec = Omit<Loose<V1ReplicaSetSpec>, "template"> & { template?: PodTemplate };

interface ReplicaSet {
  metadata: Meta;
  spec: Spec;
  status?: Loose<V1ReplicaSetStatus>;
}

const SPEC = FieldPath.of("spec");

/**
 * The strategy of ReplicaSets, which sets defaults, prepares objects for storage and validates
 * writes (registry/apps/replicaset, `Strategy`).
 */
export const replicaSetStrategy: KindStrategy = typedStrategy<ReplicaSet>({
  metadataOfUpdate: "change",
  defaults(object) {
    object.spec ??= {};
    object.spec.replicas ??= 1;
    defaultPodTemplate(object.spec.template ??= {});
    object.status ??= { replicas: 0 };
  },
  prepareForCreate(object) {
    prepareTemplateObject(object, { replicas: 0 });
  },
  validateCreate: (object) => validateSpec(object.spec, podRules(false)),
  prepareForUpdate: prepareTemplateUpdate,
  validateUpdate(object, old) {
    const { spec } = object;
    const before = old.spec;
    return [
      ...validateSpec(spec, podRules(false, before.template)),
      ...validateSelectorUnchanged(spec.selector, before.selector),
    ];
  },
  warnings: (object, old) => [
    ...old ? [] : hostnameWarnings(object.metadata.name ?? "", "Pod names and hostnames"),
    ...templateWarnings(object, old),
  ],
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object) => validateReplicaStatus(object.status ?? {}),
  },
  validateName: subdomainNameProblems,
  selectableFieldNames: ["status.replicas"],
  selectableFields: (object) => ({
    "status.replicas": String(object.status?.replicas ?? 0),
  }),
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

function validateSpec(spec: Spec, rules: PodRules): FieldError[] {
  return [
    ...validateNonnegative(spec.replicas ?? 0, SPEC.child("replicas")),
    ...validateNonnegative(spec.minReadySeconds ?? 0, SPEC.child("minReadySeconds")),
    ...validateReplicaTemplate(spec, rules),
  ];
}

/** Validates the status of a ReplicaSet or a ReplicationController. */
export function validateReplicaStatus(status: Counts): FieldError[] {
  const some = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
  const counts = ["replicas", ...some, "observedGeneration", "terminatingReplicas"];
  const ready = "cannot be greater than readyReplicas";
  return [
    ...validateCounts(status, counts),
    ...validateAtMost(status, some, "replicas", "cannot be greater than status.replicas"),
    ...validateAtMost(status, ["availableReplicas"], "readyReplicas", ready),
  ];
}
