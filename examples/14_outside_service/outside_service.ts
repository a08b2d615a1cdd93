/**
 * The OutsideService kind of the example: a Service for an application outside of the cluster whose
 * instances are listed in a registry.
 *
 * @module
 */
import { type Condition, type KubeObject, setSummary, type Summary } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";

/** A port of the Service, and the port on which the instances listen. */
export interface OutsidePort {
  /** The name of the port in the Service and its EndpointSlices. */
  name: string;
  /** The port of the Service. */
  port: number;
  /** The port on which the instances listen. */
  targetPort: number;
}

/** An OutsideService object, the custom resource of the example operator. */
export interface OutsideService extends KubeObject {
  /**
   * The service name in the registry, the ports, and the time, in seconds, for which empty
   * responses of the registry must persist before the operator removes the endpoints.
   */
  spec: { service: string; ports: OutsidePort[]; emptyAfterSeconds: number };
  /** The observed numbers of endpoints of the Service, and the conditions. */
  status?: OutsideServiceStatus;
}

/** The observed state of an OutsideService. */
export interface OutsideServiceStatus {
  /** The number of endpoints of the Service. */
  endpoints?: number;
  /** The number of ready endpoints of the Service. */
  ready?: number;
  /**
   * The time since which the registry lists no instance, as RFC 3339 text, while the endpoints are
   * kept; absent otherwise.
   */
  emptySince?: string;
  /** The conditions `Ready`, `Progressing` and `Degraded`. */
  conditions?: Condition[];
}

/** An OutsideService as users write it: the fields with defaults may be absent. */
export interface NewOutsideService extends KubeObject {
  /** The desired state of an OutsideService. */
  spec: Omit<OutsideService["spec"], "emptyAfterSeconds"> & { emptyAfterSeconds?: number };
}

const port = s.integer({ format: "int32", minimum: 1, maximum: 65535 });

/** The resource of OutsideServices: `kubectl get outsideservices`. */
export const OutsideService: DefinedResource<OutsideService, NewOutsideService> = defineResource({
  group: "outside.example.org",
  version: "v1",
  kind: "OutsideService",
  metadata: { name: s.string({ maxLength: 63, pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$" }) },
  spec: s.object({
    service: s.string({
      minLength: 1,
      maxLength: 253,
      description: "The name of the application in the registry",
    }),
    ports: s.array(
      s.object({
        name: s.string({ maxLength: 15, pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$" }),
        port,
        targetPort: port,
      }),
      { minItems: 1, maxItems: 20, listType: "map", mapKeys: ["name"] },
    ),
    emptyAfterSeconds: s.integer({
      format: "int32",
      minimum: 0,
      maximum: 86_400,
      default: 60,
      description: "How long the registry must know no instance until the endpoints are removed",
    }),
  }),
  status: s.object({
    endpoints: s.optional(s.integer({ format: "int32" })),
    ready: s.optional(s.integer({ format: "int32" })),
    emptySince: s.optional(s.dateTime()),
    conditions: s.optional(s.conditions()),
  }),
  printerColumns: [
    { name: "Ready", type: "integer", jsonPath: ".status.ready" },
    { name: "Endpoints", type: "integer", jsonPath: ".status.endpoints" },
    {
      name: "Reason",
      type: "string",
      jsonPath: ".status.conditions[?(@.status=='True')].reason",
    },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/**
 * Returns the conditions of an OutsideService, with `Ready`, `Progressing` and `Degraded` set by a
 * summary of its present state.
 */
export function conditionsOf(
  { metadata: { generation }, status }: OutsideService,
  summary: Summary,
  now: Date,
): Condition[] {
  return [...setSummary(status?.conditions, summary, { now, generation })];
}
