import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
} from "@xca/apimachinery/internal/errors";
import { labelNameProblems, parseCidr } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { takeAddress, wantsAddress } from "./service_addresses.ts";
import { validateClusterIpChange, validateFamilyChange } from "./service_cluster_ip_validation.ts";
import { defaultService } from "./service_defaults.ts";
import { settleFamilies } from "./service_families.ts";
import { needsHealthCheckPort } from "./service_fields.ts";
import {
  dropLostPorts,
  retakeNodePorts,
  takeHealthCheckPort,
  takeNodePorts,
} from "./service_node_ports.ts";
import { invalidService, ServicePool } from "./service_pool.ts";
import { ingressWarnings, validateServiceStatus } from "./service_status.ts";
import { alignClusterIps, dropByType, keepAllocated } from "./service_update.ts";
import { validateLoadBalancerClass, validateService } from "./service_validation.ts";
import { serviceWarnings } from "./service_warnings.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

/**
 * The strategy of Services, which sets defaults, allocates addresses and ports, and validates
 * writes (registry/core/service, `Strategy`). Like in kube-apiserver, addresses and ports are
 * allocated before the Service is prepared and validated, so that allocation errors come first.
 */
export const serviceStrategy: KindStrategy = typedStrategy<V1Service>({
  defaults: defaultService,
  prepareForCreate(service, context, registry) {
    // A PUT of the status of a missing Service creates it without allocations.
    if (context.subresource !== "status") {
      alignClusterIps(service.spec!, undefined);
      give(service, undefined, context, registry);
    }
    service.status = { loadBalancer: {} };
  },
  validateCreate: (service) => validateService(service, undefined),
  prepareForUpdate(service, old, context, registry) {
    const spec = service.spec!;
    keepAllocated(spec, old.spec!);
    alignClusterIps(spec, old.spec!);
    give(service, old, context, registry);
    service.status = old.status ?? { loadBalancer: {} };
    dropByType(spec, old.spec!);
    if (spec.type !== "LoadBalancer") service.status = { ...service.status, loadBalancer: {} };
  },
  validateUpdate: (
    service,
    old,
  ) => [...validateChange(service, old), ...validateService(service, old)],
  warnings: serviceWarnings,
  allocate: holdAllocated,
  status: {
    prepareForUpdate(service, old) {
      service.spec = old.spec!;
    },
    validateUpdate: validateServiceStatus,
    warnings: ingressWarnings,
  },
  validateName: labelNameProblems,
  allowCreateOnUpdate: true,
  selectableFields: ({ spec }) => ({
    "spec.clusterIP": spec?.clusterIP ?? "",
    "spec.type": spec?.type ?? "",
  }),
  selectableFieldNames: ["spec.clusterIP", "spec.type"],
  metadataOfUpdate: "change",
  onRead: {
    concerns: (text) =>
      text.includes('"type":"ExternalName"') && text.includes('"internalTrafficPolicy"'),
    change: dropUnshown,
  },
});

/**
 * Removes the internal traffic policy of an ExternalName Service, which responses do not show.
 */
function dropUnshown(service: ApiObject): void {
  const { spec } = service as V1Service;
  if (spec?.type === "ExternalName") delete spec.internalTrafficPolicy;
}

/**
 * Allocates the IP families, the cluster IP, the node ports and the health check node port of a
 * Service, in place.
 *
 * @throws {StatusError} 422 if the IP families are invalid, or a requested address or node port
 * cannot be allocated; 500 if no address or port is free, or the health check node port cannot be
 * allocated.
 */
function give(
  service: V1Service,
  old: V1Service | undefined,
  context: RequestContext,
  registry: RegistryReader,
): void {
  const spec = service.spec!;
  const family = parseCidr(registry.serviceCidr)!.address.bytes.length === 16 ? "IPv6" : "IPv4";
  const errors = settleFamilies(spec, old?.spec, family);
  if (errors.length > 0) throw invalidService(service, errors);
  const pool = new ServicePool(service, context, registry);
  if (wantsAddress(spec, old?.spec)) takeAddress(service, pool);
  if (old) retakeNodePorts(service, old.spec!, pool);
  else takeNodePorts(service, pool);
  takeHealthCheckPort(spec, old?.spec, pool);
}

/**
 * Allocates a Service's cluster IP and node ports again at the commit, since another Service may
 * have taken them while admission ran. Taken values that the server, not the user, had chosen are
 * replaced by others. The health check node port is not allocated again, and a write of the status
 * allocates nothing.
 *
 * @throws {StatusError} 422 if a requested address or node port cannot be allocated, 500 if none is
 * free.
 */
function holdAllocated(
  service: V1Service,
  old: V1Service | undefined,
  context: RequestContext,
  registry: RegistryReader,
): void {
  if (context.subresource === "status") return;
  const pool = new ServicePool(service, context, registry);
  if (wantsAddress(service.spec!, old?.spec)) takeAddress(service, pool);
  dropLostPorts(service.spec!, pool);
  if (old) retakeNodePorts(service, old.spec!, pool);
  else takeNodePorts(service, pool);
}

function validateChange({ spec: now }: V1Service, { spec: before }: V1Service): FieldError[] {
  const spec = now!;
  const old = before!;
  const errors = [...validateClusterIpChange(spec, old), ...validateFamilyChange(spec, old)];
  const bothBalanced = spec.type === "LoadBalancer" && old.type === "LoadBalancer";
  if (bothBalanced && spec.loadBalancerClass !== old.loadBalancerClass) {
    const path = FieldPath.of("spec", "loadBalancerClass");
    errors.push(invalid(path, spec.loadBalancerClass, "may not change once set"));
  }
  errors.push(...validateLoadBalancerClass(spec));
  if (
    needsHealthCheckPort(spec) && needsHealthCheckPort(old) &&
    spec.healthCheckNodePort !== old.healthCheckNodePort
  ) {
    errors.push(forbiddenField(FieldPath.of("spec", "healthCheckNodePort"), "field is immutable"));
  }
  return errors;
}
