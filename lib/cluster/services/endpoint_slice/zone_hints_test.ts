import assert from "node:assert/strict";
import type { V1Endpoint, V1EndpointSlice } from "@xca/apimachinery/kubernetes-types";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { allocationsOf, isOverloaded } from "./zone_allocations.ts";
import { addZoneHints } from "./zone_hints.ts";

function shares(...cpus: readonly number[]): ReadonlyMap<string, number> {
  const total = cpus.reduce((sum, cpu) => sum + cpu, 0);
  return new Map(cpus.map((cpu, index) => [`zone-${index}`, cpu / total]));
}

Deno.test("zones are to have endpoints by their shares, a fifth more at most", () => {
  const of = (cpus: readonly number[], count: number): unknown => {
    const allocations = allocationsOf(shares(...cpus), count);
    if (typeof allocations === "string") return allocations.split(" (")[0];
    return [...allocations.values()].map(({ desired, maximum }) => [desired, maximum]);
  };
  assert.deepEqual(of([1, 1], 2), [[1, 1], [1, 1]]);
  assert.deepEqual(of([3, 1], 8), [[6, 6], [2, 3]]);
  assert.deepEqual(of([1, 1], 12), [[6, 7], [6, 7]]);
  assert.equal(of([1, 1, 1], 2), "Insufficient number of endpoints");
  assert.match(String(of([1, 1, 1], 4)), /^Unable to allocate minimum required endpoints/);
  assert.match(String(allocationsOf(undefined, 9)), /^Insufficient Node information/);
});

Deno.test("a zone with too few endpoints is overloaded", () => {
  assert.equal(isOverloaded(new Map([["zone-0", 2], ["zone-1", 2]]), shares(1, 1)), false);
  assert.equal(isOverloaded(new Map([["zone-0", 3], ["zone-1", 1]]), shares(1, 1)), true);
  assert.equal(isOverloaded(new Map([["zone-0", 3]]), shares(1, 1)), true);
  assert.equal(isOverloaded(new Map([["zone-0", 3]]), undefined), true);
  assert.equal(isOverloaded(new Map(), undefined), false);
});

Deno.test("each ready endpoint has one hint, and the hints are as counted", () => {
  const { random } = printedRandom();
  const pick = (most: number): number => Math.floor(random.next() * most);
  for (let round = 0; round < 200; round++) {
    const zones = shares(...Array.from({ length: 2 + pick(3) }, () => 1 + pick(8)));
    const slices = Array.from({ length: 1 + pick(3) }, (_, index): V1EndpointSlice => ({
      metadata: { name: `slice-${index}` },
      addressType: "IPv4",
      endpoints: Array.from({ length: pick(30) }, (): V1Endpoint => ({
        addresses: ["10.0.0.1"],
        conditions: { ready: pick(5) > 0 },
        zone: `zone-${pick(zones.size)}`,
      })),
    }));
    const changes = { create: [], update: slices, remove: [] };
    const counts = addZoneHints({ changes, unchanged: [] }, zones);
    const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
    const hinted = endpoints.filter(({ hints }) => hints);
    if (typeof counts === "string") {
      assert.equal(hinted.length, 0, counts);
      continue;
    }
    assert(
      endpoints.every(({ conditions, hints }) =>
        (hints?.forZones?.length ?? 0) === Number(conditions!.ready)
      ),
    );
    for (const [zone, count] of counts) {
      const own = hinted.filter(({ hints }) => hints!.forZones![0]!.name === zone);
      assert.equal(own.length, count, zone);
    }
  }
});
