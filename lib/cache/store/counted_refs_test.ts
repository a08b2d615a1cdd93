import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { testSeed } from "../../../tests/support/seed.ts";
import { CountedRefs } from "./counted_refs.ts";

Deno.test("an object keeps its number as long as anything refers to it", () => {
  const refs = new CountedRefs<{ name: string }>();
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ name }));
  assert.deepEqual([refs.add(a!), refs.add(a!), refs.add(b!)], [0, 0, 1]);
  refs.remove(0);
  assert.deepEqual([refs.find(a!), refs.at(0)], [0, a]);
  refs.remove(0);
  assert.deepEqual([refs.find(a!), refs.at(0)], [undefined, undefined], "it is let go of");
  assert.equal(refs.add(c!), 0, "its number is given again");
  assert.equal(refs.add(a!), 2);
  assert.deepEqual([refs.at(0), refs.at(1), refs.at(2)], [c, b, a]);
});

Deno.test("a copy of references is counted separately, and keeps nothing else", () => {
  const refs = new CountedRefs<{ name: string }>();
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ name }));
  for (const value of [a!, b!]) refs.add(value);
  const picked = refs.pick(new Uint32Array([2, 0]));
  assert.deepEqual([picked.at(0), picked.at(1)], [a, undefined]);
  refs.remove(0);
  assert.equal(refs.add(c!), 0);
  picked.remove(0);
  assert.equal(picked.at(0), a, "it is referred to twice");
  picked.remove(0);
  assert.equal(picked.at(0), undefined);
  assert.deepEqual([refs.at(0), refs.at(1)], [c, b]);
});

Deno.test("random references: the numbers in use identify their objects", () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const values = Array.from({ length: 9 }, (_, name) => ({ name }));
  const refs = new CountedRefs<{ name: number }>();
  const held: { value: { name: number }; number: number }[] = [];
  for (let step = 0; step < 20_000; step++) {
    const context = `seed=${seed} step=${step}`;
    const pick = Math.floor(random.next() * 1e6);
    if (held.length > 0 && random.next() < 0.5) {
      refs.remove(held.splice(pick % held.length, 1)[0]!.number);
    } else {
      const value = values[pick % values.length]!;
      held.push({ value, number: refs.add(value) });
    }
    for (const { value, number } of held) assert.equal(refs.at(number), value, context);
    assert.equal(refs.size, new Set(held.map(({ value }) => value)).size, context);
    for (const value of values) {
      const number = held.find((each) => each.value === value)?.number;
      assert.equal(refs.find(value), number, context);
    }
  }
});
