/** B71, F37, F39-F43: one leader at a time, on a clock that the test moves. */
import assert from "node:assert/strict";
import { FakeClock } from "../../testing/fake_clock.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import { printedRandom } from "../../../tests/support/seed.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";
import { LeaderElector } from "./leader_elector.ts";
import { type LeaseFault, LeaseStore } from "./lease_store_fakes_test.ts";
import { Replica } from "./replica_fakes_test.ts";

function setUp(
  count = 2,
  identities = ["a", "bb", "ccc"],
): { store: LeaseStore; clock: FakeClock; replicas: Replica[] } {
  const store = new LeaseStore();
  const clock = new FakeClock();
  const names = identities.slice(0, count);
  return { store, clock, replicas: names.map((name) => new Replica(name, store, clock)) };
}

async function stopAll(replicas: readonly Replica[], clock: FakeClock): Promise<void> {
  for (const replica of replicas) replica.stop();
  await clock.advance(60_000);
}

Deno.test("B71 the first candidate creates the Lease, with times of six digits", async () => {
  const { store, clock, replicas: [a] } = setUp(1);
  const run = a!.start();
  await clock.settle();
  assert(a!.mayWrite);
  assert.deepEqual(store.lease?.spec, {
    holderIdentity: "a",
    leaseDurationSeconds: 15,
    acquireTime: "2026-01-01T00:00:00.000000Z",
    renewTime: "2026-01-01T00:00:00.000000Z",
    leaseTransitions: 0,
  });
  await stopAll([a!], clock);
  await run;
});

Deno.test("B71 candidates that start together: one leads, and the others do not warn", async () => {
  await using log = await CollectedLog.start();
  const { store, clock, replicas } = setUp(3);
  for (const replica of replicas) void replica.start();
  await clock.settle();
  assert.equal(store.calls.filter(({ verb }) => verb === "create").length, 3);
  assert.equal(replicas.filter(({ mayWrite }) => mayWrite).length, 1);
  assert.deepEqual(log.messages("warning"), []);
  await stopAll(replicas, clock);
});

Deno.test("B71 a leader renews by updates without a read, and keeps its acquire time", async () => {
  const { store, clock, replicas: [a] } = setUp(1);
  void a!.start();
  await clock.advance(10_000);
  assert.deepEqual(store.calls.map(({ verb }) => verb), [
    "get",
    "create",
    ...Array.from({ length: 5 }, () => "update"),
  ]);
  assert.equal(store.lease?.spec?.acquireTime, "2026-01-01T00:00:00.000000Z");
  assert.equal(store.lease?.spec?.renewTime, "2026-01-01T00:00:10.000000Z");
  await stopAll([a!], clock);
});

Deno.test("B71 a standby never takes the lease of a live leader, and takes it after its death", async () => {
  const { store, clock, replicas: [a, b] } = setUp();
  void a!.start();
  await clock.settle();
  void b!.start();
  await clock.advance(600_000);
  assert(a!.mayWrite && !b!.mayWrite);
  assert.deepEqual(b!.newLeaders, ["a"]);
  a!.clock.block({ suspend: false }); // as a process that was killed
  await clock.advance(25_000);
  assert(b!.mayWrite && !a!.mayWrite);
  assert.equal(store.lease?.spec?.leaseTransitions, 1);
  assert.deepEqual(b!.newLeaders, ["a", "bb"]);
  a!.clock.unblock();
  await clock.advance(10_000);
  assert(a!.ends[0] instanceof LeadershipLostError, String(a!.ends[0]));
  assert.equal(a!.ends[0].message, "Lost the lease shop/web: bb holds it");
  await stopAll([a!, b!], clock);
});

