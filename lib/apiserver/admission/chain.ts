// Mirrors `kubeapiserver/options/plugins.go, AllOrderedPlugins`.
import type { Admission } from "../machinery/admission.ts";
import { CLAIM_RESIZE } from "./builtin/claim_resize.ts";
import { certificatePlugins } from "./builtin/certificates.ts";
import { DEFAULT_TOLERATION_SECONDS } from "./builtin/default_tolerations.ts";
import {
  DEFAULT_INGRESS_CLASS,
  DEFAULT_STORAGE_CLASS,
  STORAGE_PROTECTION,
  TAINT_NODES,
} from "./builtin/defaults.ts";
import { NAMESPACE_LIFECYCLE } from "./builtin/namespace_lifecycle.ts";
import { PRIORITY } from "./builtin/pod_priority.ts";
import { DECLARED_FEATURES, POD_RESIZE, TOPOLOGY_LABELS } from "./builtin/pods_on_nodes.ts";
import { RUNTIME_CLASS } from "./builtin/runtime_class.ts";
import { LimitRanger } from "./limits/limit_ranger.ts";
import { PodSecurity } from "./pod_security/pod_security.ts";
import type { AdmissionPorts } from "./ports.ts";
import { ResourceQuotas } from "./quota/resource_quota.ts";
import { MutatingPolicies } from "./policies/mutating_policies.ts";
import { ValidatingPolicies } from "./policies/validating_policies.ts";
import { MutatingWebhooks } from "./webhooks/mutating_webhooks.ts";
import { ValidatingWebhooks } from "./webhooks/validating_webhooks.ts";

/** Returns the admission plugins that kube-apiserver enables by default, in its order. */
export function admissionChain(ports: AdmissionPorts): readonly Admission[] {
  return [
    NAMESPACE_LIFECYCLE,
    new LimitRanger(),
    TAINT_NODES,
    new PodSecurity(),
    PRIORITY,
    DEFAULT_TOLERATION_SECONDS,
    DEFAULT_STORAGE_CLASS,
    ...STORAGE_PROTECTION,
    CLAIM_RESIZE,
    RUNTIME_CLASS,
    ...certificatePlugins(ports.authorize),
    DEFAULT_INGRESS_CLASS,
    TOPOLOGY_LABELS,
    DECLARED_FEATURES,
    POD_RESIZE,
    new MutatingPolicies(ports),
    new MutatingWebhooks(ports),
    new ValidatingPolicies(ports),
    new ValidatingWebhooks(ports),
    new ResourceQuotas(),
  ];
}
