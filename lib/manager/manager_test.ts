/** A manager on the embedded server, and a clock that the test moves. */
import assert from "node:assert/strict";
import { ConfigMap, Lease, Secret } from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { until } from "../../tests/support/until.ts";
import type { Client } from "../client/typed/client.ts";
import { controllerFor } from "../controller/definition/controller_builder.ts";
import type { Operator } from "../controller/definition/operator_definition.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import { clientOf } from "../testing/embedded_client.ts";
import { FakeClock } from "../testing/fake_clock.ts";
import { findFreePort } from "../testing/free_port.ts";
import { createManager } from "./manager.ts";
import { type Runnable, RUNNABLE_GROUPS, type RunnableGroup } from "./runnable.ts";
import { RunnableError } from "./runnable_error.ts";

async function plane(): Promise<{ server: ApiServer; client: Client } & Disposable> {
  const server = await ApiServer.start();
  const client = clientOf(server);
  return {
    server,
    client,
    [Symbol.dispose]: () => {
      client[Symbol.dispose]();
      server[Symbol.dispose]();
    },
  };
}

/** Returns a runnable that records its steps, and runs until it is stopped. */
function recorded(
  name: string,
  group: RunnableGroup | undefined,
  steps: string[],
  own: Partial<Runnable> = {},
): Runnable {
  return {
    name,
    group,
    run: async (signal) => {
      steps.push(`${name} runs`);
      await aborted(signal);
      steps.push(`${name} ends`);
    },
    ...own,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Returns an operator with one controller that records the keys of config maps. */
function recorder(name: string, keys: string[], controller: string = name): Operator {
  return defineOperator({
    name,
    controllers: [
      controllerFor(ConfigMap).named(controller).reconcile(({ key }) => void keys.push(key)),
    ],
  });
}

const web = { metadata: { namespace: "default", name: "web" } };

Deno.test("B69 groups start in order, each when the one before is ready, and stop in the reverse order", async () => {
  using on = await plane();
  const steps: string[] = [];
  const manager = createManager({ client: on.client });
  const gates = RUNNABLE_GROUPS.map((group) => ({ group, ...Promise.withResolvers<void>() }));
  for (const { group, promise } of gates.toReversed()) {
    manager.add(
      recorded(group === "caches" ? "informers" : group, group, steps, { ready: promise }),
    );
  }
  const running = manager.start();
  const expected: string[] = [];
  for (const { group, resolve } of gates) {
    expected.push(`${group === "caches" ? "informers" : group} runs`);
    await until(() => steps.length === expected.length);
    assert.deepEqual(steps, expected, "a group started before the one before was ready");
    resolve();
  }
  await running.ready;
  steps.length = 0;
  await running.stop();
  assert.deepEqual(steps, [
    "leader ends",
    "others ends",
    "informers ends",
    "webhooks ends",
    "servers ends",
  ]);
});

Deno.test("B69 a runnable that names no group is work of the leader", async () => {
  using on = await plane();
  const steps: string[] = [];
  const manager = createManager({ client: on.client });
  manager.add(recorded("unsaid", undefined, steps));
  manager.add(recorded("other", "others", steps));
  await using running = manager.start();
  await running.ready;
  assert.deepEqual(steps, ["other runs", "unsaid runs"]);
});

Deno.test("B69 a runnable and an operator that are added while the manager runs start at once", async () => {
  using on = await plane();
  await on.client.create(ConfigMap, web);
  const steps: string[] = [];
  const keys: string[] = [];
  const manager = createManager({ client: on.client, namespaces: ["default"] });
  const running = manager.start();
  await running.ready;
  manager.add(recorded("late", "servers", steps));
  const handle = manager.add(recorder("late-operator", keys));
  await handle.settled();
  assert.deepEqual(steps, ["late runs"]);
  assert(keys.includes("default/web"));
  await running.stop();
  assert.deepEqual(steps, ["late runs", "late ends"]);
  assert.throws(() => manager.add(recorded("too late", "servers", steps)), /it has been stopped/);
});

Deno.test("B69 a runnable that is added while the manager runs must be ready in time too", async () => {
  using on = await plane();
  const cases: [() => Promise<void>, string][] = [
    [() => new Promise(() => {}), "Cannot start late: it is not ready within 5 s"],
    [() => Promise.reject(new Error("the peer refuses")), "Cannot start late: the peer refuses"],
  ];
  for (const [ready, message] of cases) {
    const clock = new FakeClock();
    const manager = createManager({ client: on.client, clock, startTimeoutMs: 5_000 });
    const running = manager.start();
    await running.ready;
    const steps: string[] = [];
    manager.add(recorded("late", "others", steps, { ready: ready() }));
    await until(() => steps.length > 0);
    await clock.advance(5_000);
    await assert.rejects(running.done, { message });
  }
});

Deno.test("B69 nothing starts when one part cannot be set up, and what was set up is disposed", async () => {
  using on = await plane();
  const steps: string[] = [];
  const manager = createManager({ client: on.client });
  manager.add(recorded("metrics", "servers", steps, {
    setUp: () => Promise.resolve(void steps.push("metrics is set up")),
    [Symbol.asyncDispose]: () => Promise.resolve(void steps.push("metrics is disposed")),
  }));
  manager.add(recorded("webhooks", "webhooks", steps, {
    setUp: () => Promise.reject(new Error("the certificate has expired")),
  }));
  await assert.rejects(manager.run(), (error) => {
    assert(error instanceof RunnableError);
    assert.equal(error.message, "Cannot set up webhooks: the certificate has expired");
    assert.equal(error.runnable, "webhooks");
    return true;
  });
  assert.deepEqual(steps, ["metrics is set up", "metrics is disposed"]);
});

Deno.test("B69 a part that cannot be set up ends the manager at once, while the set-up of another hangs", async () => {
  using on = await plane();
  const manager = createManager({ client: on.client });
  manager.add(recorded("tunnel", "servers", [], { setUp: () => new Promise(() => {}) }));
  manager.add(recorded("webhooks", "webhooks", [], {
    setUp: () => Promise.reject(new Error("the certificate has expired")),
  }));
  await assert.rejects(manager.run(), {
    message: "Cannot set up webhooks: the certificate has expired",
  });
});

Deno.test("B69 the error of a runnable stops all, and names the runnable; a thrown stop is no error", async () => {
  using on = await plane();
  const steps: string[] = [];
  const manager = createManager({ client: on.client });
  const broken = Promise.withResolvers<void>();
  manager.add(recorded("ticker", "others", steps));
  manager.add({ name: "feed", group: "others", run: () => broken.promise });
  manager.add({
    name: "impatient",
    group: "others",
    run: async (signal) => {
      await aborted(signal);
      signal.throwIfAborted();
    },
  });
  const running = manager.start();
  await running.ready;
  broken.reject(new Error("the stream broke"));
  await assert.rejects(running.done, { message: "Cannot run feed: the stream broke" });
  assert.deepEqual(steps, ["ticker runs", "ticker ends"]);

  const calm = createManager({ client: on.client });
  calm.add({
    name: "thrower",
    run: (signal) => aborted(signal).then(() => signal.throwIfAborted()),
  });
  const abort = new AbortController();
  const other = calm.start({ signal: abort.signal });
  await other.ready;
  abort.abort(new DOMException("stopped by SIGTERM", "AbortError"));
  await other.done;
});

Deno.test("B69 a runnable that throws at once, or that ends by itself, breaks nothing", async () => {
  using on = await plane();
  const manager = createManager({ client: on.client });
  manager.add({ name: "short", group: "others", run: () => Promise.resolve() });
  const running = manager.start();
  await running.ready;
  manager.add({
    name: "thrower",
    group: "others",
    run: () => {
      throw new Error("at once");
    },
  });
  await assert.rejects(running.done, { message: "Cannot run thrower: at once" });
});

Deno.test("B69 a runnable that is not ready in time ends the manager", async () => {
  using on = await plane();
  const clock = new FakeClock();
  const steps: string[] = [];
  const manager = createManager({ client: on.client, clock, startTimeoutMs: 5_000 });
  const { promise: never } = Promise.withResolvers<void>();
  manager.add(recorded("webhooks", "webhooks", steps));
  manager.add(recorded("bridge", "others", steps, { ready: never }));
  const running = manager.start();
  await until(() => steps.includes("bridge runs"));
  await clock.advance(5_000);
  await assert.rejects(running.done, {
    message: "Cannot start bridge: it is not ready within 5 s",
  });

  const other = createManager({ client: on.client, clock, startTimeoutMs: 5_000 });
  const begun = Promise.withResolvers<void>();
  const setUp = (): Promise<void> => {
    begun.resolve();
    return never;
  };
  other.add(recorded("tunnel", "servers", [], { setUp }));
  const second = other.start();
  await begun.promise;
  await clock.advance(5_000);
  await assert.rejects(second.started, {
    message: "Cannot set up tunnel: it has not ended within 5 s",
  });
  await assert.rejects(second.done);
});

Deno.test("B69 a stop waits for all within the grace period, and then names what has not ended", async () => {
  using on = await plane();
  const clock = new FakeClock();
  const goOn = Promise.withResolvers<void>();
  const stubborn = { name: "stubborn", group: "others", run: () => goOn.promise } as const;
  const manager = createManager({ client: on.client, clock, gracePeriodMs: 10_000 });
  manager.add(stubborn);
  const running = manager.start();
  await running.ready;
  let end: unknown;
  running.stop().catch((error) => end = error);
  await clock.advance(9_999);
  assert.equal(end, undefined, "the grace period is not over");
  await clock.advance(1);
  await until(() => end !== undefined);
  assert.match(String(end), /within 10 s these have not ended: stubborn; end the process/);

  const impatient = createManager({ client: on.client, clock, gracePeriodMs: 0 });
  impatient.add(stubborn);
  const second = impatient.start();
  await second.ready;
  await second.stop();

  const patient = createManager({ client: on.client, clock, gracePeriodMs: Infinity });
  patient.add(stubborn);
  const third = patient.start();
  await third.ready;
  let isDone = false;
  const done = third.stop().then(() => isDone = true);
  await clock.advance(86_400_000);
  assert(!isDone);
  goOn.resolve();
  await done;
});

Deno.test("B69 a stop with an infinite grace period aborts no reconcile run", async () => {
  using on = await plane();
  await on.client.create(ConfigMap, web);
  const clock = new FakeClock();
  const manager = createManager({ client: on.client, clock, gracePeriodMs: Infinity });
  const goOn = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  manager.add(defineOperator({
    name: "patient",
    controllers: [
      controllerFor(ConfigMap).options({ timeoutMs: Infinity }).reconcile((context) => {
        signal = context.signal;
        return goOn.promise;
      }),
    ],
  }));
  const running = manager.start();
  await until(() => signal !== undefined);
  const stopped = running.stop();
  await clock.advance(3_600_000);
  assert(!signal!.aborted);
  goOn.resolve();
  await stopped;
});

Deno.test("B69 the grace period includes the work of a leader, also after the loss of its lease", async () => {
  using on = await plane();
  const hang = (): Promise<void> => new Promise(() => {});
  const steps: string[] = [];
  const late = /within 10 s these have not ended: hung; end the process/;
  for (const end of ["stop", "loss"]) {
    const clock = new FakeClock();
    const manager = createManager({
      client: on.client,
      name: end,
      leaderElection: {},
      clock,
      gracePeriodMs: 10_000,
    });
    manager.add({ name: "hung", run: hang });
    manager.add(recorded("good", "others", steps));
    const running = manager.start();
    await running.ready;
    let failure: unknown;
    running.done.catch((error) => failure = error);
    if (end === "stop") running.stop().catch(() => {});
    else {
      const lease = await on.client.get(Lease, `default/${end}`);
      await on.client.update(Lease, { ...lease, spec: { ...lease.spec, holderIdentity: "thief" } });
      await clock.advance(2_000);
      await until(() => manager.health.stage === "stopping");
    }
    await clock.advance(9_999);
    assert.equal(failure, undefined, "the grace period is not over");
    await clock.advance(1);
    await until(() => failure !== undefined);
    assert.match(String(failure), end === "stop" ? late : /thief holds it/);
  }

  const impatient = createManager({
    client: on.client,
    name: "impatient",
    leaderElection: {},
    clock: new FakeClock(),
    gracePeriodMs: 0,
  });
  impatient.add({ name: "hung", run: hang });
  const third = impatient.start();
  await third.ready;
  await third.stop();
});

Deno.test("B69 a lease that is lost while the leader's work ends is the error of the manager", async () => {
  using on = await plane();
  const goOn = Promise.withResolvers<void>();
  const clock = new FakeClock();
  const manager = createManager({ client: on.client, name: "fleet", leaderElection: {}, clock });
  manager.add({ name: "work", run: () => goOn.promise });
  const running = manager.start();
  await running.ready;
  running.stop().catch(() => {});
  const lease = await on.client.get(Lease, "default/fleet");
  await on.client.update(Lease, { ...lease, spec: { ...lease.spec, holderIdentity: "thief" } });
  await clock.advance(2_000);
  await until(() => manager.elector?.leader === "thief");
  goOn.resolve();
  await assert.rejects(running.done, /thief holds it/);
});

Deno.test("B69 a stop names the runnable whose disposal or warm-up hangs, and no other", async () => {
  using on = await plane();
  const clock = new FakeClock();
  const hang = (): Promise<void> => new Promise(() => {});
  const run = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const parts = [{ [Symbol.asyncDispose]: hang }, { warmUp: hang, group: "leader" }] as const;
  for (const part of parts) {
    const manager = createManager({ client: on.client, clock, gracePeriodMs: 10_000 });
    manager.add({ name: "good", group: "others", run });
    manager.add({ name: "hung", group: "others", run, ...part });
    const running = manager.start();
    await running.ready;
    let end: unknown;
    running.stop().catch((error) => end = error);
    await clock.advance(10_000);
    await until(() => end !== undefined);
    assert.match(String(end), /within 10 s these have not ended: hung; end the process/);
  }
});

Deno.test("B69 the lease is released only after the leader's runnables have ended", async () => {
  using on = await plane();
  const goOn = Promise.withResolvers<void>();
  const steps: string[] = [];
  const manager = createManager({
    client: on.client,
    name: "fleet",
    leaderElection: { identity: "a" },
  });
  const holder = async () =>
    (await on.client.get(Lease, "default/fleet")).spec?.holderIdentity ?? "";
  manager.add(recorded("work", "leader", steps, {
    run: async (signal) => {
      await aborted(signal);
      await goOn.promise;
      steps.push(`ends while ${await holder()} holds the lease`);
    },
  }));
  const running = manager.start();
  await running.ready;
  const done = running.stop();
  goOn.resolve();
  await done;
  assert.deepEqual(steps, ["ends while a holds the lease"]);
  assert.equal(await holder(), "");
});

Deno.test("manager: a standby warms its caches, runs what is not the leader's, and stops at once", async () => {
  using on = await plane();
  await on.client.create(ConfigMap, web);
  const keys: string[] = [];
  const steps: string[] = [];
  const leader = createManager({ client: on.client, name: "fleet", leaderElection: {} });
  await using first = leader.start();
  await first.ready;
  const manager = createManager({ client: on.client, name: "fleet", leaderElection: {} });
  manager.add(recorded("everywhere", "others", steps));
  manager.add(recorded("alone", "leader", steps));
  manager.add(recorder("namer", keys));
  const standby = manager.start();
  await until(() => manager.health.ready && manager.elector?.leader !== "");
  assert.equal(manager.health.leads, false);
  assert.equal(manager.health.caches[0]?.condition, "synced");
  await standby.stop();
  assert.deepEqual(steps, ["everywhere runs", "everywhere ends"]);
  assert.deepEqual(keys, []);
});

Deno.test("manager: two operators share one informer per kind, and an informer ends with its last user", async () => {
  using on = await plane();
  await on.client.create(ConfigMap, web);
  const [one, two]: [string[], string[]] = [[], []];
  const manager = createManager({ client: on.client });
  const first = manager.add(recorder("one", one));
  const second = manager.add(recorder("two", two));
  await using _running = manager.start();
  await first.settled();
  await second.settled();
  assert(one.includes("default/web") && two.includes("default/web"));
  assert.deepEqual(manager.health.caches.map(({ informer }) => informer), ["configmaps.v1"]);
  await first.stop();
  assert.equal(manager.health.caches.length, 1, "an operator still needs the informer");
  await second.stop();
  await until(() => manager.health.caches.length === 0);
  assert.deepEqual(manager.operators, []);
  const again: string[] = [];
  await manager.add(recorder("one", again)).settled();
  assert(again.includes("default/web"), "an operator that was stopped may be added again");
});

Deno.test("manager: names of runnables and controllers are unique", async () => {
  using on = await plane();
  const manager = createManager({ client: on.client });
  manager.add(recorded("metrics", "servers", []));
  manager.add(recorder("one", [], "marker"));
  assert.throws(
    () => manager.add(recorded("metrics", "others", [])),
    { message: "Cannot add metrics: another runnable has that name; give it another one" },
  );
  assert.throws(() => manager.add(recorder("one", [], "second")), /another runnable has that name/);
  assert.throws(() => manager.add(recorder("two", [], "marker")), {
    message:
      "Cannot add operator two: operator one has a controller marker too; give one of them " +
      'another name with .named("...")',
  });
  assert.throws(() => manager.add({ name: "x" } as Runnable), /neither an operator nor a runnable/);
});

Deno.test("manager: impossible options are refused by name", async () => {
  using on = await plane();
  const { client } = on;
  assert.throws(() => createManager({} as { client: Client }), /without a client/);
  assert.throws(
    () => createManager({ client, gracePeriodMs: -1 }),
    /gracePeriodMs must be between/,
  );
  assert.throws(() => createManager({ client, startTimeoutMs: NaN }), /startTimeoutMs must be/);
  assert.throws(() => createManager({ client, namespaces: ["A/b"] }), /"A\/b" is not the name/);
  assert.throws(() => createManager({ client, namespaces: [] }), /list of namespaces is empty/);
  assert.throws(
    () => createManager({ client, leaderElection: { leaseDurationMs: 1, renewDeadlineMs: 2 } }),
    RangeError,
  );
});

Deno.test("manager: a value that is neither an operator nor a runnable is refused in one line", async () => {
  using on = await plane();
  const manager = createManager({ client: on.client });
  for (const [value, what] of [[undefined, "undefined"], [null, "null"], [5, "of type number"]]) {
    assert.throws(() => manager.add(value as unknown as Runnable), {
      name: "TypeError",
      message: "Cannot add a runnable: it must be an operator or an object with run(), is " + what,
    });
  }
  await manager.start().stop();
  assert.throws(() => manager.add(undefined as unknown as Runnable), /it has been stopped$/);
});

Deno.test("manager: a health check that would replace one of the manager's own is refused", async () => {
  using on = await plane();
  const check = (): undefined => undefined;
  const make = (checks: object, more: object = {}) =>
    createManager({ client: on.client, healthServer: { bindAddress: ":0", ...checks }, ...more });
  assert.throws(() => make({ ready: { caches: check } }), {
    name: "TypeError",
    message: "Cannot add the check caches of /readyz: the manager has a check of that name; give " +
      "it another one than started, caches, watches, runnables",
  });
  assert.throws(() => make({ live: { ping: check } }), /the check ping of \/healthz: the manager/);
  make({ live: { caches: check }, ready: { ping: check, leader: check } });
  const leaderElection = { namespace: "default" };
  assert.throws(
    () => make({ ready: { leader: check } }, { leaderElection }),
    /the check leader of/,
  );
});

Deno.test("manager: a runnable of a group that does not exist is refused, and leaves its name free", async () => {
  using on = await plane();
  const manager = createManager({ client: on.client });
  const run = () => Promise.resolve();
  for (const group of ["server", "constructor"] as unknown as RunnableGroup[]) {
    assert.throws(() => manager.add({ name: "probe", group, run }), {
      name: "TypeError",
      message: `Cannot add probe: there is no group ${group}, only servers, webhooks, caches, ` +
        "others, leader",
    });
  }
  manager.add({ name: "probe", group: "servers", run });
});

Deno.test("manager: a runnable that throws a value without text is reported with that value", async () => {
  using on = await plane();
  for (const reason of [undefined, null]) {
    const manager = createManager({ client: on.client });
    manager.add({ name: "probe", group: "others", run: () => Promise.reject(reason) });
    await assert.rejects(manager.run(), { message: `Cannot run probe: the reason is ${reason}` });
  }
});

Deno.test("manager: a manager runs once", async () => {
  using on = await plane();
  const manager = createManager({ client: on.client });
  await using _running = manager.start();
  await assert.rejects(manager.run(), /Cannot run manager twice/);
});

Deno.test("manager: a run that fails at once rejects each promise of its handle", async () => {
  using on = await plane();
  const manager = createManager({ client: on.client });
  const misspelt = manager.start({ singal: new AbortController().signal } as object);
  await using first = manager.start();
  const second = manager.start();
  for (
    const [{ started, ready, done }, message] of [
      [misspelt, /Cannot run manager: there is no option singal/],
      [second, /Cannot run manager twice/],
    ] as const
  ) {
    for (const each of [started, ready, done]) await assert.rejects(each, message);
  }
  await first.ready;
});

Deno.test("manager: an operator that is stopped before the manager runs is not set up, and leaves its name free", async () => {
  using on = await plane();
  let isChecked = false;
  using client = clientOf(on.server, {
    through: (fetch) => (request) => {
      isChecked ||= request.method === "POST" && request.url.includes("selfsubject");
      return fetch(request);
    },
  });
  const manager = createManager({ client });
  const keys: string[] = [];
  await manager.add(recorder("stopped", keys)).stop();
  await using running = manager.start();
  await running.ready;
  assert(!isChecked);
  await client.create(ConfigMap, web);
  await manager.add(recorder("stopped", keys)).settled();
  assert(isChecked);
  assert(keys.includes("default/web"));
});

Deno.test("manager: cache reads start informers on demand, wait for them, and end them when they are idle", async () => {
  using on = await plane();
  const clock = new FakeClock();
  await on.client.create(Secret, { metadata: { namespace: "default", name: "key" } });
  const manager = createManager({ client: on.client, clock, namespaces: ["default"] });
  await assert.rejects(manager.cache.get(Secret, "default/key"), /it does not run/);
  await using running = manager.start();
  await running.ready;
  assert.deepEqual(manager.health.caches, []);
  assert.equal((await manager.cache.get(Secret, "default/key"))?.metadata.name, "key");
  assert.equal(await manager.cache.get(Secret, "default/none"), undefined);
  assert.equal((await manager.cache.list(Secret)).length, 1);
  await assert.rejects(
    manager.cache.get(Secret, "kube-system/key"),
    /no informer holds that resource in namespace kube-system/,
  );
  assert.equal(manager.health.caches.length, 1);
  await clock.advance(299_000);
  await manager.cache.get(Secret, "default/key");
  await clock.advance(299_000);
  assert.equal(manager.health.caches.length, 1);
  await clock.advance(1_000);
  assert.deepEqual(manager.health.caches, []);
  assert.equal((await manager.apiReader.get(Secret, "default/key")).metadata.name, "key");
});

Deno.test("manager: /readyz names a runnable whose check finds a problem, or throws", async () => {
  using on = await plane();
  const port = findFreePort();
  const manager = createManager({
    client: on.client,
    healthServer: { bindAddress: `127.0.0.1:${port}` },
  });
  let problem: string | undefined;
  manager.add(recorded("webhooks", "webhooks", [], {
    check: () => {
      if (problem === "thrown") throw new Error("no certificate");
      return problem;
    },
  }));
  await using running = manager.start();
  await running.ready;
  const ready = async (): Promise<string> =>
    await (await fetch(`http://127.0.0.1:${port}/readyz/runnables`)).text();
  assert.equal(await ready(), "ok");
  problem = "the handshake failed";
  assert.equal(await ready(), "runnables failed: webhooks: the handshake failed\n");
  problem = "thrown";
  assert.equal(await ready(), "runnables failed: webhooks: no certificate\n");
});