Deno.test("F43 a stop ends the work first, releases the lease then, also over a conflict", async () => {
  const { store, clock, replicas: [a, b] } = setUp();
  let conflicts = 2;
  store.fault = ({ verb, identity }) =>
    verb === "update" && identity === "a" && a!.term === undefined && conflicts-- > 0
      ? 409
      : undefined;
  void a!.start();
  await clock.settle();
  void b!.start();
  await clock.settle();
  a!.stop();
  await clock.advance(500);
  assert.deepEqual(a!.ends, [undefined]);
  assert.equal(store.lease?.spec?.holderIdentity, "");
  await clock.advance(5_000); // one retry period with its jitter, not a whole lease
  assert(b!.mayWrite);
  assert.equal(store.lease?.spec?.leaseTransitions, 1);
  await stopAll([b!], clock);
});

Deno.test("F43 a release that meets conflicts only is tried some times a second, until the renew deadline", async () => {
  const { store, clock, replicas: [a] } = setUp(1);
  void a!.start();
  await clock.settle();
  store.fault = ({ verb }) => verb === "update" ? 409 : undefined;
  store.calls.length = 0;
  a!.stop();
  await clock.advance(20_000);
  assert.deepEqual(a!.ends, [undefined]);
  assert(store.calls.length > 10 && store.calls.length <= 202, `${store.calls.length} calls`);
});

Deno.test("B71 the lease is renewed while the work of a stopped leader ends", async () => {
  const { store, clock } = setUp(0);
  const replica = new Replica("a", store, clock);
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const run = replica.elector.run(() => ended.promise, { signal: stop.signal });
  await clock.settle();
  stop.abort();
  await clock.advance(60_000);
  assert.equal(store.lease?.spec?.holderIdentity, "a");
  assert.equal(store.lease?.spec?.renewTime, "2026-01-01T00:01:00.000000Z");
  ended.resolve();
  await clock.settle();
  await run;
  assert.equal(store.lease?.spec?.holderIdentity, "");
});

Deno.test("F40 a leader whose renewals are refused or lost stops at its renew deadline", async () => {
  for (const fault of [403, 409, 500, "lost"] as const) {
    const { store, clock, replicas: [a] } = setUp(1);
    void a!.start();
    await clock.advance(4_000);
    store.fault = () => fault;
    await clock.advance(9_999);
    assert(a!.term !== undefined, `${fault}: stopped early`);
    await clock.advance(1);
    assert(!a!.mayWrite, `${fault}: may write after the deadline`);
    await clock.advance(1_000);
    const [end] = a!.ends;
    assert(end instanceof LeadershipLostError, `${fault}: ${end}`);
    assert.match(end.message, /^Lost the lease shop\/web: it could not be renewed for 10 s/);
  }
});

Deno.test("F40 a renewal that meets a conflict reads the lease and renews it, and is counted", async () => {
  const slow: string[] = [];
  const metrics = { leading: () => {}, slowPath: (lease: string) => void slow.push(lease) };
  const { store, clock } = setUp(0);
  const a = new Replica("a", store, clock, { metrics });
  void a.start();
  await clock.advance(4_000);
  // Another client labels the Lease: the leader's next update has an old version.
  const { metadata } = store.lease!;
  const labels = { team: "shop" };
  store.lease = { ...store.lease!, metadata: { ...metadata, resourceVersion: "77", labels } };
  const before = store.calls.length;
  slow.length = 0;
  await clock.advance(2_000);
  assert(a.mayWrite && a.ends.length === 0);
  const verbs = store.calls.slice(before).map(({ verb }) => verb);
  assert(verbs.includes("get") && verbs.at(-1) === "update", String(verbs));
  assert.deepEqual([store.lease!.metadata.labels, slow], [labels, ["shop/web"]]);
  assert.equal(store.lease!.spec?.renewTime, "2026-01-01T00:00:06.000000Z");
  await stopAll([a], clock);
});

