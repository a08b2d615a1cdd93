/** Faults of the connection between the Xca operator and a real API server. */
import assert from "node:assert/strict";
import { delay } from "../../../lib/apimachinery/base/time/delay.ts";
import type { ReflectorTuning } from "../../../lib/cache/reflector/reflector_options.ts";
import type { ClientConfig } from "../../../lib/client/config/config.ts";
import { FaultProxy } from "../../../lib/testing/faults/fault_proxy.ts";
import { Xca } from "../../../lib/xca/xca.ts";
import { printedRandom } from "../../support/seed.ts";
import { FaultRig } from "../../support/faults/fault_rig.ts";
import { FastClock } from "../../support/faults/fast_clock.ts";
import { crumbled, isWatch, throughBody } from "../../support/faults/faulty_fetch.ts";
import { ClearGateway, type Cut } from "../../support/faults/gateway.ts";
import { until } from "../../support/until.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

/** Why some are not run twice: seconds of waiting for what a proxy does, whatever serves behind it. */
const SLOW = "takes long, and other tests break the embedded server's connections too";

/** Characters of two, three and four bytes: most bytes of it are inside one. */
const WIDE = "ü€😀".repeat(40);

/** Next to no back-off: for tests that break a connection many times. */
const QUICK: ReflectorTuning = { backoff: { initialMs: 5, maxMs: 5, jitter: 0 } };

function proxied(plane: Plane, proxy: FaultProxy): ClientConfig {
  return { ...plane.config, server: proxy.urlOf(plane.url) };
}

/** Names of the places, and how to cut there. */
const PLACES: readonly (readonly [string, Cut])[] = [
  ["before any byte", { plus: 0 }],
  ["inside the status line", { after: "HTTP/1.1 2" }],
  ["inside a header's name", { after: "ontent-" }],
  ["inside the first chunk's size", { after: "\r\n\r\n", plus: 1 }],
  ["between a chunk's size and its data", { after: "\r\n\r\n", plus: 4 }],
  ["inside the type of an event", { after: '{"type":"MO' }],
  ["after the first byte of a character of two", { after: Uint8Array.of(0xc3) }],
  ["after the second byte of a character of three", { after: Uint8Array.of(0xe2, 0x82) }],
  ["after the third byte of a character of four", { after: Uint8Array.of(0xf0, 0x9f, 0x98) }],
  ["between an event and its line feed", { after: '"}}}' }],
  ["between a line feed and the end of its chunk", { after: "}\n" }],
  ["between two chunks", { after: "}\n\r\n" }],
];

suite.test("F14 a watch cut at each kind of byte: the partial line is dropped, no event is lost", async (plane) => {
  await using gateway = ClearGateway.start(plane);
  const config = { server: gateway.url };
  await using rig = await FaultRig.start(plane, { config, reflector: QUICK });
  await rig.create("first", WIDE);
  await rig.converges();
  for (const [index, [place, cut]] of PLACES.entries()) {
    const cuts = gateway.cuts;
    gateway.cutNextWatch(cut);
    gateway.cutWatches();
    await rig.create(`n${index}`, WIDE);
    await rig.change("first", `${WIDE}${index}`);
    await until(() => gateway.cuts > cuts, `the cut ${place}`);
  }
  await rig.converges();
  assert.equal(rig.informer.health.undecodable, 0);
  assert.equal(rig.events.state.size, PLACES.length + 1);
});

suite.test("F14 a watch cut at random bytes of HTTP", async (plane) => {
  const { seed, random } = printedRandom();
  await using gateway = ClearGateway.start(plane);
  await using rig = await FaultRig.start(plane, {
    config: { server: gateway.url },
    reflector: QUICK,
  });
  await rig.create("first", WIDE);
  await rig.converges();
  for (let round = 0; round < 60; round++) {
    const cuts = gateway.cuts;
    const plus = Math.floor(random.next() * 3_000);
    gateway.cutNextWatch({ plus });
    gateway.cutWatches();
    for (let change = 0; gateway.cuts === cuts; change++) {
      await rig.change("first", `${round} ${WIDE} ${change}`);
      if (change === 0) await rig.create(`n${round}`, WIDE);
      if (change > 0) await delay(20);
      assert(change < 5_000, `no cut after ${plus} bytes (seed=${seed})`);
    }
  }
  await rig.converges();
  assert.equal(rig.informer.health.undecodable, 0, `seed=${seed}`);
}, { realOnly: SLOW });

