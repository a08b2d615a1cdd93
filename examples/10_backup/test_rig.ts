/**
 * The scene of the tests: an API server on virtual time, the operator of Databases, and an HTTP server
 * that fails where a test asks for it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Client, mergePatch, type OperatorHandle, runOperator } from "@xca/operator";
import { CustomResourceDefinition, EventsEvent, findCondition } from "@xca/operator/meta";
import { ApiServer, clientOf, dropCall, FakeClock } from "@xca/operator/testing";
import { callFacts } from "../../lib/testing/faults/call_facts.ts";
import { becomes } from "../../tests/support/becomes.ts";
import { passTime } from "../../tests/support/pass_time.ts";
import { TrackedRequests } from "../../tests/support/tracked_requests.ts";
import { Database } from "./database.ts";
import { checksumOf } from "./object_store.ts";
import { operator } from "./operator.ts";
import { Outside } from "./test_server.ts";

/** The key of the Database of the tests. */
export const KEY = "default/orders";
const START = new Date("2026-03-29T00:59:30Z"); // half a minute before the first backup

/** The moment of a crash: the request is lost, or is done and its response is lost. */
export type Moment = "before" | "after";

/** An API server on virtual time, the operator, and the HTTP server with database and store. */
export class Rig implements AsyncDisposable {
  readonly client: Client;
  readonly outside: Outside = new Outside();
  /** The number of writes and of HTTP requests of the operator so far. */
  steps = 0;
  readonly #requests: TrackedRequests;
  #isDead = false;
  #running: OperatorHandle | undefined;
  #client: Client | undefined;
  readonly #fetch = globalThis.fetch;

  private constructor(readonly clock: FakeClock, readonly server: ApiServer) {
    this.client = clientOf(server, { clock });
    this.#requests = new TrackedRequests(clock, this.outside.held);
  }

  static async start(
    spec: Partial<Database["spec"]> = {},
    crash?: { readonly step: number; readonly moment: Moment },
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
    rig.run(crash);
    await rig.pass(2);
    return rig;
  }

  run(crash?: { readonly step: number; readonly moment: Moment }): void {
    this.#isDead = false;
    const { clock } = this;
    const dies = (): boolean => {
      if (this.#isDead) throw new TypeError("The process of the operator is gone");
      this.#isDead = ++this.steps === crash?.step;
      return this.#isDead;
    };
    globalThis.fetch = async (input, init) => {
      const isLast = dies();
      if (isLast && crash?.moment === "before") throw new TypeError("gone before the request");
      const response = await this.#requests.send(input, init);
      if (isLast) throw new TypeError("gone before the response");
      return response;
    };
    this.#client = clientOf(this.server, {
      clock,
      through: (fetch) => async (request) => {
        const { verb, resource } = callFacts(request);
        if (this.#isDead) throw new TypeError("The process of the operator is gone");
        if (["get", "list", "watch"].includes(verb) || resource === "events") {
          return await fetch(request);
        }
        return dies()
          ? await dropCall(crash!.moment)(request, fetch, { clock })
          : await fetch(request);
      },
    });
    this.#running = runOperator(operator, { client: this.#client, clock });
  }

  /** Lets time pass; a process that has crashed is started again. */
  async pass(seconds: number): Promise<void> {
    await passTime(this.clock, seconds, async () => {
      await this.#requests.rest();
      if (!this.#isDead) return;
      await this.stop();
      this.run();
      await this.#requests.rest();
    });
  }

  /** Lets time pass until a value is the expected one. */
  async becomes<T>(read: () => T | Promise<T>, expected: T, message?: string): Promise<void> {
    await becomes((seconds) => this.pass(seconds), read, expected, message);
  }

  /** Lets time pass until exactly some backups are verified. */
  async has(names: readonly string[], message?: string): Promise<void> {
    await this.becomes<readonly string[]>(async () => namesOf(await this.get()), names, message);
  }

  /** Lets time pass until the Database is degraded for a reason. */
  async isDegraded(reason: string): Promise<void> {
    await this.becomes(async () => {
      const condition = findCondition((await this.get()).status?.conditions, "Degraded");
      return condition?.status === "True" ? condition.reason : undefined;
    }, reason);
  }

  /** Sets the clock, and has the operator look again, as at its own timer. */
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

  /** Checks before a deletion that enough verified backups stay, or that the object is going. */
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

  async stop(): Promise<void> {
    const stopped = this.#running?.stop();
    for (let second = 0; second < 6; second++) await this.clock.advance(1000);
    await stopped?.catch(() => {});
    this.#client?.[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
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

/** Lets days pass, each with other data, until the backup of each is verified. */
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
