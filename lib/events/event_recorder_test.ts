import assert from "node:assert/strict";
import { until } from "../../tests/support/until.ts";
import type { EventLimits } from "./event_correlator.ts";
import { FakeClock } from "../testing/fake_clock.ts";
import { ApiServer, clientOf } from "../testing/mod.ts";
import type { V1ConfigMap } from "@xca/apimachinery/kubernetes-types";
import type { EventsV1Event } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap, EventsEvent, formatKey, Node } from "@xca/apimachinery/meta";
import { seededRandom } from "@xca/apimachinery/base";
import type { Client } from "../client/typed/client.ts";
import { EventRecorder, type EventRecorderOptions } from "./event_recorder.ts";

const MINUTE_MS = 60_000;

/** A recorder on a server, with the requests that it sends, and a clock that a test moves. */
class Stage implements AsyncDisposable {
  readonly clock = new FakeClock(new Date("2026-01-02T03:04:05.678Z"));
  /** The requests for events that arrived. */
  readonly requests: string[] = [];
  /** Called before each request for events; may answer it. */
  answer: (request: Request) => Response | undefined | Promise<Response | undefined> = () =>
    undefined;
  readonly admin: Client;
  readonly recorder: EventRecorder;
  readonly map: V1ConfigMap = {
    metadata: { namespace: "default", name: "web", uid: "1", resourceVersion: "7" },
  };
  readonly #server: ApiServer;
  readonly #client: Client;

  constructor(server: ApiServer, options: Partial<EventRecorderOptions>) {
    this.#server = server;
    this.admin = clientOf(server);
    const { clock } = this;
    // The client has the clock of the machine: its deadlines must not pass while the test moves on.
    this.#client = clientOf(server, {
      through: (fetch) => async (request) => {
        const answer = await this.answer(request);
        if (answer) return answer;
        this.requests.push(request.method);
        return await fetch(request);
      },
    });
    const client = this.#client;
    const random = seededRandom(1);
    this.recorder = new EventRecorder({
      client,
      controller: "example.org/tester",
      clock,
      random,
      ...options,
    });
  }

  /** Records an event about the ConfigMap. */
  record(note: string, reason = "Tested"): void {
    this.recorder.record(ConfigMap, this.map, { reason, note });
  }

  /** Waits until a write has failed, and moves the clock to its next try. */
  async nextTry(): Promise<void> {
    // A timer ends the series; another is the pause of the sender.
    await until(() => this.clock.pending === 2);
    await this.clock.advance(12_500);
  }

  async events(): Promise<EventsV1Event[]> {
    const { items } = await this.admin.list(EventsEvent, { namespace: "default" });
    return items.toSorted((a, b) => (a.eventTime ?? "") < (b.eventTime ?? "") ? -1 : 1);
  }

  /** Returns the note and the count of each event. */
  async counts(): Promise<[string | undefined, number][]> {
    return (await this.events()).map(({ note, series }) => [note, series?.count ?? 1]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.recorder.close();
    await this.clock.advance(5_000);
    await closed;
    this.admin[Symbol.dispose]();
    this.#client[Symbol.dispose]();
    this.#server[Symbol.dispose]();
    assert.equal(this.clock.pending, 0);
  }
}

async function stage(options: Partial<EventRecorderOptions> = {}): Promise<Stage> {
  return new Stage(await ApiServer.start(), options);
}

Deno.test("B72 an event has the fields that kube-apiserver requires", async () => {
  await using s = await stage();
  s.record("Hello");
  await s.recorder.flush();
  const [event] = await s.events();
  assert.match(event!.metadata.name!, /^web\.[0-9a-f]{16}$/);
  assert.match(event!.reportingInstance!, /^example\.org\/tester-[0-9a-f]{8}$/);
  const { type, reason, action, note, reportingController, eventTime, regarding } = event!;
  assert.deepEqual({ type, reason, action, note, reportingController, eventTime, regarding }, {
    type: "Normal",
    reason: "Tested",
    action: "Tested",
    note: "Hello",
    reportingController: "example.org/tester",
    eventTime: "2026-01-02T03:04:05.678000Z",
    regarding: {
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: "default",
      name: "web",
      uid: "1",
      resourceVersion: "7",
    },
  });
});

Deno.test("B72 an event about an object without a namespace is in the namespace default", async () => {
  await using s = await stage();
  const node = { metadata: { name: "node-1", uid: "2" } };
  s.recorder.record(Node, node, {
    type: "Warning",
    reason: "Lost",
    related: {
      type: ConfigMap,
      object: s.map,
    },
  });
  await s.recorder.flush();
  const [event] = await s.events();
  assert.deepEqual([event!.metadata.namespace, event!.regarding?.kind, event!.related?.name], [
    "default",
    "Node",
    "web",
  ]);
});

