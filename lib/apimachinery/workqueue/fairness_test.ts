/** Tests of the shares that tenants of a work queue get, by their weights. */
import assert from "node:assert/strict";
import { type Random, seededRandom } from "../base/time/random.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { Queue } from "./queue.ts";
import { take, takeAll } from "./support_test.ts";

const tenantOf = (key: string): string => key.split("/")[0]!;

/** A random weight: none, a whole number, or one with a fraction. */
function randomWeight(random: Random): number {
  const weight = 1 + random.next() * 9;
  return random.next() < 0.3 ? 1 : random.next() < 0.5 ? Math.floor(weight) : weight;
}

/** Returns random tenants, each with its weight. */
function randomTenants(random: Random): Map<string, number> {
  const count = 2 + Math.floor(random.next() * 5);
  return new Map(Array.from({ length: count }, (_, at) => [`t${at}`, randomWeight(random)]));
}

function sum(numbers: Iterable<number>): number {
  return Array.from(numbers).reduce((total, each) => total + each, 0);
}

/** Runs a property with forty random sources, and names the seed of one that fails. */
function forSeeds(property: (random: Random) => void): void {
  const first = testSeed();
  for (let seed = first; seed < first + 40; seed++) {
    try {
      property(seededRandom(seed));
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
}

Deno.test("tenants whose keys keep coming get shares by their weights, at any time", () => {
  forSeeds((random) => {
    const weights = randomTenants(random);
    const queue = new Queue<string>({ tenantOf, tenantWeights: weights });
    const adds = new Map([...weights.keys()].map((tenant) => [tenant, 0]));
    const add = (tenant: string): void => {
      adds.set(tenant, adds.get(tenant)! + 1);
      queue.add(`${tenant}/${adds.get(tenant)}`);
    };
    // As many keys of each tenant as one turn may have, so that no tenant runs out of keys.
    for (const [tenant, weight] of weights) {
      for (let at = 0; at <= weight + 1; at++) add(tenant);
    }
    const taken = new Map<string, number>();
    const round = sum(weights.values());
    for (let count = 1; count <= 1_000; count++) {
      using lease = take(queue);
      const tenant = tenantOf(lease.key);
      taken.set(tenant, (taken.get(tenant) ?? 0) + 1);
      add(tenant);
      for (const [each, weight] of weights) {
        const got = taken.get(each) ?? 0;
        // A tenant is at most one turn ahead or behind, and so is each of the others.
        const most = weight + (weights.size + weight) * weight / round + 2;
        assert(
          Math.abs(got - count * weight / round) <= most,
          `${each} with weight ${weight} of ${round} got ${got} of ${count}`,
        );
      }
    }
  });
});

Deno.test("a key of a tenant without other keys waits for at most one turn of each other tenant", () => {
  forSeeds((random) => {
    const weights = randomTenants(random);
    const queue = new Queue<string>({ tenantOf, tenantWeights: weights });
    for (const tenant of weights.keys()) {
      for (let at = 0; at < 200; at++) queue.add(`${tenant}/${at}`);
    }
    for (let at = random.next() * 100; at > 0; at--) take(queue).done();
    queue.add("single/key");
    const { position } = queue.queuedKey("single/key")!;
    // A turn may have one key more than its weight: the fractions that turns before have left.
    assert(position <= sum(Array.from(weights.values(), (weight) => Math.ceil(weight))));
    for (let at = 0; at < position; at++) assert.notEqual(take(queue).key, "single/key");
    assert.equal(take(queue).key, "single/key");
  });
});

Deno.test("a share that a tenant does not use goes to the others, and is not saved for later", () => {
  const queue = new Queue<string>({ tenantOf, tenantWeights: new Map([["gold", 3]]) });
  queue.add("gold/0");
  for (let at = 0; at < 4; at++) queue.add(`iron/${at}`);
  assert.deepEqual(takeAll(queue), ["gold/0", "iron/0", "iron/1", "iron/2", "iron/3"]);
  const again = new Queue<string>({ tenantOf, tenantWeights: new Map([["gold", 3]]) });
  for (let at = 0; at < 3; at++) again.add(`iron/${at}`);
  for (let at = 0; at < 5; at++) again.add(`gold/${at}`);
  assert.deepEqual(
    takeAll(again),
    ["iron/0", "gold/0", "gold/1", "gold/2", "iron/1", "gold/3", "gold/4", "iron/2"],
  );
});

Deno.test("a weight below 1, or without tenants, is refused", () => {
  for (const weight of [0, 0.5, -1, NaN, Infinity, "2" as unknown as number]) {
    assert.throws(() => new Queue({ tenantOf, tenantWeights: new Map([["gold", weight]]) }), {
      name: "RangeError",
      message: `Cannot make a queue: the weight of tenant gold must be at least 1, is ${weight}`,
    });
  }
  assert.throws(() => new Queue({ tenantWeights: new Map() }), {
    name: "TypeError",
    message: "Cannot make a queue: tenantWeights requires tenantOf",
  });
});