suite.test("F14 every connection, reads and writes, cut at random bytes of TLS", async (plane) => {
  const { seed, random } = printedRandom();
  await using proxy = FaultProxy.start({ target: plane.url });
  await using rig = await FaultRig.start(plane, {
    config: proxied(plane, proxy),
    reflector: QUICK,
  });
  const { health } = rig.informer;
  await rig.create("first", WIDE);
  await rig.converges();
  for (let round = 0; round < 25; round++) {
    const { restarts, failures } = health;
    proxy.cutAfter(Math.floor(random.next() * 8_000), "open");
    proxy.cutAfter(Math.floor(random.next() * 8_000), "later");
    await rig.create(`n${round}`, WIDE);
    if (round % 3 === 1) await rig.delete(`n${round - 1}`);
    for (let change = 0; health.failures + health.restarts < failures + restarts + 2; change++) {
      await rig.change("first", `${round} ${WIDE} ${change}`);
      await delay(20);
      assert(change < 5_000, `no cut (seed=${seed}, round ${round})`);
    }
    await proxy.resume();
    if (round % 5 === 0) await rig.converges();
  }
  await rig.converges();
  assert.equal(health.undecodable, 0, `seed=${seed}`);
});

suite.test("F14 a watch that ends cleanly inside a character: a partial event is ignored without an error", async (plane) => {
  let ends = 0;
  await using rig = await FaultRig.start(plane, {
    reflector: QUICK,
    wrap: (fetch) => (request) => {
      if (!isWatch(request)) return fetch(request);
      return throughBody(fetch(request), (chunk, controller) => {
        const at = ends < 10 ? chunk.indexOf(0xf0) : -1;
        if (at < 0) return controller.enqueue(chunk);
        ends++;
        controller.enqueue(chunk.subarray(0, at + 2));
        controller.terminate();
      });
    },
  });
  await rig.create("one", WIDE);
  await rig.converges();
  for (let index = 0; index < 5; index++) await rig.change("one", `${WIDE}${index}`);
  await rig.converges();
  assert.deepEqual([ends, rig.informer.health.undecodable], [10, 0]);
});

suite.test("F14 a body that arrives byte by byte, every character in pieces", async (plane) => {
  const { random } = printedRandom();
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  await using rig = await FaultRig.start(plane, { wrap: (fetch) => crumbled(fetch, random) });
  for (const name of names) await rig.create(name, WIDE);
  await rig.converges();
  for (const name of names) {
    assert.equal(rig.informer.indexer.get(rig.key(name))?.spec?.foo, WIDE);
  }
  assert.equal(rig.informer.health.failures, 0);
});

suite.test("F01 the watch of a silent peer ends at the idle deadline, and resumes without a list", async (plane) => {
  await using proxy = FaultProxy.start({ target: plane.url });
  await using rig = await FaultRig.start(plane, {
    config: proxied(plane, proxy),
    reflector: { idleTimeoutMs: 2_500 },
  });
  const { health } = rig.informer;
  await rig.create("before");
  await rig.converges();
  const filledBy = health.lists + health.watchLists;
  proxy.stall();
  await rig.create("meanwhile");
  await rig.change("before", "changed meanwhile");
  await until(() => health.lastError?.kind === "idle", "the silence is noticed");
  assert.equal(rig.informer.indexer.size, 1);
  await proxy.resume();
  await rig.converges();
  assert.equal(health.lists + health.watchLists, filledBy);
  assert.deepEqual(rig.events.story(rig.key("before")).filter((type) => type !== "update"), [
    "add",
  ]);
});

