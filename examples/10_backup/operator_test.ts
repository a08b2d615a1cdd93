/**
 * Tests of the backups, on virtual time. Database and object store are an HTTP server on loopback,
 * which fails where a test asks for it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Client, mergePatch, type OperatorHandle, runOperator } from "@xca/operator";
import { CustomResourceDefinition, EventsEvent, findCondition } from "@xca/operator/meta";
import { ApiServer, clientOf, dropCall, FakeClock } from "@xca/operator/testing";
import { callFacts } from "../../lib/testing/faults/call_facts.ts";
import { until } from "../../tests/support/until.ts";
import { Database } from "./database.ts";
import { checksumOf } from "./object_store.ts";
import { operator } from "./operator.ts";

const KEY = "default/orders";
const START = new Date("2026-03-29T00:59:30Z"); // half a minute before the first backup

/** The moment of a crash: the request is lost, or is done and its response is lost. */
type Moment = "before" | "after";

/** A failure of the HTTP server: a refusal, silence, a cut connection, or a change of the bytes. */
type Fault = "refuse" | "hang" | "cut" | "damage";

/** A database and an object store, as one HTTP server on loopback. */
class Outside implements AsyncDisposable {
  /** The present content of the database. */
  data = "day 0";
  /** The backups by their paths. */
  readonly stored = new Map<string, string>();
  /** The faults of the next requests, by method and first part of the path. */
  readonly faults: { readonly on: string; readonly fault: Fault }[] = [];
  /** Called before a backup is deleted. */
  onDelete: (name: string) => void | Promise<void> = () => {};
  readonly #release = new AbortController();
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => this.#answer(request),
  );

  url(path: string): string {
    return `http://127.0.0.1:${this.#server.addr.port}/${path}`;
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const on = `${request.method} ${path.split("/")[1]}`;
    const index = this.faults.findIndex((each) => each.on === on);
    const fault = index < 0 ? undefined : this.faults.splice(index, 1)[0]!.fault;
    const body = await request.text();
    if (fault === "refuse") return new Response("busy", { status: 500 });
    if (fault === "hang") {
      await new Promise((resolve) => {
        for (const signal of [request.signal, this.#release.signal]) {
          signal.addEventListener("abort", resolve, { once: true });
        }
      });
      return new Response(null, { status: 500 });
    }
    const answer = await this.#serve(request.method, path, body);
    if (answer === undefined) return new Response(null, { status: 404 });
    if (fault === "damage") return new Response(`${answer}?`);
    return fault === "cut"
      ? new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode(answer)),
          pull: (stream) => stream.error(new Error("cut")),
        }, { highWaterMark: 2 }),
      )
      : new Response(answer);
  }

  async #serve(method: string, path: string, body: string): Promise<string | undefined> {
    if (path === "/database") {
      if (method === "PUT") this.data = body;
      return this.data;
    }
    if (method === "DELETE") await this.onDelete(path.split("/").at(-1)!);
    const before = this.stored.get(path);
    if (method === "PUT") this.stored.set(path, body);
    if (method === "DELETE") this.stored.delete(path);
    return method === "PUT" ? "" : before;
  }

  /** Returns the names of the stored backups, sorted. */
  names(): string[] {
    return [...this.stored.keys()].map((path) => decodeURIComponent(path.split("/").at(-1)!))
      .sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#release.abort();
    await this.#server.shutdown();
  }
}

/** An API server on virtual time, the operator, and the HTTP server with database and store. */
class Rig implements AsyncDisposable {
  readonly clock = new FakeClock(START);
  readonly outside = new Outside();
  /** The number of writes and of HTTP requests of the operator so far. */
  steps = 0;
  #inFlight = 0;
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
      this.#inFlight++;
      try {
        const isLast = dies();
        if (isLast && crash?.moment === "before") throw new TypeError("gone before the request");
        const response = await this.#fetch(input, init);
        const bytes = await response.bytes();
        if (isLast) throw new TypeError("gone before the response");
        return new Response(bytes, { status: response.status });
      } finally {
        this.#inFlight--;
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

  /** Lets time pass; no second passes during a request, unless the server hangs. */
  async pass(seconds: number, isHanging = false): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.clock.advance(1000);
      await this.rest(isHanging);
      if (!this.#isDead) continue;
      await this.stop();
      this.run();
    }
  }

  async rest(isHanging = false): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await this.clock.settle();
      if (isHanging || this.#inFlight === 0) continue;
      await until(() => this.#inFlight === 0, "the requests of the operator have ended");
      quiet = 0;
    }
  }

