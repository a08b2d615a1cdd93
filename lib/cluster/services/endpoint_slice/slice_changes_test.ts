import assert from "node:assert/strict";
import type { V1Endpoint, V1EndpointSlice } from "@xca/apimachinery/kubernetes-types";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { newSlice } from "./new_slice.ts";
import type { ReadService } from "./pod_endpoints.ts";
import { type SliceChanges, sliceChanges } from "./slice_changes.ts";

const service: ReadService = {
  metadata: { name: "web", namespace: "default", uid: "1" },
  spec: { clusterIP: "10.0.0.1", selector: { app: "web" } },
};

function endpoint(number: number, ready = true): V1Endpoint {
  return {
    addresses: [`10.1.${number >> 8}.${number & 255}`],
    conditions: { ready, serving: ready, terminating: false },
    targetRef: { kind: "Pod", namespace: "default", name: `web-${number}`, uid: `${number}` },
  };
}

/** An in-memory store of EndpointSlices to which changes are applied. */
class Slices {
  current: V1EndpointSlice[] = [];
  #made = 0;

  change(endpoints: readonly V1Endpoint[]): SliceChanges {
    const empty = (): V1EndpointSlice => newSlice(service, "IPv4", []);
    const changes = sliceChanges(service, this.current, { endpoints, newSlice: empty });
    const { create, update, remove } = changes;
    const gone = new Set(remove.map(({ metadata }) => metadata.name));
    const written = new Map(update.map((slice) => [slice.metadata.name, slice]));
    this.current = this.current.filter(({ metadata }) => !gone.has(metadata.name))
      .map((slice) => written.get(slice.metadata.name) ?? slice);
    for (const slice of create) {
      const metadata = { ...slice.metadata, name: `web-${this.#made++}` };
      this.current.push({ ...slice, metadata });
    }
    return changes;
  }

  get sizes(): number[] {
    return this.current.map(({ endpoints }) => endpoints!.length);
  }
}

const many = (count: number, from = 0): V1Endpoint[] =>
  Array.from({ length: count }, (_, index) => endpoint(from + index));

Deno.test("more than a hundred endpoints get several slices, and new ones go together into one that has room", () => {
  const slices = new Slices();
  slices.change(many(250));
  assert.deepEqual(slices.sizes, [100, 100, 50]);
  const { create, update, remove } = slices.change(many(290));
  assert.deepEqual([create.length, update.length, remove.length], [0, 1, 0]);
  assert.deepEqual(slices.sizes, [100, 100, 90]);
  assert.equal(slices.change(many(305)).create.length, 1, "15 do not fit beside 90");
  assert.deepEqual(slices.sizes, [100, 100, 90, 15]);
});

Deno.test("new endpoints first fill slices that are written anyway, and a slice without endpoints is deleted", () => {
  const slices = new Slices();
  slices.change(many(200));
  const changes = slices.change([...many(60), ...many(100, 100), ...many(30, 300)]);
  assert.deepEqual([changes.create.length, changes.update.length], [0, 1]);
  assert.deepEqual(slices.sizes, [90, 100]);
  assert.equal(slices.change(many(100, 100)).remove.length, 1);
  assert.deepEqual(slices.sizes, [100]);
});

Deno.test("slices whose endpoints and labels stay are not written", () => {
  const slices = new Slices();
  slices.change(many(120));
  const { create, update, remove } = slices.change(many(120).reverse());
  assert.deepEqual([create, update, remove], [[], [], []]);
  assert.equal(slices.change([endpoint(0, false), ...many(119, 1)]).update.length, 1);
});

Deno.test("random changes: each desired endpoint is in one slice, as it should be, and no slice is too large", () => {
  const { random } = printedRandom();
  const slices = new Slices();
  for (let step = 0; step < 200; step++) {
    const count = Math.floor(random.next() * 450);
    const wanted = many(500).filter(() => random.next() < count / 500)
      .map((each) => ({ ...each, conditions: { ...each.conditions, ready: random.next() < 0.8 } }));
    slices.change(wanted);
    const found = slices.current.flatMap(({ endpoints }) => endpoints!);
    const byName = (list: readonly V1Endpoint[]): V1Endpoint[] =>
      list.toSorted((a, b) => Number(a.targetRef!.uid) - Number(b.targetRef!.uid));
    assert.deepEqual(byName(found), byName(wanted));
    assert(slices.sizes.every((size) => size > 0 && size <= 100), slices.sizes.join());
    const again = slices.change(wanted);
    assert.deepEqual([again.create, again.update, again.remove], [[], [], []]);
  }
});
