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
import { serviceStrategy } from "./core/service.ts";
import { serviceAccountStrategy } from "./core/service_account.ts";

/** By kind and group, as `Pod` or `Deployment.apps`. */
export const CORE_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  ConfigMap: configMapStrategy,
  Event: eventStrategy,
  Namespace: namespaceStrategy,
  Secret: secretStrategy,
  Service: serviceStrategy,
  ServiceAccount: serviceAccountStrategy,
  "ClusterRole.rbac.authorization.k8s.io": clusterRoleStrategy,
  "ClusterRoleBinding.rbac.authorization.k8s.io": clusterRoleBindingStrategy,
  "Event.events.k8s.io": newEventStrategy,
  "Lease.coordination.k8s.io": leaseStrategy,
  "Role.rbac.authorization.k8s.io": roleStrategy,
  "RoleBinding.rbac.authorization.k8s.io": roleBindingStrategy,
};