suite.test("F01 a watch that a load balancer dropped, with the default deadlines: resumed without a list", async (plane) => {
  const clock = new FastClock();
  await using gateway = ClearGateway.start(plane);
  await using rig = await FaultRig.start(plane, { config: { server: gateway.url }, clock });
  const { health } = rig.informer;
  await rig.create("before");
  await rig.converges();
  const filledBy = health.lists + health.watchLists;
  gateway.silence();
  await rig.create("meanwhile");
  await rig.delete("before");
  clock.speed = 200;
  await until(() => health.lastError?.kind === "idle", "the silence is noticed");
  clock.speed = 20; // The controller has kept connections that fell silent too.
  await rig.converges();
  assert.equal(health.lists + health.watchLists, filledBy);
});

suite.test(
  "F02 idle connections that died unnoticed: the call is retried on a new connection",
  async (plane) => {
    const clock = new FastClock();
    await using gateway = ClearGateway.start(plane);
    await using rig = await FaultRig.start(plane, { config: { server: gateway.url }, clock });
    await rig.create("one");
    await rig.converges();
    gateway.silence();
    const { accepted } = gateway;
    const reading = rig.client.get(Xca, rig.key("one"));
    clock.speed = 100;
    await until(() => gateway.accepted > accepted, "a new connection");
    clock.speed = 1;
    assert.equal((await reading).spec?.foo, "one");
    await rig.create("two");
    clock.speed = 50;
    await rig.converges();
  },
  { realOnly: SLOW },
);

suite.test("F03 a list whose body stops in the middle: ended by its deadline, and repeated", async (plane) => {
  const clock = new FastClock();
  await using gateway = ClearGateway.start(plane);
  gateway.cutNext(/^GET .*xcas/, { after: '"items":', silently: true });
  await using rig = await FaultRig.start(plane, {
    config: { server: gateway.url, disableCompression: true }, // The cut reads the body.
    clock,
    reflector: { watchList: false },
  });
  await rig.create("one", WIDE);
  await until(() => gateway.cuts === 1, "the cut");
  clock.speed = 100;
  await until(() => rig.informer.health.lastError !== undefined, "the silence is noticed");
  clock.speed = 1;
  await rig.converges();
  assert.equal(gateway.cuts, 1);
  assert.equal(rig.informer.health.lists, 2);
  assert.match(rig.informer.health.lastError!.message, /list of xcas/);
});

suite.test("F04 300 watches aborted at any moment: no socket and no file descriptor leaks", async (plane) => {
  const { random } = printedRandom();
  await using proxy = FaultProxy.start({ target: plane.url });
  await using rig = await FaultRig.start(plane, { config: proxied(plane, proxy) });
  await rig.create("one", WIDE);
  await rig.converges();
  const raw = rig.client.raw(Xca, { namespace: rig.namespace });
  const openAndAbort = async (): Promise<void> => {
    const abort = new AbortController();
    const waitMs = random.next() < 0.5 ? random.next() * 10 : undefined;
    if (waitMs !== undefined) setTimeout(() => abort.abort(), waitMs);
    const query = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } as const;
    try {
      const events = await raw.watch({ ...query, allowWatchBookmarks: true }, {
        signal: abort.signal,
      });
      for await (const _ of events) if (waitMs === undefined) abort.abort();
    } catch (error) {
      assert(abort.signal.aborted, `not aborted, but ${error}`);
    }
  };
  const round = async (): Promise<void> => {
    for (let at = 0; at < 30; at++) await Promise.all(Array.from({ length: 5 }, openAndAbort));
  };
  const before = { sockets: rig.transport.openSockets, descriptors: descriptors() };
  await round();
  await round();
  await until(() => rig.transport.openSockets <= before.sockets, "all watches are closed");
  await until(() => descriptors() <= before.descriptors, "all descriptors are closed");
  await until(() => proxy.connections <= before.sockets, "the proxy has no more links");
  await rig.converges();
});

