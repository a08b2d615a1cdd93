import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { type Address, repackSubsets, type Subset } from "./repack_subsets.ts";
import { countAddresses, MAX_ADDRESSES, truncateSubsets } from "./truncate_subsets.ts";

const HTTP = { name: "http", port: 80, protocol: "TCP" };
const UDP = { name: "dns", port: 53, protocol: "UDP" };

const address = (number: number): Address => ({ ip: `10.0.${number >> 8}.${number & 255}` });
const many = (count: number, from = 0): Address[] =>
  Array.from({ length: count }, (_, index) => address(from + index));

Deno.test("addresses with the same ports share a subset, and those that are not ready on one port do not", () => {
  const packed = repackSubsets([
    { addresses: [address(2)], ports: [HTTP] },
    { addresses: [address(1), address(2)], ports: [UDP] },
    { addresses: [address(1)], ports: [HTTP] },
  ]);
  assert.deepEqual(packed, [{ addresses: [address(1), address(2)], ports: [UDP, HTTP] }]);
  assert.deepEqual(
    repackSubsets([
      { addresses: [address(1)], ports: [HTTP] },
      { notReadyAddresses: [address(1)], ports: [HTTP] },
    ]),
    [{ notReadyAddresses: [address(1)], ports: [HTTP] }],
  );
});

Deno.test("addresses without ports stay", () => {
  assert.deepEqual(repackSubsets([{ addresses: [address(1)] }]), [{ addresses: [address(1)] }]);
});

Deno.test("random subsets: each address keeps its ports, the order does not matter, and packing again changes nothing", () => {
  const { random } = printedRandom();
  const pick = <T>(all: readonly T[]): T[] => all.filter(() => random.next() < 0.5);
  const facts = (subsets: readonly Subset[]): Set<string> =>
    new Set(
      subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) =>
        [...addresses, ...notReadyAddresses].flatMap(({ ip }) =>
          ports.map(({ port }) => `${ip} ${port}`)
        )
      ),
    );
  for (let round = 0; round < 200; round++) {
    const subsets: Subset[] = Array.from({ length: 4 }, () => ({
      addresses: pick(many(6)),
      notReadyAddresses: pick(many(6)),
      ports: pick([HTTP, UDP]),
    })).filter(({ ports }) => ports.length > 0);
    const packed = repackSubsets(subsets);
    assert.deepEqual(facts(packed), facts(subsets));
    assert.deepEqual(repackSubsets(packed), packed);
    assert.deepEqual(repackSubsets(subsets.toReversed()), packed);
  }
});

Deno.test("Endpoints keep a thousand addresses: ready ones first, and a share of each subset", () => {
  const few = [{ addresses: many(MAX_ADDRESSES), ports: [HTTP] }];
  assert.deepEqual(truncateSubsets(few), few);
  const ready = truncateSubsets([
    { addresses: many(900), notReadyAddresses: many(5, 5000), ports: [HTTP] },
    { addresses: many(300, 1000), ports: [UDP] },
  ]);
  assert.deepEqual(ready.map(({ addresses }) => addresses!.length), [750, 250]);
  assert.equal(countAddresses(ready), MAX_ADDRESSES);
  const notReady = truncateSubsets([
    { addresses: many(600), notReadyAddresses: many(300, 1000), ports: [HTTP] },
    { notReadyAddresses: many(300, 2000), ports: [UDP] },
  ]);
  assert.deepEqual(
    notReady.map(({ addresses, notReadyAddresses }) =>
      [addresses, notReadyAddresses].map((all) => all?.length ?? 0)
    ),
    [[600, 200], [0, 200]],
  );
});