  /** Sets the clock, and has the operator look again, as at its own timer. */
  async jump(date: Date, isHanging = false): Promise<void> {
    this.clock.setWallClock(date);
    const annotations = { at: date.toISOString() };
    await this.client.patch(Database, KEY, mergePatch({ metadata: { annotations } }));
    await this.pass(isHanging ? 60 : 12, isHanging);
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
      assert.equal(await checksumOf(bytes), sha256, `backup ${name} is in the store`);
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

const NAMES = ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"];

/** Lets days pass, each with other data, until a few seconds after the time of its backup. */
async function days(rig: Rig, from: number, to: number): Promise<void> {
  for (let day = from; day <= to; day++) {
    rig.outside.data = `day ${day}`;
    if (day === 1) await rig.pass(35); // the operator asked for a run at this time
    else await rig.jump(new Date(Date.parse(NAMES[day - 1]!) + 5000));
  }
}

const namesOf = ({ status }: Database): string[] => (status?.backups ?? []).map(({ name }) => name);

Deno.test("example 10: backups follow the time zone, are verified, and as many as asked for are kept", async () => {
  await using rig = await Rig.start();
  await days(rig, 1, 3);
  const database = await rig.get();
  // There is no 2:30 on the day on which the clocks are set forward.
  assert.deepEqual(namesOf(database), [NAMES[2], NAMES[1]]);
  assert.deepEqual(rig.outside.names(), [NAMES[1], NAMES[2]]);
  assert.deepEqual([...rig.outside.stored.values()].sort(), ["day 2", "day 3"]);
  assert.equal(findCondition(database.status?.conditions, "Ready")?.status, "True");
  assert.equal((await rig.reasons()).filter((reason) => reason === "BackedUp").length, 3);
});

for (const on of ["GET database", "PUT store", "GET store"]) {
  for (
    const fault of ["refuse", "cut", "hang", ...on === "GET store" ? ["damage"] : []] as Fault[]
  ) {
    if (on === "PUT store" && fault === "cut") continue; // its response has no body
    Deno.test(`example 10: ${on} fails (${fault}): nothing is deleted, and the backup is made later`, async () => {
      await using rig = await Rig.start({ keep: 1 });
      await days(rig, 1, 1);
      rig.outside.faults.push({ on, fault });
      rig.outside.data = "day 2";
      await rig.jump(new Date(Date.parse(NAMES[1]!) + 5000), fault === "hang");
      await rig.pass(15);
      assert.deepEqual(rig.outside.faults, []);
      assert.deepEqual(namesOf(await rig.get()), [NAMES[1]]);
      assert.deepEqual(rig.outside.names(), [NAMES[1]]);
      assert((await rig.reasons()).includes("RequestFailed"));
    });
  }
}

Deno.test("example 10: a backup that never verifies counts for nothing, and makes way for the next", async () => {
  await using rig = await Rig.start({ keep: 1 });
  await days(rig, 1, 1);
  for (let tries = 0; tries < 500; tries++) {
    rig.outside.faults.push({ on: "GET store", fault: "damage" });
  }
  await days(rig, 2, 2);
  assert.deepEqual(namesOf(await rig.get()), [NAMES[0]]);
  assert.deepEqual(rig.outside.names(), [NAMES[0], NAMES[1]]);
  const { status } = await rig.get();
  assert.equal(findCondition(status?.conditions, "Degraded")?.status, "True");
  rig.outside.faults.length = 0;
  await days(rig, 3, 3);
  assert.deepEqual(rig.outside.names(), [NAMES[2]]);
});

Deno.test("example 10: a restore loads a verified backup once, and never a damaged one", async () => {
  await using rig = await Rig.start({ keep: 2 });
  await days(rig, 1, 2);
  rig.outside.data = "lost";
  const set = (restore: string | null): Promise<Database> =>
    rig.client.patch(Database, KEY, mergePatch({ spec: { restore } }));
  await set("no such backup");
  await rig.pass(5);
  assert.equal(rig.outside.data, "lost");
  const { status } = await rig.get();
  assert.equal(findCondition(status?.conditions, "Degraded")?.reason, "NoSuchBackup");
  rig.outside.faults.push({ on: "GET store", fault: "damage" });
  await set(NAMES[0]!);
  await rig.pass(5);
  assert.equal(rig.outside.data, "day 1");
  assert.equal((await rig.get()).status?.restored, NAMES[0]);
  rig.outside.data = "newer";
  await rig.pass(60);
  assert.equal(rig.outside.data, "newer", "restored once");
});

Deno.test("example 10: a Database with the policy Delete takes its backups with it, another leaves them", async () => {
  for (const deletionPolicy of ["Delete", "Retain"] as const) {
    await using rig = await Rig.start({ deletionPolicy });
    await days(rig, 1, 2);
    rig.outside.faults.push({ on: "DELETE store", fault: "refuse" });
    await rig.client.delete(Database, KEY);
    await rig.pass(30);
    assert.deepEqual((await rig.client.list(Database)).items, []);
    assert.equal(rig.outside.names().length, deletionPolicy === "Delete" ? 0 : 2);
  }
});

Deno.test("example 10: a schedule that cannot be used is named in the condition", async () => {
  await using rig = await Rig.start({ timeZone: "Mars/Olympus" });
  const { status } = await rig.get();
  assert.equal(findCondition(status?.conditions, "Degraded")?.reason, "InvalidSchedule");
});

Deno.test("example 10: a crash at any write or request leads to the same backups", async () => {
  const play = async (step: number, moment: Moment): Promise<number> => {
    await using rig = await Rig.start({ keep: 1 }, { step, moment });
    await days(rig, 1, 2);
    await rig.client.patch(Database, KEY, mergePatch({ spec: { restore: NAMES[1] } }));
    await rig.pass(30);
    const database = await rig.get();
    const what = `after a crash ${moment} step ${step}`;
    assert.deepEqual(namesOf(database), [NAMES[1]], what);
    assert.deepEqual([...rig.outside.stored.values()], ["day 2"], what);
    assert.deepEqual([database.status?.attempt, database.status?.restored], [undefined, NAMES[1]]);
    return rig.steps;
  };
  const steps = await play(0, "before");
  assert(steps > 12, `${steps} steps`);
  for (let step = 1; step <= steps; step++) {
    for (const moment of ["before", "after"] as const) await play(step, moment);
  }
});
