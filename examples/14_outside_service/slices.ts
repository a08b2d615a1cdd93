/**
 * The assignment of an OutsideService's endpoints to EndpointSlices.
 *
 * An endpoint stays in its slice, so that a change of one instance causes the write of one slice.
 *
 * @module
 */
import type { ApplyFields } from "@xca/operator/client";
import type { V1Endpoint, V1EndpointSlice } from "@xca/operator/kubernetes-types";
import type { OutsideService } from "./outside_service.ts";
import type { AddressType, Instance } from "./registry.ts";

/** The label value that marks this operator as the manager of an EndpointSlice. */
export const MANAGED_BY = "outside.example.org";
/** The maximum number of endpoints of a slice, equal to that of kube-controller-manager. */
export const MAX_ENDPOINTS = 100;

const ADDRESS_TYPES: readonly AddressType[] = ["IPv4", "IPv6", "FQDN"];

/** The fields of a desired EndpointSlice. */
export type SliceFields = ApplyFields<V1EndpointSlice>;

/**
 * Returns the desired EndpointSlices of a service with given instances, based on its present
 * slices. Present slices that would have no endpoints are left out.
 */
export function planSlices(
  service: OutsideService,
  instances: readonly Instance[],
  present: readonly V1EndpointSlice[],
): SliceFields[] {
  return ADDRESS_TYPES.flatMap((type) => {
    const wanted = new Map(
      instances.filter(({ addressType }) => addressType === type)
        .map((instance) => [instance.address, instance]),
    );
    const slices = present.filter(({ addressType }) => addressType === type);
    return [...assign(`${service.metadata.name}-${type.toLowerCase()}`, wanted, slices)]
      .filter(([, endpoints]) => endpoints.length > 0)
      .map(([name, endpoints]) => sliceOf(service, type, name, endpoints));
  });
}

/**
 * Returns the instances by the name of their slice: known ones in their present slice, new ones
 * where slices have room or in new slices. Removes the known instances from `wanted`.
 */
function assign(
  prefix: string,
  wanted: Map<string, Instance>,
  slices: readonly V1EndpointSlice[],
): Map<string, Instance[]> {
  const assigned = new Map<string, Instance[]>();
  for (const { metadata, endpoints } of slices) {
    const kept = (endpoints ?? []).flatMap(({ addresses: [address = ""] }) => {
      const instance = wanted.get(address);
      wanted.delete(address);
      return instance ? [instance] : [];
    });
    assigned.set(metadata?.name ?? "", kept);
  }
  const added = [...wanted.values()].sort((a, b) => a.address < b.address ? -1 : 1);
  for (const endpoints of assigned.values()) {
    endpoints.push(...added.splice(0, MAX_ENDPOINTS - endpoints.length));
  }
  for (let number = 1; added.length > 0; number++) {
    const name = `${prefix}-${number}`;
    if (!assigned.has(name)) assigned.set(name, added.splice(0, MAX_ENDPOINTS));
  }
  return assigned;
}

function sliceOf(
  { metadata: { name: service = "", namespace = "" }, spec }: OutsideService,
  addressType: AddressType,
  name: string,
  instances: readonly Instance[],
): SliceFields {
  return {
    metadata: {
      name,
      namespace,
      labels: {
        "kubernetes.io/service-name": service,
        "endpointslice.kubernetes.io/managed-by": MANAGED_BY,
      },
    },
    addressType,
    endpoints: instances.map(endpointOf),
    ports: spec.ports.map(({ name, targetPort }) => ({ name, port: targetPort, protocol: "TCP" })),
  };
}

function endpointOf({ address, state }: Instance): V1Endpoint {
  return {
    addresses: [address],
    conditions: {
      ready: state === "up",
      serving: state !== "down",
      terminating: state === "draining",
    },
  };
}
