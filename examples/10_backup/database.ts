/**
 * The Database kind of the example: the addresses of a database's dump and of its backups, the
 * backup schedule, and the backup to restore.
 *
 * @module
 */
import { type Condition, type KubeObject, setSummary, type Summary } from "@xca/operator/meta";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";

/** A verified backup in the object store. */
export interface Backup {
  /** The name of the backup, which is its scheduled time, such as `2026-03-30T00:30:00Z`. */
  name: string;
  /** The SHA-256 checksum of the backup, in hexadecimal. */
  sha256: string;
  /** The size of the backup in bytes. */
  bytes: number;
}

/** A Database object, the custom resource of the example operator. */
export interface Database extends KubeObject {
  /**
   * The URLs of the database and of the store, the schedule with its time zone, the number of
   * backups to keep, their fate when the Database is deleted, and the name of the backup to
   * restore.
   */
  spec: {
    url: string;
    store: string;
    schedule: string;
    timeZone: string;
    keep: number;
    deletionPolicy: "Retain" | "Delete";
    restore?: string;
  };
  /** The observed state: the backups, the last restored backup, and the conditions. */
  status?: DatabaseStatus;
}

/** The observed state of a Database. */
export interface DatabaseStatus {
  /** The verified backups, the newest first. */
  backups?: Backup[];
  /**
   * The name of a backup that may have been stored but is not verified; absent if there is none.
   */
  attempt?: string;
  /** The name of the last restored backup; removed when `spec.restore` is absent. */
  restored?: string;
  /** The conditions `Ready`, `Progressing` and `Degraded`. */
  conditions?: Condition[];
}

/** A Database as users write it: the fields with defaults may be absent. */
export interface NewDatabase extends KubeObject {
  /** The desired state of a Database. */
  spec:
    & Pick<Database["spec"], "url" | "store" | "schedule">
    & Partial<Omit<Database["spec"], "url" | "store" | "schedule">>;
}

/** The resource of Databases: `kubectl get databases`. */
export const Database: DefinedResource<Database, NewDatabase> = defineResource({
  group: "backups.example.org",
  version: "v1",
  kind: "Database",
  spec: s.object({
    url: s.string({ pattern: "^https?://", description: "GET dumps the database, PUT loads it" }),
    store: s.string({ pattern: "^https?://", description: "The URL below which backups are" }),
    schedule: s.string({ minLength: 1, description: "The times of backups, as in crontab" }),
    timeZone: s.string({ default: "UTC", description: "The IANA name of the schedule's zone" }),
    keep: s.integer({ format: "int32", minimum: 1, maximum: 100, default: 7 }),
    deletionPolicy: s.enum(["Retain", "Delete"], { default: "Retain" }),
    restore: s.optional(s.string({ description: "The name of the backup to restore, once" })),
  }),
  status: s.object({
    backups: s.optional(
      s.array(
        s.object({ name: s.string(), sha256: s.string(), bytes: s.integer({ format: "int64" }) }),
      ),
    ),
    attempt: s.optional(s.string()),
    restored: s.optional(s.string()),
    conditions: s.optional(s.conditions()),
  }),
  printerColumns: [
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: "Last backup", type: "date", jsonPath: ".status.backups[0].name" },
    { name: "Size", type: "integer", jsonPath: ".status.backups[0].bytes" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/**
 * Returns the conditions of a Database, with `Ready`, `Progressing` and `Degraded` set by a summary
 * of its present state.
 */
export function conditionsOf(database: Database, summary: Summary, now: Date): Condition[] {
  const { generation } = database.metadata;
  return [...setSummary(database.status?.conditions, summary, { now, generation })];
}
