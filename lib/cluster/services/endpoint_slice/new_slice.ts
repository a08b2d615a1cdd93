// Mirrors `endpointslice/utils.go, newEndpointSlice` and `setEndpointSliceLabels` there.
import type { DiscoveryV1EndpointPort, V1EndpointSlice } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, Service, setControllerReference } from "@xca/apimachinery/meta";
import type { AddressType, ReadService } from "./pod_endpoints.ts";

/** The key of the EndpointSlice label with the name of the Service. */
export const SERVICE_NAME = "kubernetes.io/service-name";
/** The key of the EndpointSlice label with the name of the controller that manages the slice. */
export const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
/** The value of {@linkcode MANAGED_BY} of the EndpointSlices that list pods. */
export const POD_SLICES = "endpointslice-controller.k8s.io";
/** The key of the label of the EndpointSlices of headless Services. */
const HEADLESS = "service.kubernetes.io/headless";

const RESERVED = [SERVICE_NAME, MANAGED_BY, HEADLESS];
/** The longest prefix of a generated EndpointSlice name, in characters. */
const LONGEST_PREFIX = 253;

/** A deeply read-only EndpointSlice. */
export type ReadSlice = DeepReadonly<V1EndpointSlice>;

/** Returns an EndpointSlice of a Service, without endpoints. The server completes its name. */
export function newSlice(
  service: ReadService,
  addressType: AddressType,
  ports: readonly DiscoveryV1EndpointPort[],
): V1EndpointSlice {
  const { name = "", namespace } = service.metadata;
  const slice: V1EndpointSlice = {
    metadata: {
      generateName: generatedPrefix(name),
      ...(namespace && { namespace }),
      labels: sliceLabels(service),
    },
    addressType,
    endpoints: [],
    ports: [...ports],
  };
  setControllerReference(slice, service, Service);
  return slice;
}

/**
 * Returns the `generateName` of the EndpointSlices of a Service: the Service's name, and a dash if
 * it fits.
 */
export function generatedPrefix(serviceName: string): string {
  const prefix = `${serviceName}-`;
  return prefix.length <= LONGEST_PREFIX ? prefix : serviceName;
}

/**
 * Returns the labels of the EndpointSlices of a Service: the Service's labels, those with the
 * Service's name and the managing controller, and, for a headless Service only, the label that
 * marks headless Services.
 */
export function sliceLabels(service: ReadService): Record<string, string> {
  const { clusterIP } = service.spec ?? {};
  const isHeadless = !clusterIP || clusterIP === "None";
  return {
    ...ownLabels(service.metadata.labels),
    ...(isHeadless && { [HEADLESS]: "" }),
    [SERVICE_NAME]: service.metadata.name ?? "",
    [MANAGED_BY]: POD_SLICES,
  };
}

/**
 * Reports whether an EndpointSlice has exactly the labels of its Service, apart from reserved
 * labels.
 */
export function hasLabelsOf(slice: ReadSlice, service: ReadService): boolean {
  const [own, wanted] = [ownLabels(slice.metadata.labels), ownLabels(service.metadata.labels)];
  const names = Object.keys(wanted);
  return names.length === Object.keys(own).length &&
    names.every((name) => own[name] === wanted[name]);
}

function ownLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !RESERVED.includes(name)));
}
