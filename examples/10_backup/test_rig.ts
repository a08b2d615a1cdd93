/**
 * The scene of the tests: an API server on virtual time, the operator of Databases, and an HTTP server
 * that fails where a test asks for it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Client, mergePatch, type OperatorHandle, runOperator } from "@xca/operator";
import { CustomResourceDefinition, EventsEvent } from "@xca/operator/meta";
import { ApiServer, clientOf, dropCall, FakeClock } from "@xca/operator/testing";
import { callFacts } from "../../lib/testing/faults/call_facts.ts";
import { passTime } from "../../tests/support/pass_time.ts";
import { until } from "../../tests/support/until.ts";
import { Database } from "./database.ts";
import { checksumOf } from "./object_store.ts";
import { operator } from "./operator.ts";
import { Outside, REQUEST_ID } from "./test_server.ts";

/** The key of the Database of the tests. */
export const KEY = "default/orders";
const START = new Date("2026-03-29T00:59:30Z"); // half a minute before the first backup

/** The moment of a crash: the request is lost, or is done and its response is lost. */
export type Moment = "before" | "after";

/** An API server on virtual time, the operator, and the HTTP server with database and store. */
export class Rig implements AsyncDisposable {
  readonly clock: FakeClock = new FakeClock(START);
  readonly outside: Outside = new Outside();
  /** The number of writes and of HTTP requests of the operator so far. */
  steps = 0;
  readonly #requests = new Set<string>();
  #isDead = false;
  #running: OperatorHandle | undefined;
  #client: Client | undefined;
  readonly #fetch = globalThis.fetch;

  private constructor(readonly server: ApiServer, readonly client: Client) {}

  static async start(
    spec: Partial<Database["spec"]> = {},
    crash?: { readonly step: number; readonly moment: Moment },
  ): Promise<Rig> {
    const clock = new FakeClock(START);
    const server = await ApiServer.start({ clock });
    const rig = new Rig(server, clientOf(server, { clock }));
    Object.assign(rig, { clock });
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
      const id = crypto.randomUUID();
      this.#requests.add(id);
      try {
        const isLast = dies();
        if (isLast && crash?.moment === "before") throw new TypeError("gone before the request");
        const response = await this.#fetch(input, { ...init, headers: { [REQUEST_ID]: id } });
        const bytes = await response.bytes();
        if (isLast) throw new TypeError("gone before the response");
        return new Response(bytes, { status: response.status });
      } finally {
        this.#requests.delete(id);
      }
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
      await this.rest();
      if (!this.#isDead) return;
      await this.stop();
      this.run();
      await this.rest();
    });
  }

  /** Waits until the operator only waits for a server that hangs, or for time to pass. */
  async rest(): Promise<void> {
    const isQuiet = () => [...this.#requests].every((id) => this.outside.held.has(id));
    for (let quiet = 0; quiet < 3; quiet++) {
      await this.clock.settle();
      if (isQuiet()) continue;
      await until(isQuiet, "the requests of the operator have ended, or hang");
      quiet = 0;
    }
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

/** Lets days pass, each with other data, until a few seconds after the time of its backup. */
export async function days(rig: Rig, from: number, to: number): Promise<void> {
  for (let day = from; day <= to; day++) {
    rig.outside.data = `day ${day}`;
    if (day === 1) await rig.pass(35); // the operator asked for a run at this time
    else await rig.jump(new Date(Date.parse(NAMES[day - 1]!) + 5000));
  }
}

/** Returns the names of the verified backups of a Database, the newest first. */
export function namesOf({ status }: Database): string[] {
  return (status?.backups ?? []).map(({ name }) => name);
}