Deno.test("B72 a repeated event counts by patch: at its first repetition, each half hour, and at its end", async () => {
  await using s = await stage();
  s.record("Hello");
  await s.recorder.flush();
  assert.deepEqual(s.requests, ["POST"]);
  s.record("Hello");
  await s.recorder.flush();
  assert.deepEqual([s.requests, await s.counts()], [["POST", "PATCH"], [["Hello", 2]]]);
  for (let minute = 0; minute < 29; minute++) {
    await s.clock.advance(MINUTE_MS);
    s.record("Hello");
  }
  await s.recorder.flush();
  assert.deepEqual([s.requests.length, await s.counts()], [2, [["Hello", 2]]]);
  await s.clock.advance(MINUTE_MS);
  await s.recorder.flush();
  assert.deepEqual([s.requests.length, await s.counts()], [3, [["Hello", 31]]]);
  s.record("Hello");
  await s.clock.advance(12 * MINUTE_MS);
  await s.recorder.flush();
  assert.deepEqual([s.requests.length, await s.counts()], [4, [["Hello", 32]]]);
  s.record("Hello");
  await s.recorder.flush();
  assert.deepEqual(await s.counts(), [["Hello", 32], ["Hello", 1]]);
});

Deno.test("B72 from the tenth different note within ten minutes on, similar events are one", async () => {
  await using s = await stage();
  for (let number = 1; number <= 12; number++) {
    s.record(`Try ${number}`);
    await s.recorder.flush();
    await s.clock.advance(1);
  }
  await s.recorder.flush();
  const counts = await s.counts();
  assert.equal(counts.length, 10);
  assert.deepEqual(counts.slice(8), [
    ["Try 9", 1],
    ["(combined from similar events): Try 10", 2],
  ]);
  await s.clock.advance(11 * MINUTE_MS);
  s.record("Try 13");
  s.record("Another cause", "Other");
  await s.recorder.flush();
  assert.deepEqual((await s.counts()).slice(10), [["Try 13", 1], ["Another cause", 1]]);
});

Deno.test("B72 about one object 25 events are written at once, then one every five minutes", async () => {
  await using s = await stage();
  const record = (count: number, uid: string): void => {
    for (let number = 0; number < count; number++) {
      const object = { metadata: { ...s.map.metadata, uid } };
      s.recorder.record(ConfigMap, object, { reason: `Reason${number}` });
    }
  };
  record(30, "1");
  assert.equal(s.recorder.dropped, 5);
  record(25, "2");
  assert.equal(s.recorder.dropped, 5);
  await s.recorder.flush();
  assert.equal(s.requests.length, 50);
  await s.clock.advance(5 * MINUTE_MS);
  s.record("", "One");
  s.record("", "Two");
  await s.recorder.flush();
  assert.deepEqual([s.requests.length, s.recorder.dropped], [51, 6]);
});

Deno.test("B72 an event that has expired is created anew, with its count", async () => {
  await using s = await stage();
  s.record("Hello");
  await s.recorder.flush();
  const [event] = await s.events();
  const { namespace = "", name = "" } = event!.metadata;
  await s.admin.delete(EventsEvent, formatKey({ namespace, name }));
  s.record("Hello");
  await s.recorder.flush();
  assert.deepEqual([await s.counts(), s.requests], [[["Hello", 2]], ["POST", "PATCH", "POST"]]);
});

Deno.test("B72 record() never throws: an event that the server would refuse is dropped", async () => {
  await using s = await stage();
  const bad: unknown[] = [
    { reason: "" },
    {},
    undefined,
    { reason: "A".repeat(129) },
    { reason: "A", action: "" },
    { reason: "A", type: "Error" },
    { reason: "A", note: 7 },
  ];
  for (const init of bad) s.recorder.record(ConfigMap, s.map, init as { reason: string });
  s.recorder.record(ConfigMap, undefined as unknown as V1ConfigMap, { reason: "A" });
  await s.recorder.flush();
  assert.deepEqual([s.recorder.dropped, s.requests], [8, []]);
});

