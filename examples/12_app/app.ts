/**
 * The WebApp kind of the example: an image with its settings, access, scaling and lifetime.
 *
 * @module
 */
import { type Condition, type KubeObject, setSummary, type Summary } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";

/** A WebApp object, the custom resource of the example operator. */
export interface WebApp extends KubeObject {
  /** The image, its settings, its access, its scaling and its lifetime. */
  spec: {
    image: string;
    port: number;
    settings: Record<string, string>;
    /** The fixed number of replicas; ignored when the WebApp has an autoscaler. */
    replicas: number;
    scale?: { minimum: number; maximum: number; cpuPercent: number };
    host?: string;
    lifetimeSeconds?: number;
  };
  status?: WebAppStatus;
}

/** The observed state of a WebApp. */
export interface WebAppStatus {
  /**
   * The URL at which the WebApp is available; absent before the first reconcile run and after the
   * lifetime.
   */
  url?: string;
  /** The number of pods that are available. */
  available?: number;
  /**
   * Reports whether the lifetime of the WebApp has expired, after which the operator deletes the
   * children.
   */
  expired?: boolean;
  /** The conditions `Ready`, `Progressing` and `Degraded`. */
  conditions?: Condition[];
}

/** A WebApp as users write it: the fields with defaults may be absent. */
export interface NewWebApp extends KubeObject {
  /** The desired state of a WebApp. */
  spec: Pick<WebApp["spec"], "image"> & Partial<WebApp["spec"]>;
}

const replicas = (minimum: number) => ({ format: "int32", minimum, maximum: 100 }) as const;

/** The resource of WebApps: `kubectl get webapps`. */
export const WebApp: DefinedResource<WebApp, NewWebApp> = defineResource({
  group: "apps.example.org",
  version: "v1",
  kind: "WebApp",
  metadata: { name: s.string({ maxLength: 50 }) }, // the names of the children begin with it
  spec: s.object({
    image: s.string({ minLength: 1 }),
    port: s.integer({ format: "int32", minimum: 1, maximum: 65_535, default: 8080 }),
    settings: s.map(s.string({ maxLength: 1024 }), { maxProperties: 64, default: {} }),
    replicas: s.integer({ ...replicas(0), default: 1 }),
    scale: s.optional(s.object({
      minimum: s.integer(replicas(1)),
      maximum: s.integer(replicas(1)),
      cpuPercent: s.integer({ format: "int32", minimum: 1, maximum: 100 }),
    }, {
      rules: [{
        rule: "self.minimum <= self.maximum",
        message: "the minimum must not be above the maximum",
      }],
    })),
    host: s.optional(s.string({ minLength: 1, maxLength: 253 })),
    lifetimeSeconds: s.optional(s.integer({ format: "int32", minimum: 1 })),
  }),
  status: s.object({
    url: s.optional(s.string()),
    available: s.optional(s.integer({ format: "int32" })),
    expired: s.optional(s.boolean()),
    conditions: s.optional(s.conditions()),
  }),
  printerColumns: [
    { name: "URL", type: "string", jsonPath: ".status.url" },
    { name: "Available", type: "integer", jsonPath: ".status.available" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/**
 * Returns the conditions of a WebApp, with `Ready`, `Progressing` and `Degraded` set by a summary
 * of its present state.
 */
export function conditionsOf(app: WebApp, summary: Summary, now: Date): Condition[] {
  const { generation } = app.metadata;
  return [...setSummary(app.status?.conditions, summary, { now, generation })];
}