Deno.test("F40 a stolen lease ends the term at once; a deleted one is created again", async () => {
  const { store, clock, replicas: [a] } = setUp(1);
  void a!.start();
  await clock.advance(4_000);
  store.lease = undefined;
  await clock.advance(2_000);
  assert(a!.mayWrite);
  assert.equal(store.lease!.spec?.acquireTime, "2026-01-01T00:00:00.000000Z");
  store.lease = {
    ...store.lease!,
    metadata: { ...store.lease!.metadata, resourceVersion: "stolen" },
    spec: { ...store.lease!.spec, holderIdentity: "thief" },
  };
  await clock.advance(2_000);
  assert(!a!.mayWrite && a!.ends[0] instanceof LeadershipLostError);
  assert.match(a!.ends[0].message, /thief holds it/);
});

Deno.test("F27 a renewal whose answer was lost does not end the term", async () => {
  const { store, clock, replicas: [a] } = setUp(1);
  void a!.start();
  await clock.advance(4_000);
  let lost = 1;
  store.fault = ({ verb }) => verb === "update" && lost-- > 0 ? "answer lost" : undefined;
  await clock.advance(30_000);
  assert(a!.mayWrite);
  assert.equal(a!.ends.length, 0);
  await stopAll([a!], clock);
});

Deno.test("F39 wall clocks that differ by hours elect one leader, and a jump ahead closes the deadline", async () => {
  const { clock, replicas: [a, b] } = setUp();
  b!.clock.skewMs = 7_200_000;
  void a!.start();
  await clock.settle();
  void b!.start();
  await clock.advance(120_000);
  assert(a!.mayWrite && !b!.mayWrite);
  a!.clock.skewMs = 3_600_000;
  assert(!a!.mayWrite, "the wall clock says that the lease is over");
  await clock.advance(2_000);
  assert(a!.mayWrite, "the next renewal opens it again");
  a!.clock.skewMs = -3_600_000;
  await clock.advance(120_000);
  assert(a!.mayWrite && !b!.mayWrite);
  await stopAll([a!, b!], clock);
});

Deno.test("F37 a blocked event loop or a suspended machine finds its deadline passed", async () => {
  for (const suspend of [false, true]) {
    const { clock, replicas: [a] } = setUp(1);
    void a!.start();
    await clock.advance(1_000);
    a!.clock.block({ suspend });
    await clock.advance(60_000);
    assert(!a!.mayWrite, `suspend=${suspend}`);
    a!.clock.unblock();
    await clock.advance(3_000);
    assert(a!.mayWrite, "nobody took the lease, so that the term goes on");
    await stopAll([a!], clock);
  }
});

Deno.test("B71 a holder that names no duration keeps its lease for the duration of the candidate", async () => {
  for (const leaseDurationSeconds of [undefined, 0]) {
    const { store, clock, replicas: [a] } = setUp(1);
    const spec = {
      holderIdentity: "odd",
      ...(leaseDurationSeconds === 0 && { leaseDurationSeconds }),
    };
    store.lease = { metadata: { namespace: "shop", name: "web", resourceVersion: "odd" }, spec };
    void a!.start();
    await clock.advance(14_000);
    assert(!a!.mayWrite, `${leaseDurationSeconds}: taken from its holder`);
    await clock.advance(10_000);
    assert(a!.mayWrite, `${leaseDurationSeconds}: never taken`);
    await stopAll([a!], clock);
  }
});

Deno.test("leader elector: a callback that throws or rejects ends nothing", async () => {
  const { store, clock } = setUp(0);
  const callbacks = [
    () => {
      throw new Error("thrown");
    },
    () => Promise.reject(new Error("rejected")),
  ];
  for (const onNewLeader of callbacks) {
    const replica = new Replica("a", store, clock, { onNewLeader: onNewLeader as () => void });
    void replica.start();
    await clock.advance(20_000);
    assert(replica.mayWrite);
    await stopAll([replica], clock);
  }
});

