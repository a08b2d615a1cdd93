/**
 * Property test of the assignment of endpoints to slices.
 *
 * @module
 */
import assert from "node:assert/strict";
import { seededRandom } from "@xca/operator/base";
import type { V1EndpointSlice } from "@xca/operator/kubernetes-types";
import { testSeed } from "../../tests/support/seed.ts";
import type { OutsideService } from "./outside_service.ts";
import type { Instance } from "./registry.ts";
import { MAX_ENDPOINTS, planSlices } from "./slices.ts";

const service: OutsideService = {
  metadata: { name: "orders", namespace: "default" },
  spec: {
    service: "orders",
    ports: [{ name: "http", port: 80, targetPort: 8080 }],
    emptyAfterSeconds: 60,
  },
};

const STATES = ["up", "draining", "down"] as const;

Deno.test("example 14: each instance is in one slice, and no more slices change than instances do", () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const known = new Map<string, Instance>();
  let slices: V1EndpointSlice[] = [];
  for (let round = 0; round < 300; round++) {
    const changes = 1 + Math.floor(random.next() * (round % 10 === 0 ? 300 : 3));
    const changed = new Set<string>();
    for (let change = 0; change < changes; change++) {
      const number = Math.floor(random.next() * 600);
      const isIPv6 = number % 3 === 0;
      const address = isIPv6
        ? `2001:db8::${number.toString(16)}`
        : `10.0.${number >> 8}.${number & 255}`;
      changed.add(address);
      const state = STATES[Math.floor(random.next() * 6)];
      if (state) known.set(address, { address, addressType: isIPv6 ? "IPv6" : "IPv4", state });
      else known.delete(address);
    }
    const next = planSlices(service, [...known.values()], slices) as V1EndpointSlice[];
    const what = `seed ${seed}, round ${round}`;
    const addresses = next.flatMap(({ endpoints }) =>
      endpoints!.map(({ addresses }) => addresses[0])
    );
    assert.deepEqual(addresses.sort(), [...known.keys()].sort(), what);
    assert(next.every(({ endpoints }) => endpoints!.length <= MAX_ENDPOINTS), what);
    assert.equal(new Set(next.map(({ metadata }) => metadata!.name)).size, next.length, what);
    const before = new Map(slices.map((slice) => [slice.metadata!.name, JSON.stringify(slice)]));
    const written = next.filter((slice) =>
      before.get(slice.metadata!.name) !== JSON.stringify(slice)
    );
    assert(written.length <= changed.size, `${what}: ${written.length} slices are written`);
    slices = next;
  }
});
