import { declared, type FieldError, FieldPath, required } from "@xca/apimachinery/internal/errors";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type {
  V1ReplicationControllerSpec,
  V1ReplicationControllerStatus,
} from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import type { Loose } from "../../validation/fields.ts";
import { validateNonnegative } from "../../validation/numbers.ts";
import { hostnameWarnings } from "../pods/hostname_warnings.ts";
import { defaultPodTemplate } from "../pods/pod_defaults.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import {
  validatePodTemplate,
  validateRunsForever,
  validateSelectsTemplate,
} from "../pods/pod_template.ts";
import type { Meta, PodTemplate } from "../pods/common/pod_types.ts";
import { validateReplicaStatus } from "./replica_set.ts";
import { podRules } from "../pods/stored_pod_rules.ts";
import {
  keepSpec,
  prepareTemplateObject,
  prepareTemplateUpdate,
  TEMPLATE,
  templateWarnings,
} from "../pods/template_object.ts";

type Spec = Omit<Loose<V1ReplicationControllerSpec>, "template"> & { template?: PodTemplate };

interface ReplicationController {
  metadata: Meta;
  spec: Spec;
  status?: Loose<V1ReplicationControllerStatus>;
}

const SPEC = FieldPath.of("spec");

/**
 * The strategy of ReplicationControllers, which sets defaults, prepares objects for storage and
 * validates writes (registry/core/replicationcontroller, `Strategy`).
 */
export const replicationControllerStrategy: KindStrategy = typedStrategy<ReplicationController>({
  metadataOfUpdate: "change",
  declaresName: true,
  defaults(object) {
    const spec = object.spec ??= {};
    spec.replicas ??= 1;
    object.status ??= { replicas: 0 };
    const { template } = spec;
    if (!template) return;
    defaultPodTemplate(template);
    const labels = template.metadata?.labels;
    if (!labels) return;
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
    if (Object.keys(object.metadata.labels ?? {}).length === 0) {
      object.metadata.labels = { ...labels };
    }
  },
  prepareForCreate(object) {
    prepareTemplateObject(object, { replicas: 0 });
  },
  validateCreate: (object) => validateSpec(object.spec, podRules(false)),
  prepareForUpdate: prepareTemplateUpdate,
  validateUpdate: (object, old) =>
    validateSpec(
      object.spec,
      podRules(false, old.spec.template),
    ),
  warnings: (object, old) => [
    ...old ? [] : hostnameWarnings(object.metadata.name ?? "", "Pod names and hostnames"),
    ...templateWarnings(object, old),
  ],
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object) => validateReplicaStatus(object.status ?? {}),
  },
  validateName: subdomainNameProblems,
  defaultPropagation: "Orphan",
  selectableFieldNames: ["status.replicas"],
  selectableFields: (object) => ({
    "status.replicas": String(object.status?.replicas ?? 0),
  }),
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

function validateSpec(spec: Spec, rules: PodRules): FieldError[] {
  const { replicas = 0, minReadySeconds = 0, selector = {}, template } = spec;
  const errors: FieldError[] = [];
  if (Object.keys(selector).length === 0) errors.push(required(SPEC.child("selector")));
  errors.push(
    ...declared(
      ...validateNonnegative(replicas, SPEC.child("replicas")),
      ...validateNonnegative(minReadySeconds, SPEC.child("minReadySeconds")),
    ),
  );
  if (!template) return [...errors, required(TEMPLATE)];
  return [
    ...errors,
    ...validateSelectsTemplate({ matchLabels: selector }, template, TEMPLATE),
    ...validatePodTemplate(template, TEMPLATE, rules),
    ...validateRunsForever(template, TEMPLATE, "ReplicationController"),
  ];
}
