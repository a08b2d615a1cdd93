import assert from "node:assert/strict";
import { compare, isByChance, type Pair, shrink } from "./compare.ts";
import { makeSequence } from "./make.ts";
import type { Sequence } from "./play.ts";

/** A server that answers all with the same, but for requests that `odd` picks. */
function server(odd: (path: string, body: string) => boolean): Pair["real"] {
  return (path, init) => {
    const body = String(init.body ?? "");
    const code = init.method === "POST" && path === "/api/v1/namespaces" ? 201 : 200;
    const message = odd(path, body) ? "odd" : "plain";
    const metadata = { name: "x", uid: "u", resourceVersion: "1" };
    return Promise.resolve(Response.json({ kind: "Thing", metadata, message }, { status: code }));
  };
}

const plain = server(() => false);

/** Without watches, which end by what only a real server sends. */
function sequenceOf(seed: number, length: number): Sequence {
  return { ...makeSequence(seed, length), watches: [] };
}

Deno.test("a seed determines the sequence of requests", () => {
  for (let seed = 0; seed < 50; seed++) {
    assert.deepEqual(makeSequence(seed, 200), makeSequence(seed, 200));
  }
  assert.notDeepEqual(makeSequence(1, 200), makeSequence(2, 200));
});

Deno.test("sequences have the requested length, three clients, and a printed form", () => {
  const lengths: number[] = [];
  const clients = new Set<number>();
  for (let seed = 0; seed < 300; seed++) {
    const sequence = makeSequence(seed, 200);
    lengths.push(sequence.operations.length);
    for (const { client } of sequence.operations) clients.add(client);
    assert.deepEqual(JSON.parse(JSON.stringify(sequence)), sequence);
  }
  assert.ok(lengths.every((length) => length >= 1 && length <= 200));
  assert.ok(lengths.some((length) => length > 150));
  assert.equal(clients.size, 3);
});

Deno.test("servers with equal answers do not differ", async () => {
  assert.equal(await compare({ real: plain, embedded: plain }, sequenceOf(7, 20)), undefined);
});

Deno.test("the first difference is found", async () => {
  const embedded = server((path) => path.includes("/status"));
  const sequence: Sequence = {
    operations: ["a", "a/status", "b/status"].map((name, id) => ({
      id,
      client: 0,
      method: "GET",
      path: `/api/v1/namespaces/<namespace>/pods/${name}`,
    })),
    watches: [],
  };
  const difference = await compare({ real: plain, embedded }, sequence);
  assert.equal(difference?.index, 1);
});

Deno.test("shrinking keeps the requests that cause the difference, and does not change the sequence", async () => {
  const embedded = server((_, body) => body.includes('"culprit":true'));
  const sequence = structuredClone(sequenceOf(3, 40)) as { operations: Sequence["operations"] };
  const body = { metadata: { name: "a" }, data: { a: "b", culprit: true } };
  const culprit = {
    id: 99,
    client: 1,
    method: "POST",
    path: "/api/v1/namespaces/<namespace>/configmaps",
    query: { dryRun: "All" },
    body,
  };
  const whole: Sequence = {
    operations: sequence.operations.toSpliced(5, 0, culprit),
    watches: [],
  };
  const before = structuredClone(whole);
  const small = await shrink({ real: plain, embedded }, whole);
  assert.deepEqual(small.operations, [{
    ...culprit,
    query: {},
    body: { data: { culprit: true } },
  }]);
  assert.deepEqual(whole, before);
});

Deno.test("a sequence without a difference is not shrunk", async () => {
  const sequence = sequenceOf(3, 10);
  assert.equal(await shrink({ real: plain, embedded: plain }, sequence), sequence);
});

Deno.test("answers that vary on the real server are no difference", async () => {
  let asked = 0;
  const real: Pair["real"] = (path, init) => {
    const answer = server((each) => each.endsWith("/pods/a") && asked++ % 3 === 2);
    return answer(path, init);
  };
  const embedded = server((path) => path.endsWith("/pods/a"));
  const sequence: Sequence = {
    operations: [{
      id: 0,
      client: 0,
      method: "GET",
      path: "/api/v1/namespaces/<namespace>/pods/a",
    }],
    watches: [],
  };
  const difference = (await compare({ real, embedded }, sequence))!;
  assert.equal(await isByChance({ real, embedded }, sequence, difference), true);
  assert.equal(await isByChance({ real: plain, embedded }, sequence, difference), false);
});
