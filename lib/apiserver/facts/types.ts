// Written by `deno task facts:dump`.
import { ADMISSIONREGISTRATION_V1 } from "./types/admissionregistration_v1.ts";
import { APPS_V1 } from "./types/apps_v1.ts";
import { AUTHENTICATION_V1 } from "./types/authentication_v1.ts";
import { AUTHORIZATION_V1 } from "./types/authorization_v1.ts";
import { AUTOSCALING_V1 } from "./types/autoscaling_v1.ts";
import { AUTOSCALING_V2 } from "./types/autoscaling_v2.ts";
import { BATCH_V1 } from "./types/batch_v1.ts";
import { CERTIFICATES_V1 } from "./types/certificates_v1.ts";
import { COORDINATION_V1 } from "./types/coordination_v1.ts";
import { CORE_V1 } from "./types/core_v1.ts";
import { DISCOVERY_V1 } from "./types/discovery_v1.ts";
import { EVENTS_V1 } from "./types/events_v1.ts";
import { FLOWCONTROL_V1 } from "./types/flowcontrol_v1.ts";
import { NETWORKING_V1 } from "./types/networking_v1.ts";
import { NODE_V1 } from "./types/node_v1.ts";
import { POLICY_V1 } from "./types/policy_v1.ts";
import { RBAC_V1 } from "./types/rbac_v1.ts";
import { RESOURCE_V1 } from "./types/resource_v1.ts";
import { SCHEDULING_V1 } from "./types/scheduling_v1.ts";
import { SCHEDULING_V1ALPHA3 } from "./types/scheduling_v1alpha3.ts";
import { STORAGE_V1 } from "./types/storage_v1.ts";
import { STORAGEMIGRATION_V1 } from "./types/storagemigration_v1.ts";
import { APIEXTENSIONS_V1 } from "./types/apiextensions_v1.ts";
import { API_RESOURCE } from "./types/api_resource.ts";
import { META_V1 } from "./types/meta_v1.ts";
import { PKG_RUNTIME } from "./types/pkg_runtime.ts";
import { UTIL_INTSTR } from "./types/util_intstr.ts";
import { PKG_VERSION } from "./types/pkg_version.ts";
import { APIREGISTRATION_V1 } from "./types/apiregistration_v1.ts";

/** The texts of the types' facts by package. */
export const TYPE_FACTS: Readonly<Record<string, string>> = {
  "io.k8s.api.admissionregistration.v1": ADMISSIONREGISTRATION_V1,
  "io.k8s.api.apps.v1": APPS_V1,
  "io.k8s.api.authentication.v1": AUTHENTICATION_V1,
  "io.k8s.api.authorization.v1": AUTHORIZATION_V1,
  "io.k8s.api.autoscaling.v1": AUTOSCALING_V1,
  "io.k8s.api.autoscaling.v2": AUTOSCALING_V2,
  "io.k8s.api.batch.v1": BATCH_V1,
  "io.k8s.api.certificates.v1": CERTIFICATES_V1,
  "io.k8s.api.coordination.v1": COORDINATION_V1,
  "io.k8s.api.core.v1": CORE_V1,
  "io.k8s.api.discovery.v1": DISCOVERY_V1,
  "io.k8s.api.events.v1": EVENTS_V1,
  "io.k8s.api.flowcontrol.v1": FLOWCONTROL_V1,
  "io.k8s.api.networking.v1": NETWORKING_V1,
  "io.k8s.api.node.v1": NODE_V1,
  "io.k8s.api.policy.v1": POLICY_V1,
  "io.k8s.api.rbac.v1": RBAC_V1,
  "io.k8s.api.resource.v1": RESOURCE_V1,
  "io.k8s.api.scheduling.v1": SCHEDULING_V1,
  "io.k8s.api.scheduling.v1alpha3": SCHEDULING_V1ALPHA3,
  "io.k8s.api.storage.v1": STORAGE_V1,
  "io.k8s.api.storagemigration.v1": STORAGEMIGRATION_V1,
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1": APIEXTENSIONS_V1,
  "io.k8s.apimachinery.pkg.api.resource": API_RESOURCE,
  "io.k8s.apimachinery.pkg.apis.meta.v1": META_V1,
  "io.k8s.apimachinery.pkg.runtime": PKG_RUNTIME,
  "io.k8s.apimachinery.pkg.util.intstr": UTIL_INTSTR,
  "io.k8s.apimachinery.pkg.version": PKG_VERSION,
  "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1": APIREGISTRATION_V1,
};