Deno.test("B71 impossible durations are refused by name and rule", () => {
  const { store, clock } = setUp(0);
  const make = (timing: object): unknown => new Replica("a", store, clock, timing);
  for (
    const [timing, message] of [
      [{ leaseDurationMs: 10_000 }, /leaseDurationMs \(10000\) must be above renewDeadlineMs/],
      [{ renewDeadlineMs: 2_400 }, /renewDeadlineMs \(2400\) must be above 1.2 x retryPeriodMs/],
      [{ leaseDurationMs: 15_500 }, /give whole seconds/],
      [{ retryPeriodMs: 0 }, /retryPeriodMs is 0/],
      [{ leaseDurationMs: NaN }, /leaseDurationMs is NaN/],
      [{ leaseDurationMs: 1e15 }, /leaseDurationMs is 1000000000000000; .* at most 2147483647/],
      [{ leaseDurationMs: "15s" }, /leaseDurationMs is 15s/],
    ] as const
  ) {
    assert.throws(
      () => make(timing),
      (error) => error instanceof RangeError && message.test(error.message),
    );
  }
  assert.throws(() => make({ identity: "" }), /identity is empty/);
});

Deno.test("leader elector: names that the server would refuse with each attempt are refused at once", () => {
  const { store, clock } = setUp(0);
  const coordinated = { binaryVersion: "1.0.0" };
  for (
    const [options, message] of [
      [{ namespace: "B!" }, /^Cannot elect a leader: namespace is "B!"; give the name of a namesp/],
      [{ name: "My operator" }, /name is "My operator"; give the name of a Lease, such as my-/],
      [{ name: `a${".a".repeat(127)}` }, /; give the name of a Lease/],
      [{ name: "a..b" }, /; give the name of a Lease/],
      [{ identity: 5 }, /identity is 5; give a text/],
      [{ identity: "web_0", coordinated }, /identity is "web_0"; a coordinated election needs/],
      [{ labels: { "bad key": "x" } }, /a key of labels is "bad key"; give the key of a label/],
      [{ labels: { team: "a/b" } }, /the label team is "a\/b"; give the value of a label/],
      [{ labels: { team: 5 } }, /the label team is 5; give the value of a label/],
      [{ onNewLeader: "log" }, /onNewLeader is "log"; give a function/],
    ] as const
  ) {
    assert.throws(
      () => new Replica("a", store, clock, options as object),
      (error) => error instanceof TypeError && message.test(error.message),
    );
  }
  const long = `${"a".repeat(120)}.${"b".repeat(132)}`; // labels may be long, the name up to 253
  new Replica("pod_1", store, clock, { name: long, identity: long, coordinated });
  new Replica("pod_1", store, clock, { name: "a.b-c", labels: { "example.org/team": "", a: "B" } });
});

Deno.test("leader elector: health names a leader that has not renewed for long; a run is one at a time", async () => {
  const { clock, replicas: [a] } = setUp(1);
  void a!.start();
  await clock.settle();
  assert.equal(a!.elector.problem(20_000), undefined);
  await assert.rejects(a!.elector.run(() => Promise.resolve()), /it runs already/);
  a!.clock.block({ suspend: false });
  await clock.advance(36_000);
  assert.equal(a!.elector.problem(20_000), "the lease shop/web was renewed last 36 s ago");
  a!.clock.unblock();
  await clock.settle();
  await stopAll([a!], clock);
});

Deno.test("leader elector: work that fails releases the lease and fails the run", async () => {
  const { store, clock } = setUp(0);
  const elector = new LeaderElector({
    client: store.clientOf("a", clock),
    namespace: "shop",
    name: "web",
    identity: "a",
    clock,
    onNewLeader: () => {
      throw new Error("a callback that throws");
    },
  });
  const failing = (): never => {
    throw new Error("no work");
  };
  await assert.rejects(elector.run(failing), /no work/);
  assert.equal(store.lease?.spec?.holderIdentity, "");
});

