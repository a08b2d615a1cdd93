/**
 * The fixture of the tests: an API server on virtual time, the operator of Databases, and an HTTP
 * server that fails on demand.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Client, mergePatch, runOperator } from "@xca/operator";
import { CustomResourceDefinition, EventsEvent, findCondition } from "@xca/operator/meta";
import { ApiServer, clientOf, type Crash, FakeClock, OperatorProcess } from "@xca/operator/testing";
import { becomes } from "../../tests/support/becomes.ts";
import { passTime } from "../../tests/support/in_process/pass_time.ts";
import { TrackedRequests } from "../../tests/support/network/tracked_requests.ts";
import { Database } from "./database.ts";
import { checksumOf } from "./object_store.ts";
import { operator } from "./operator.ts";
import { Outside } from "./test_server.ts";

/** The key of the Database in the tests. */
export const KEY = "default/orders";
const START = new Date("2026-03-29T00:59:30Z"); // half a minute before the first backup

/**
 * An API server on virtual time, the operator, and the HTTP server of the database and the store.
 */
export class Rig implements AsyncDisposable {
  readonly client: Client;
  readonly outside: Outside = new Outside();
  /** The operator process, which crashes on demand. Its steps are writes and HTTP requests. */
  readonly process: OperatorProcess;
  readonly #requests: TrackedRequests;
  readonly #fetch = globalThis.fetch;

  private constructor(readonly clock: FakeClock, readonly server: ApiServer) {
    this.client = clientOf(server, { clock });
    this.#requests = new TrackedRequests(clock, this.outside.held);
    this.process = new OperatorProcess({
      server,
      run: (client) => runOperator(operator, { client, clock }),
    });
    globalThis.fetch = (input, init) =>
      this.process.step("request", () => this.#requests.send(input, init));
  }

  static async start(
    spec: Partial<Database["spec"]> = {},
    crash?: Crash,
  ): Promise<Rig> {
    const clock = new FakeClock(START);
    const rig = new Rig(clock, await ApiServer.start({ clock }));
    await rig.client.create(CustomResourceDefinition, Database.crd);
    await rig.client.create(Database, {
      metadata: { name: "orders", namespace: "default" },
      spec: {
        url: rig.outside.url("database"),
        store: rig.outside.url("store"),
        schedule: "30 2 * * *",
        timeZone: "Europe/Berlin",
        keep: 2,
        ...spec,
      },
    });
    rig.outside.onDelete = () => rig.#checkKept();
    rig.process.start(crash);
    await rig.pass(2);
    return rig;
  }

  /** Lets a number of seconds pass on the fake clock; a crashed operator process is restarted. */
  async pass(seconds: number): Promise<void> {
    await passTime(this.clock, seconds, async () => {
      await this.#requests.rest();
      if (!this.process.crashed) return;
      await this.process.restartIfCrashed();
      await this.#requests.rest();
    });
  }

  /**
   * Lets time pass until the value that `read` returns equals the expected value; fails after 300
   * seconds.
   */
  async becomes<T>(read: () => T | Promise<T>, expected: T, message?: string): Promise<void> {
    await becomes((seconds) => this.pass(seconds), read, expected, message);
  }

  /**
   * Lets time pass until exactly the named backups, the newest first, are verified; fails after 300
   * seconds.
   */
  async has(names: readonly string[], message?: string): Promise<void> {
    await this.becomes<readonly string[]>(async () => namesOf(await this.get()), names, message);
  }

  /** Lets time pass until the Database is degraded for a reason; fails after 300 seconds. */
  async isDegraded(reason: string): Promise<void> {
    await this.becomes(async () => {
      const condition = findCondition((await this.get()).status?.conditions, "Degraded");
      return condition?.status === "True" ? condition.reason : undefined;
    }, reason);
  }

  /**
   * Sets the wall clock, triggers a reconcile run by a change of an annotation, and lets the given
   * number of seconds pass.
   */
  async jump(date: Date, seconds = 12): Promise<void> {
    this.clock.setWallClock(date);
    const annotations = { at: date.toISOString() };
    await this.client.patch(Database, KEY, mergePatch({ metadata: { annotations } }));
    await this.pass(seconds);
  }

  get(): Promise<Database> {
    return this.client.get(Database, KEY);
  }

  async reasons(): Promise<string[]> {
    return (await this.client.list(EventsEvent)).items.map(({ reason }) => reason ?? "");
  }

  /**
   * Asserts before a deletion that the store has the newest verified backups, as many as the spec
   * keeps, with their checksums, unless the Database is being deleted.
   */
  async #checkKept(): Promise<void> {
    const { metadata, spec, status } = await this.get();
    if (metadata.deletionTimestamp) return;
    const verified = (status?.backups ?? []).slice(0, spec.keep);
    for (const { name, sha256 } of verified) {
      const path = `/store/${metadata.uid}/${encodeURIComponent(name)}`;
      const bytes = new TextEncoder().encode(this.outside.stored.get(path));
      assert.equal(checksumOf(bytes), sha256, `backup ${name} is in the store`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stop();
    globalThis.fetch = this.#fetch;
    await this.outside[Symbol.asyncDispose]();
    this.client[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** The names of the backups of the first three days. */
export const NAMES: readonly string[] = [
  "2026-03-29T01:00:00Z",
  "2026-03-30T00:30:00Z",
  "2026-03-31T00:30:00Z",
];

/**
 * Lets the days `from` to `to` pass, counted from 1 and both included, each with different data,
 * until the backup of each day is verified.
 */
export async function days(rig: Rig, from: number, to: number): Promise<void> {
  for (let day = from; day <= to; day++) {
    rig.outside.data = `day ${day}`;
    const name = NAMES[day - 1]!;
    if (day === 1) await rig.pass(35); // the operator asked for a run at this time
    else await rig.jump(new Date(Date.parse(name) + 5000));
    await rig.becomes(async () => namesOf(await rig.get())[0], name);
  }
}

/** Returns the names of the verified backups of a Database, the newest first. */
export function namesOf({ status }: Database): string[] {
  return (status?.backups ?? []).map(({ name }) => name);
}