Deno.test("B72 a long note is cut at the end of a character, and a name that is too long is replaced", async () => {
  await using s = await stage();
  s.record("€".repeat(1_000));
  const metadata = { namespace: "default", name: "a".repeat(250), uid: "3" };
  s.recorder.record(ConfigMap, { metadata }, { reason: "Long" });
  await s.recorder.flush();
  const notes = (await s.events()).map(({ note = "" }) => note);
  assert.deepEqual(notes.toSorted(), ["", `${"€".repeat(340)}...`]);
});

Deno.test("B72 a server that does not answer delays events and loses none; a refusal drops one", async () => {
  await using s = await stage();
  let tries = 0;
  s.answer = () => {
    if (++tries <= 3) throw new TypeError("connection refused");
    return undefined;
  };
  s.record("Hello");
  for (let failure = 0; failure < 3; failure++) await s.nextTry();
  await s.recorder.flush();
  assert.deepEqual([await s.counts(), s.recorder.dropped], [[["Hello", 1]], 0]);
  s.answer = () => Response.json({ code: 403, reason: "Forbidden" }, { status: 403 });
  s.record("Refused");
  await s.recorder.flush();
  s.answer = () => undefined;
  s.record("Hello again");
  await s.recorder.flush();
  assert.deepEqual((await s.counts()).map(([note]) => note), ["Hello", "Hello again"]);
  assert.equal(s.recorder.dropped, 1);
});

Deno.test("B72 an event whose answer was lost is not written twice", async () => {
  await using s = await stage();
  let tries = 0;
  s.answer = async (request) => {
    if (request.method !== "POST" || ++tries > 1) return undefined;
    await s.admin.create(EventsEvent, await request.clone().json());
    return Response.json({ code: 504, reason: "Timeout" }, { status: 504 });
  };
  s.record("Hello");
  await until(() => tries === 1);
  s.record("Hello");
  await s.nextTry();
  await s.recorder.flush();
  assert.deepEqual([await s.counts(), s.recorder.dropped], [[["Hello", 2]], 0]);
});

Deno.test("B72 no event is written that the gate does not admit", async () => {
  let isOpen = true;
  const admit = (): void => {
    if (!isOpen) throw new Error("the lease may be lost");
  };
  await using s = await stage({ gate: { admit, remainingMs: 1_000 } });
  s.record("Hello");
  await s.recorder.flush();
  isOpen = false;
  s.record("Deposed");
  s.record("Hello");
  await s.recorder.flush();
  assert.deepEqual([await s.counts(), s.recorder.dropped], [[["Hello", 1]], 2]);
});

Deno.test("B72 a dry run writes no event", async () => {
  await using s = await stage({ dryRun: true });
  s.record("Hello");
  await s.recorder.flush();
  assert.deepEqual([s.requests, await s.counts()], [["POST"], []]);
});

Deno.test("B72 the end writes the counts that are left, and waits for a silent server five seconds", async () => {
  const s = await stage();
  for (let time = 0; time < 7; time++) {
    s.record("Hello");
    await s.recorder.flush();
  }
  assert.deepEqual(await s.counts(), [["Hello", 2]]);
  await s.recorder.close();
  assert.deepEqual(await s.counts(), [["Hello", 7]]);
  s.record("Too late");
  assert.equal(s.recorder.dropped, 1);
  await s[Symbol.asyncDispose]();

  await using silent = await stage();
  silent.answer = (request) =>
    new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  silent.record("Hello");
  let isClosed = false;
  const closed = silent.recorder.close().then(() => void (isClosed = true));
  await silent.clock.advance(4_900);
  assert.equal(isClosed, false);
  await silent.clock.advance(100);
  await closed;
  assert.equal(silent.recorder.dropped, 1);
});

Deno.test("an event that is being written when its recorder closes is written once", async () => {
  const s = await stage();
  const written = Promise.withResolvers<undefined>();
  let arrived = false;
  s.answer = () => {
    arrived = true;
    return written.promise;
  };
  s.record("Hello");
  await until(() => arrived);
  const closed = s.recorder.close();
  written.resolve(undefined);
  await closed;
  assert.deepEqual([s.requests, s.recorder.dropped], [["POST"], 0]);
  assert.deepEqual(await s.counts(), [["Hello", 1]]);
  await s[Symbol.asyncDispose]();
});

Deno.test("limits that are not positive numbers are refused by name", () => {
  const recorder = (limits: EventLimits): EventRecorder =>
    new EventRecorder({ client: {} as Client, controller: "tester", limits });
  assert.throws(() => recorder({ burst: 0 }), /burst must be at least 1, is 0/);
  assert.throws(() => recorder({ refillMs: NaN }), /refillMs must be at least 1, is NaN/);
});
