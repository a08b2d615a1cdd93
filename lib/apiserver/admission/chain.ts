// Mirrors `kubeapiserver/options/plugins.go, AllOrderedPlugins`.
import type { Admission } from "../machinery/admission.ts";
import { CLAIM_RESIZE } from "./builtin/claim_resize.ts";
import {
  CERTIFICATE_SUBJECT,
  certificateApproval,
  certificateSigning,
} from "./builtin/certificates.ts";
import { DEFAULT_TOLERATION_SECONDS } from "./builtin/default_tolerations.ts";
import {
  DEFAULT_INGRESS_CLASS,
  DEFAULT_STORAGE_CLASS,
  STORAGE_PROTECTION,
  TAINT_NODES,
} from "./builtin/defaults.ts";
import { NamespaceLifecycle } from "./builtin/namespace_lifecycle.ts";
import { Priority } from "./builtin/pod_priority.ts";
import { DECLARED_FEATURES, POD_RESIZE, TOPOLOGY_LABELS } from "./builtin/pods_on_nodes.ts";
import { RUNTIME_CLASS } from "./builtin/runtime_class.ts";
import { LimitRanger } from "./limits/limit_ranger.ts";
import { PodSecurity } from "./pod_security/pod_security.ts";
import type { AdmissionPorts } from "./ports.ts";
import { ResourceQuotas } from "./quota/resource_quota.ts";
import { MutatingPolicies } from "./policies/mutating_policies.ts";
import { ValidatingPolicies } from "./policies/validating_policies.ts";
import { serviceAccountPlugin } from "./service_account/service_account.ts";
import { MutatingWebhooks } from "./webhooks/mutating_webhooks.ts";
import { ValidatingWebhooks } from "./webhooks/validating_webhooks.ts";

/**
 * The functions that create the implemented admission plugins, by the plugin's name, in the order
 * of kube-apiserver; a plugin may consist of several {@linkcode Admission}s.
 */
const PLUGINS: Readonly<Record<string, (ports: AdmissionPorts) => readonly Admission[]>> = {
  NamespaceLifecycle: () => [new NamespaceLifecycle()],
  LimitRanger: () => [new LimitRanger()],
  ServiceAccount: (ports) => [serviceAccountPlugin(ports)],
  TaintNodesByCondition: () => [TAINT_NODES],
  PodSecurity: () => [new PodSecurity()],
  Priority: () => [new Priority()],
  DefaultTolerationSeconds: () => [DEFAULT_TOLERATION_SECONDS],
  DefaultStorageClass: () => [DEFAULT_STORAGE_CLASS],
  StorageObjectInUseProtection: () => STORAGE_PROTECTION,
  PersistentVolumeClaimResize: () => [CLAIM_RESIZE],
  RuntimeClass: () => [RUNTIME_CLASS],
  CertificateApproval: ({ authorize }) => [certificateApproval(authorize)],
  CertificateSigning: ({ authorize }) => [certificateSigning(authorize)],
  CertificateSubjectRestriction: () => [CERTIFICATE_SUBJECT],
  DefaultIngressClass: () => [DEFAULT_INGRESS_CLASS],
  PodTopologyLabels: () => [TOPOLOGY_LABELS],
  NodeDeclaredFeatureValidator: () => [DECLARED_FEATURES],
  PodResizeValidator: () => [POD_RESIZE],
  MutatingAdmissionPolicy: (ports) => [new MutatingPolicies(ports)],
  MutatingAdmissionWebhook: (ports) => [new MutatingWebhooks(ports)],
  ValidatingAdmissionPolicy: (ports) => [new ValidatingPolicies(ports)],
  ValidatingAdmissionWebhook: (ports) => [new ValidatingWebhooks(ports)],
  ResourceQuota: () => [new ResourceQuotas()],
};

/**
 * The names of the admission plugins that are disabled by default, since they need a controller.
 */
const OFF_BY_DEFAULT: readonly string[] = ["ServiceAccount"];

/** The names of the implemented admission plugins, in the order of kube-apiserver. */
export const ADMISSION_PLUGINS: readonly string[] = Object.keys(PLUGINS);

/**
 * The options that choose the admission plugins to run. They act as the kube-apiserver flags
 * `--enable-admission-plugins` and `--disable-admission-plugins`.
 */
export interface AdmissionChoice {
  /**
   * The names of the admission plugins to run in addition to the default ones; each must be in
   * {@linkcode ADMISSION_PLUGINS}.
   */
  readonly enableAdmissionPlugins?: readonly string[];
  /** The names of the default admission plugins that do not run, unless they are also enabled. */
  readonly disableAdmissionPlugins?: readonly string[];
}

/**
 * Returns the chosen admission plugins, in the order of kube-apiserver. A plugin that is both
 * enabled and disabled runs (`apiserver/pkg/server/options/admission.go`,
 * `AdmissionOptions.enabledPluginNames`).
 */
export function admissionChain(
  ports: AdmissionPorts,
  { enableAdmissionPlugins: on = [], disableAdmissionPlugins: off = [] }: AdmissionChoice = {},
): readonly Admission[] {
  return Object.entries(PLUGINS).flatMap(([name, make]) =>
    on.includes(name) || !off.includes(name) && !OFF_BY_DEFAULT.includes(name) ? make(ports) : []
  );
}