Deno.test("F40 a deposed leader that finds the Lease deleted waits for a whole lease before it takes it", async () => {
  for (const stopped of [true, false]) {
    const { store, clock, replicas: [a, b] } = setUp();
    void a!.start();
    await clock.settle();
    void b!.start();
    await clock.advance(5_000);
    a!.clock.block({ suspend: false });
    if (stopped) a!.stop();
    await clock.advance(30_000);
    assert(b!.mayWrite);
    store.lease = undefined;
    store.fault = ({ identity }) => identity === "bb" ? "lost" : undefined;
    a!.clock.unblock();
    await clock.settle();
    void a!.start();
    for (let second = 0; second < 14; second++) {
      assert(!(a!.mayWrite && b!.mayWrite), `both may write after ${second} s`);
      await clock.advance(1_000);
    }
    await clock.advance(20_000);
    assert(a!.mayWrite, "the lease is never taken");
    await stopAll([a!, b!], clock);
  }
});

Deno.test("F40 a candidate that read the Lease between two deletions waits for a whole lease again", async () => {
  const { store, clock, replicas } = setUp(3);
  const [a, b, c] = replicas;
  for (const replica of replicas) {
    void replica.start();
    await clock.settle();
  }
  await clock.advance(5_000);
  a!.clock.block({ suspend: false });
  store.lease = undefined;
  for (let second = 0; second < 30 && !b!.mayWrite && !c!.mayWrite; second++) {
    await clock.advance(1_000);
  }
  const [leader, other] = b!.mayWrite ? [b!, c!] : [c!, b!];
  assert(leader.mayWrite, "the lease is never taken");
  for (let second = 0; second < 10 && !store.wasSeenBy(other.clock); second++) {
    await clock.advance(1_000);
  }
  assert(store.wasSeenBy(other.clock));
  store.lease = undefined;
  store.fault = ({ identity }) => identity === leader.identity ? "lost" : undefined;
  for (let second = 0; second < 14; second++) {
    assert(!other.mayWrite, `the lease is taken ${second} s after the second deletion`);
    await clock.advance(1_000);
  }
  await clock.advance(20_000);
  assert(other.mayWrite && !leader.mayWrite);
  a!.clock.unblock();
  await stopAll(replicas, clock);
});

Deno.test("F42 two processes with one identity never lead at once, and the second waits for the lease to expire", async () => {
  const { store, clock, replicas: [first, second] } = setUp(2, ["web-0", "web-0"]);
  void first!.start();
  await clock.settle();
  void second!.start();
  await clock.advance(60_000);
  assert(first!.mayWrite && !second!.mayWrite);
  first!.clock.block({ suspend: false });
  await clock.advance(10_000);
  assert(!first!.mayWrite && !second!.mayWrite);
  await clock.advance(20_000);
  assert(second!.mayWrite);
  assert.equal(store.lease?.spec?.leaseTransitions, 1);
  first!.clock.unblock();
  await clock.settle();
  assert.match(String(first!.ends[0]), /another process with the identity web-0 holds it/);
  await stopAll([second!], clock);
  assert.equal(store.lease?.spec?.holderIdentity, "");
});

Deno.test("F42 a lease that another process held and released meanwhile ends the term", async () => {
  const { store, clock, replicas: [a, b] } = setUp();
  void a!.start();
  await clock.settle();
  void b!.start();
  await clock.advance(5_000);
  a!.clock.block({ suspend: true });
  await clock.advance(30_000);
  assert(b!.mayWrite);
  b!.stop();
  await clock.advance(1_000);
  assert.equal(store.lease?.spec?.holderIdentity, "");
  a!.clock.unblock();
  await clock.advance(2_000);
  assert(!a!.mayWrite);
  assert.match(String(a!.ends[0]), /it was released/);
});

