/**
 * An operator that backs up databases to an object store over HTTP: at scheduled times in a time
 * zone, with each backup read back and compared, a limited number of backups kept, and one restored
 * on request.
 *
 * Each step can be repeated, and is recorded in the status before the next step depends on it. So a
 * crash at any time costs at most the repetition of a step. README.md in this folder has a picture.
 *
 * ```sh
 * kubectl xca run --install-crds examples/10_backup/operator.ts
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  loadConfig,
  type Operator,
  type ReconcileContext,
  type RequeueAfter,
  terminal,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { finalize, patchStatus } from "@xca/operator/controller";
import { CronSchedule } from "@xca/operator/schedule";
import { runExample } from "../run_example.ts";
import { type Backup, conditionsOf, Database, type DatabaseStatus } from "./database.ts";
import { checksumOf, send, StoreError } from "./object_store.ts";

/**
 * The finalizer that keeps a Database until its backups are deleted, if its policy deletes them.
 */
export const FINALIZER = "backups.example.org/backups";

/**
 * Returns the URL of a backup, given by its name. The URL contains the UID of the Database, so that
 * a new Database of the same name has separate backups.
 */
export function urlOf({ spec, metadata }: Database, name: string): string {
  return `${spec.store.replace(/\/$/, "")}/${metadata.uid}/${encodeURIComponent(name)}`;
}

async function reconcile(context: ReconcileContext): Promise<void | RequeueAfter> {
  const found = context.cache.get(Database, context.key);
  if (!found) return;
  const cleanup = (database: Database) => deleteAll(context, database);
  const database = await finalize(context, Database, found, { finalizer: FINALIZER, cleanup });
  if (!database) return;
  const schedule = await scheduleOf(context, database);
  try {
    return await step(context, database, schedule);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await refuse(context, database, "RequestFailed", error.message);
    throw error; // the controller tries again, and waits longer each time
  }
}

/**
 * Executes the first step that is due. Each write of the status causes another reconcile run. If no
 * step is due, returns the delay until the next scheduled backup.
 */
async function step(
  context: ReconcileContext,
  database: Database,
  schedule: CronSchedule,
): Promise<void | RequeueAfter> {
  const { spec, metadata, status: { backups = [], attempt, restored } = {} } = database;
  const source = backups.find(({ name }) => name === spec.restore);
  if (source && source.name !== restored) return await restore(context, database, source);
  const excess = backups.slice(spec.keep); // all in the list are verified, the newest first
  if (excess.length > 0) {
    for (const { name } of excess) await send("DELETE", urlOf(database, name), context);
    return await write(context, database, { backups: backups.slice(0, spec.keep) });
  }
  const now = context.clock.now();
  const due = schedule.last(now);
  const name = due?.toISOString().replace(".000Z", "Z");
  const since = backups[0]?.name ?? metadata.creationTimestamp!;
  if (due && name && due > new Date(since)) {
    if (attempt === name) return await backUp(context, database, name);
    // An attempt that was never verified is deleted before the backup that is due now.
    if (attempt) await send("DELETE", urlOf(database, attempt), context);
    return await write(context, database, { attempt: name });
  }
  if (spec.restore !== undefined && spec.restore !== restored) {
    await refuse(context, database, "NoSuchBackup", `No backup ${spec.restore} is verified`);
  } else {
    await write(context, database, spec.restore === undefined ? { restored: null } : {});
  }
  return schedule.requeueAfter(now);
}

/**
 * Makes a backup and reads it back; records the backup in the status if it equals the dump.
 *
 * @throws {StoreError} When a request fails, or the backup differs from the dump.
 */
async function backUp(context: ReconcileContext, database: Database, name: string): Promise<void> {
  const url = urlOf(database, name);
  const dump = await send("GET", database.spec.url, context);
  const backup: Backup = { name, sha256: checksumOf(dump), bytes: dump.length };
  await send("PUT", url, context, dump);
  verified(backup, await send("GET", url, context), url);
  note(context, database, "Normal", "BackedUp", `Backup ${name} is verified`);
  const backups = [backup, ...database.status?.backups ?? []];
  await write(context, database, { backups, attempt: null });
}

