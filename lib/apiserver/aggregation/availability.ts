// Mirrors `controllers/status/remote/remote_available_controller.go, AvailableConditionController`,
// and `apis/apiregistration/v1/helper/helpers.go, NewLocalAvailableAPIServiceCondition`.
import { goQuote } from "@xca/apimachinery/internal/values";
import type { V1APIService, V1EndpointSlice, V1Service } from "@xca/apimachinery/kubernetes-types";

/**
 * The status, reason and message of the condition `Available` of an APIService, as {@linkcode
 * availabilityOf} determines them.
 */
export interface Availability {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The objects and the request that the availability of an APIService depends on. */
export interface AvailabilityFacts {
  /** The Service that the APIService names; `undefined` if the Service does not exist. */
  readonly service: V1Service | undefined;
  /** The EndpointSlices of the APIService's Service. */
  readonly slices: readonly V1EndpointSlice[];
  /**
   * Requests a path of the server behind the Service; rejects if it does not respond with success.
   */
  readonly probe: (service: V1Service, port: number, path: string) => Promise<void>;
}

/** The availability of an APIService that the API server itself serves. */
export const LOCAL: Availability = {
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
};

/**
 * Returns the condition that states whether the API of an APIService is available, and why: the API
 * server's own APIs are; other APIs if their Service exists, has the port and a ready endpoint for
 * it where it is of type `ClusterIP`, and the server behind the Service responds to a probe.
 */
export async function availabilityOf(
  { metadata, spec }: V1APIService,
  { service, slices, probe }: AvailabilityFacts,
): Promise<Availability> {
  if (!spec?.service) return LOCAL;
  const { name = "", namespace = "", port = 443 } = spec.service;
  const where = `service/${name} in ${goQuote(namespace)}`;
  if (!service) return not("ServiceNotFound", `${where} is not present`);
  if ((service.spec?.type ?? "ClusterIP") === "ClusterIP") {
    const found = service.spec?.ports?.find((each) => each.port === port);
    if (!found) return not("ServicePortError", `${where} is not listening on port ${port}`);
    if (slices.length === 0) {
      return not("EndpointsNotFound", `cannot find endpointslices for ${where}`);
    }
    const portName = found.name ?? "";
    if (!slices.some((slice) => hasEndpoint(slice, portName))) {
      const text = `endpointslices for ${where} have no addresses with port name `;
      return not("MissingEndpoints", text + goQuote(portName));
    }
  }
  const { group = "", version = "" } = spec;
  const path = metadata.name === "v1." ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    await probe(service, port, path);
  } catch (error) {
    return not("FailedDiscoveryCheck", (error as Error).message);
  }
  return { status: "True", reason: "Passed", message: "all checks passed" };
}

function not(reason: string, message: string): Availability {
  return { status: "False", reason, message };
}

function hasEndpoint({ endpoints, ports }: V1EndpointSlice, portName: string): boolean {
  return (endpoints ?? []).some(({ conditions }) => conditions?.ready ?? true) &&
    (ports ?? []).some(({ name, port }) => name === portName && port !== undefined);
}