suite.test(
  "F04 100 reconnects of one cache: one watch is open at the end, without a list",
  async (plane) => {
    await using gateway = ClearGateway.start(plane);
    await using rig = await FaultRig.start(plane, {
      config: { server: gateway.url },
      reflector: QUICK,
    });
    const { health } = rig.informer;
    await rig.create("one");
    await rig.converges();
    const filledBy = health.lists + health.watchLists;
    for (let round = 0; round < 100; round++) {
      await rig.change("one", `${round}`);
      await until(() => rig.informer.indexer.get(rig.key("one"))?.spec?.foo === `${round}`);
      const restarts = health.restarts;
      gateway.cutWatches();
      await until(() => health.restarts > restarts && gateway.watches === 1, "it is resumed");
    }
    await rig.converges();
    assert.deepEqual([health.lists + health.watchLists, gateway.watches], [filledBy, 1]);
  },
  { realOnly: SLOW },
);

suite.test("F05 watches that the server ends every second: resumed without a list, no duplicate notification", async (plane) => {
  await using rig = await FaultRig.start(plane, {
    wrap: (fetch) => (request) => {
      if (!isWatch(request)) return fetch(request);
      const url = new URL(request.url);
      const isFirst = url.searchParams.has("sendInitialEvents");
      url.searchParams.set("timeoutSeconds", isFirst ? "3" : "1");
      return fetch(new Request(url, request));
    },
  });
  const { health } = rig.informer;
  for (const name of ["a", "b"]) await rig.create(name);
  await rig.converges();
  const before = [health.lists + health.watchLists, health.failures];
  for (let index = 0; index < 3; index++) {
    const watches = health.watches;
    await rig.change("a", `${index}`);
    await until(() => health.watches > watches, "the server ended the watch");
  }
  await rig.converges();
  assert.deepEqual([health.lists + health.watchLists, health.failures], before);
  const told = rig.events.all.map(({ uid, resourceVersion }) => `${uid} ${resourceVersion}`);
  assert.equal(new Set(told).size, told.length);
  assert.equal(rig.events.story(rig.key("b")).length, 2); // added, then made active
});

suite.test("F16 a line that never ends is abandoned at the limit, and all objects are listed again", async (plane) => {
  let poison = false;
  await using rig = await FaultRig.start(plane, {
    wrap: (fetch) => (request) => {
      if (!isWatch(request)) return fetch(request);
      return throughBody(fetch(request), (chunk, controller) => {
        controller.enqueue(chunk);
        if (!poison) return;
        poison = false;
        const piece = new Uint8Array(1024 * 1024).fill(0x20);
        for (let mib = 0; mib < 17; mib++) controller.enqueue(piece);
      });
    },
  });
  const { health } = rig.informer;
  await rig.create("before");
  await rig.converges();
  poison = true;
  await rig.create("after");
  await until(() => health.lastError?.kind === "undecodable", "the line is given up");
  assert.match(health.lastError!.message, /16/);
  await rig.converges();
});

suite.test("F47 started twice: an error, and one watch; stopped while starting: nothing is left", async (plane) => {
  await using gateway = ClearGateway.start(plane);
  const config = { server: gateway.url };
  {
    await using rig = await FaultRig.start(plane, { config });
    await rig.create("one");
    await rig.converges();
    rig.start();
    await assert.rejects(rig.informer.run(new AbortController().signal), /twice/);
    await rig.converges();
    assert.equal(gateway.watches, 1);
  }
  const { random } = printedRandom();
  for (let round = 0; round < 15; round++) {
    await using rig = await FaultRig.start(plane, { config });
    await rig.create("one");
    await delay(random.next() * 60);
    await rig.stop();
    await until(() => gateway.watches === 0, `no watch is left in round ${round}`);
  }
});

/**
 * Returns the number of open files and sockets of this process; 0 on systems that do not report it.
 */
function descriptors(): number {
  if (Deno.build.os !== "linux") return 0;
  return [...Deno.readDirSync("/proc/self/fd")].length;
}