Deno.test("leader elector: a term that has ended stays ended while the next one lasts", async () => {
  const { clock, replicas: [a] } = setUp(1);
  void a!.start();
  await clock.settle();
  const { term } = a!;
  assert(term!.remainingMs > 0);
  a!.stop();
  await clock.advance(1_000);
  void a!.start();
  await clock.advance(1_000);
  assert(a!.mayWrite);
  assert.equal(term!.remainingMs, 0);
  await stopAll([a!], clock);
});

Deno.test("F40 health names a candidate that neither leads nor observes a leader, with the reason", async () => {
  const { store, clock, replicas: [a, b] } = setUp();
  store.fault = () => 403;
  void a!.start();
  await clock.advance(15_000);
  assert.equal(a!.elector.candidateProblem(5_000), undefined);
  await clock.advance(10_000);
  assert.match(
    String(a!.elector.candidateProblem(5_000)),
    /^no leader of the lease shop\/web was observed for 2\d s: refused with 403$/,
  );
  store.fault = () => undefined;
  void b!.start();
  await clock.advance(60_000);
  assert.equal(a!.elector.candidateProblem(0), undefined);
  assert.equal(b!.elector.candidateProblem(0), undefined);
  await stopAll([a!, b!], clock);
  assert.equal(a!.elector.candidateProblem(0), undefined);
});

Deno.test("F42 random faults: never may two replicas start a write, and one leads in the end", async () => {
  const { random } = printedRandom();
  const pick = <T>(...items: readonly T[]): T => items[Math.floor(random.next() * items.length)]!;
  let terms = 0;
  for (let round = 0; round < 6; round++) {
    const { store, clock, replicas } = setUp(3, round % 3 === 2 ? ["a", "a", "ccc"] : undefined);
    // No process can notice a wall clock that is set back while its machine is suspended.
    const suspends = round % 2 === 0;
    const errors = new Map<string, number>();
    store.fault = ({ identity }) =>
      random.next() < (errors.get(identity) ?? 0)
        ? pick<LeaseFault>(403, 409, 500, "lost", "answer lost")
        : undefined;
    const runs = replicas.map((replica) => ({ replica, running: false }));
    const restart = (): void => {
      for (const run of runs) {
        if (run.running) continue;
        run.running = true;
        void run.replica.start().then(() => run.running = false);
      }
    };
    let before: Replica | undefined;
    const check = (): void => {
      const writers = replicas.filter(({ mayWrite }) => mayWrite);
      assert(writers.length <= 1, `${writers.map(({ identity }) => identity)} may write at once`);
      if (writers[0] && writers[0] !== before) terms++;
      before = writers[0] ?? before;
    };
    for (let action = 0; action < 40; action++) {
      restart();
      const replica = pick(...replicas);
      pick(
        () => replica.clock.block({ suspend: false }),
        () => replica.clock.block({ suspend: suspends }),
        () => replica.clock.unblock(),
        () => replica.clock.unblock(),
        () => {
          if (!suspends) replica.clock.skewMs = (random.next() - 0.5) * 7_200_000;
        },
        () => replica.stop(),
        () => void errors.set(replica.identity, pick(0, 0, 0.5, 1)),
        () => {
          // Nothing protects from a replica that never saw this Lease: to it, the absence is a first
          // start, or goes on since an earlier deletion.
          const allSaw = replicas.every(({ clock }) => store.wasSeenBy(clock));
          if (allSaw && random.next() < 0.5) store.lease = undefined;
        },
      )();
      for (let second = 0, many = random.next() * 10; second < many; second++) {
        await clock.advance(1_000);
        check();
      }
    }
    errors.clear();
    for (const { clock } of replicas) clock.unblock();
    for (let second = 0; second < 60; second++) {
      restart();
      await clock.advance(1_000);
      check();
    }
    assert.equal(replicas.filter(({ mayWrite }) => mayWrite).length, 1, "nobody leads in the end");
    await stopAll(replicas, clock);
  }
  assert(terms > 6, `only ${terms} terms: no fault ended a term`);
});
