import type { KindStrategy } from "../machinery/strategy.ts";
import { configMapStrategy } from "./core/config_map.ts";
import { eventStrategy, newEventStrategy } from "./core/event.ts";
import { leaseStrategy } from "./core/lease.ts";
import { namespaceStrategy } from "./core/namespace.ts";
import {
  clusterRoleBindingStrategy,
  clusterRoleStrategy,
  roleBindingStrategy,
  roleStrategy,
} from "./core/rbac.ts";
import { secretStrategy } from "./core/secret.ts";
import { serviceStrategy } from "./services/service.ts";
import { serviceAccountStrategy } from "./core/service_account.ts";
import { endpointsStrategy } from "./services/endpoints.ts";
import { limitRangeStrategy } from "./core/limit_range.ts";
import { nodeStrategy } from "./core/node.ts";
import { volumeStrategy } from "./storage/volume.ts";
import { volumeClaimStrategy } from "./storage/volume_claim.ts";
import { resourceQuotaStrategy } from "./core/resource_quota.ts";
import { endpointSliceStrategy } from "./services/endpoint_slice.ts";
import { ingressStrategy } from "./core/ingress.ts";
import { ingressClassStrategy } from "./core/ingress_class.ts";
import { networkPolicyStrategy } from "./core/network_policy.ts";
import { priorityClassStrategy } from "./core/priority_class.ts";
import { runtimeClassStrategy } from "./core/runtime_class.ts";
import { storageClassStrategy } from "./storage/storage_class.ts";
import { volumeAttachmentStrategy } from "./storage/volume_attachment.ts";

/**
 * The strategies of core kinds, such as Secrets, Services and Roles: by kind in the core group, and
 * by kind and group in other groups, such as `Role.rbac.authorization.k8s.io`.
 */
export const CORE_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  ConfigMap: configMapStrategy,
  Endpoints: endpointsStrategy,
  Event: eventStrategy,
  LimitRange: limitRangeStrategy,
  Namespace: namespaceStrategy,
  Node: nodeStrategy,
  PersistentVolume: volumeStrategy,
  PersistentVolumeClaim: volumeClaimStrategy,
  ResourceQuota: resourceQuotaStrategy,
  Secret: secretStrategy,
  Service: serviceStrategy,
  ServiceAccount: serviceAccountStrategy,
  "ClusterRole.rbac.authorization.k8s.io": clusterRoleStrategy,
  "ClusterRoleBinding.rbac.authorization.k8s.io": clusterRoleBindingStrategy,
  "EndpointSlice.discovery.k8s.io": endpointSliceStrategy,
  "Event.events.k8s.io": newEventStrategy,
  "Ingress.networking.k8s.io": ingressStrategy,
  "IngressClass.networking.k8s.io": ingressClassStrategy,
  "Lease.coordination.k8s.io": leaseStrategy,
  "NetworkPolicy.networking.k8s.io": networkPolicyStrategy,
  "PriorityClass.scheduling.k8s.io": priorityClassStrategy,
  "Role.rbac.authorization.k8s.io": roleStrategy,
  "RoleBinding.rbac.authorization.k8s.io": roleBindingStrategy,
  "RuntimeClass.node.k8s.io": runtimeClassStrategy,
  "StorageClass.storage.k8s.io": storageClassStrategy,
  "VolumeAttachment.storage.k8s.io": volumeAttachmentStrategy,
};
