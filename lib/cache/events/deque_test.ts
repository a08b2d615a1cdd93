import assert from "node:assert/strict";
import { chance } from "../informer/informer_fakes_test.ts";
import { Deque } from "./deque.ts";

Deno.test("Deque behaves as an array, however long it gets", () => {
  const { seed, pick } = chance();
  const deque = new Deque<number>();
  const plain: number[] = [];
  for (let step = 0; step < 20_000; step++) {
    const wantsMore = Math.floor(step / 3_000) % 2 === 0;
    if (pick(10) < (wantsMore ? 8 : 2)) {
      deque.push(step);
      plain.push(step);
    } else {
      assert.equal(deque.shift(), plain.shift(), `seed=${seed} step=${step}`);
    }
    assert.equal(deque.length, plain.length, `seed=${seed} step=${step}`);
  }
  assert.deepEqual([...deque], plain);
  deque.reset([1, 2]);
  assert.deepEqual([...deque], [1, 2]);
  deque.clear();
  assert.equal(deque.shift(), undefined);
});