/**
 * Loads a backup into the database, and records it in the status.
 *
 * @throws {StoreError} When a request fails, or the bytes of the backup differ from those that were
 * verified, which are then not loaded.
 */
async function restore(
  context: ReconcileContext,
  database: Database,
  backup: Backup,
): Promise<void> {
  const url = urlOf(database, backup.name);
  const dump = verified(backup, await send("GET", url, context), url);
  await send("PUT", database.spec.url, context, dump);
  note(context, database, "Normal", "Restored", `Backup ${backup.name} is restored`);
  await write(context, database, { restored: backup.name });
}

/**
 * Returns the bytes of a backup if they match its checksum.
 *
 * @throws {StoreError} When the bytes do not match the checksum.
 */
function verified(
  { sha256 }: Backup,
  bytes: Uint8Array<ArrayBuffer>,
  url: string,
): Uint8Array<ArrayBuffer> {
  if (checksumOf(bytes) === sha256) return bytes;
  throw new StoreError(`The checksum of ${url} is not that of the backup`);
}

/**
 * Deletes the backups of a Database that is being deleted, if its `deletionPolicy` is `Delete`; an
 * attempt that is not verified included.
 */
async function deleteAll(context: ReconcileContext, database: Database): Promise<void> {
  if (database.spec.deletionPolicy !== "Delete") return;
  const { backups = [], attempt } = database.status ?? {};
  for (const name of [...backups.map(({ name }) => name), ...attempt ? [attempt] : []]) {
    await send("DELETE", urlOf(database, name), context);
  }
}

/**
 * Returns the schedule of a Database; records an invalid schedule as a condition and an event.
 *
 * @throws {TerminalError} When the schedule is invalid.
 */
async function scheduleOf(context: ReconcileContext, database: Database): Promise<CronSchedule> {
  const { schedule, timeZone } = database.spec;
  try {
    return new CronSchedule(schedule, { timeZone });
  } catch (error) {
    const { message } = error as Error;
    await refuse(context, database, "InvalidSchedule", message);
    throw terminal(message);
  }
}

/** Records the reason why a Database cannot be reconciled, as a condition and an event. */
async function refuse(
  context: ReconcileContext,
  database: Database,
  reason: string,
  message: string,
): Promise<void> {
  note(context, database, "Warning", reason, message);
  const now = context.clock.now();
  const conditions = conditionsOf(database, { state: "Degraded", reason, message }, now);
  await patchStatus(context, Database, database, { conditions });
}

/** The fields of a Database's status that a step changes; `null` removes a field. */
type StatusChange = { [F in keyof DatabaseStatus]: DatabaseStatus[F] | null };

/**
 * Writes the changed fields of a Database's status, and the conditions of a Database without a
 * problem: progressing with a new `attempt`, otherwise ready.
 */
async function write(
  context: ReconcileContext,
  database: Database,
  change: StatusChange,
): Promise<void> {
  const state = change.attempt ? "Progressing" : "Ready";
  const reason = change.attempt ? "BackingUp" : "BackupsKept";
  const conditions = conditionsOf(database, { state, reason }, context.clock.now());
  await patchStatus(context, Database, database, { ...change, conditions });
}

/** Emits an event about a Database. */
function note(
  { events }: ReconcileContext,
  database: Database,
  type: "Normal" | "Warning",
  reason: string,
  note: string,
): void {
  events.record(Database, database, { type, reason, note });
}

/** The operator of Databases. */
export const operator: Operator = defineOperator({
  name: "backups",
  controllers: [
    controllerFor(Database)
      .uses(Database, ["finalize", "patchStatus", "recordEvents"])
      .reconcile(reconcile),
  ],
});

if (import.meta.main) {
  await runExample(async () => {
    using client = createClient(await loadConfig());
    const manager = createManager({ client, name: operator.name });
    manager.add(operator);
    await manager.run({ signal: stopSignal() });
  });
}
