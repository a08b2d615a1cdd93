/**
 * The Shop kind of the example: an application with a database schema, its desired version, and the
 * progress of its upgrade.
 *
 * @module
 */
import { type Condition, type KubeObject, setSummary, type Summary } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";

/**
 * A phase of an upgrade. The pods of the old version terminate, the schema is migrated, and pods of
 * the new version start. If a step fails, the new pods terminate and the schema is migrated back.
 */
export type Phase = "Draining" | "Migrating" | "Starting" | "Stopping" | "Reverting";

/** An upgrade that is in progress. */
export interface Upgrade {
  /** The schema version before the upgrade; `none` for an empty database. */
  from: string;
  /** The schema version after the upgrade. */
  to: string;
  /**
   * The number of the upgrade among those of the Shop, from 1 on, which is part of the names of its
   * Jobs.
   */
  number: number;
  phase: Phase;
  /** The time at which the present phase of the upgrade began, as RFC 3339 text. */
  since: string;
  /** The reason why the upgrade is rolled back; absent while no step has failed. */
  problem?: string;
}

/** A Shop object, the custom resource of the example operator. */
export interface Shop extends KubeObject {
  /**
   * The image, the desired version and number of replicas, and the time limits, in seconds, for the
   * start of new pods and for a migration.
   */
  spec: {
    image: string;
    version: string;
    replicas: number;
    startSeconds: number;
    migrationSeconds: number;
  };
  status?: ShopStatus;
}

/** The observed state of a Shop. */
export interface ShopStatus {
  /** The installed version of the schema and of the pods; absent before the first installation. */
  version?: string;
  /** The upgrade in progress; absent if there is none. */
  upgrade?: Upgrade;
  /**
   * The last upgrade that was rolled back; its version is not tried again while it remains the
   * desired version.
   */
  failed?: { version: string; problem: string };
  /**
   * The number of upgrades that were started since the creation of the Shop, the first installation
   * included.
   */
  upgrades?: number;
  /** The conditions `Ready`, `Progressing` and `Degraded`. */
  conditions?: Condition[];
}

/** A Shop as users write it: the fields with defaults may be absent. */
export interface NewShop extends KubeObject {
  /** The application and the version that it should have. */
  spec: Pick<Shop["spec"], "image" | "version"> & Partial<Shop["spec"]>;
}

const version = () => s.string({ pattern: "^[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}$" });
const seconds = (initial: number) =>
  s.integer({ format: "int32", minimum: 1, maximum: 86_400, default: initial });

/** The resource of Shops: `kubectl get shops`. */
export const Shop: DefinedResource<Shop, NewShop> = defineResource({
  group: "upgrades.example.org",
  version: "v1",
  kind: "Shop",
  metadata: { name: s.string({ maxLength: 40 }) }, // the names of Jobs and labels begin with it
  spec: s.object({
    image: s.string({ minLength: 1, description: "The image without its tag, the version." }),
    version: version(),
    replicas: s.integer({ format: "int32", minimum: 1, maximum: 100, default: 2 }),
    startSeconds: seconds(300),
    migrationSeconds: seconds(3600),
  }),
  status: s.object({
    version: s.optional(version()),
    upgrade: s.optional(s.object({
      from: s.string(),
      to: s.string(),
      number: s.integer({ format: "int32" }),
      phase: s.enum(["Draining", "Migrating", "Starting", "Stopping", "Reverting"]),
      since: s.string({ format: "date-time" }),
      problem: s.optional(s.string()),
    })),
    failed: s.optional(s.object({ version: s.string(), problem: s.string() })),
    upgrades: s.optional(s.integer({ format: "int32" })),
    conditions: s.optional(s.conditions()),
  }),
  printerColumns: [
    { name: "Version", type: "string", jsonPath: ".status.version" },
    { name: "Wanted", type: "string", jsonPath: ".spec.version" },
    { name: "Phase", type: "string", jsonPath: ".status.upgrade.phase" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/**
 * Returns the conditions of a Shop, with `Ready`, `Progressing` and `Degraded` set by a summary of
 * its present state.
 */
export function conditionsOf(shop: Shop, summary: Summary, now: Date): Condition[] {
  const { generation } = shop.metadata;
  return [...setSummary(shop.status?.conditions, summary, { now, generation })];
}

/**
 * Returns the reason why a Shop may not change from one version to another; `undefined` if it may,
 * as from no version. Migrations exist from each version to later ones of the same or the next
 * major version.
 */
export function refusalOf(from: string | undefined, to: string): string | undefined {
  if (from === undefined) return undefined;
  const [before, after] = [from, to].map((each) => each.split(".").map(Number));
  const at = after!.findIndex((part, index) => part !== before![index]);
  if (at >= 0 && after![at]! < before![at]!) {
    return `${to} is older than ${from}: restore a backup to go back`;
  }
  return after![0]! > before![0]! + 1
    ? `${to} skips a major version after ${from}: upgrade to ${before![0]! + 1}.x first`
    : undefined;
}
