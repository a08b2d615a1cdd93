import assert from "node:assert/strict";
import { LiveList } from "./live_list.ts";
import { printedRandom } from "../../../tests/support/seed.ts";

Deno.test("live list: random additions and removals leave what a Set has, in its order", () => {
  const { random } = printedRandom();
  const list = new LiveList<number>();
  const model = new Set<number>();
  const added: { readonly value: number; readonly node: Disposable }[] = [];
  for (let value = 0; value < 5_000; value++) {
    const choice = random.next();
    if (choice < 0.5) {
      added.push({ value, node: list.add(value) });
      model.add(value);
    } else if (choice < 0.9) {
      // Some of them were removed before.
      const one = added[Math.floor(random.next() * added.length)];
      one?.node[Symbol.dispose]();
      if (one) model.delete(one.value);
    } else {
      const [first] = model;
      assert.equal(list.shift(), first);
      if (first !== undefined) model.delete(first);
    }
    assert.equal(list.size, model.size);
    assert.equal(list.first, model.values().next().value);
    if (value % 50 === 0) assert.deepEqual([...list], [...model]);
  }
});

Deno.test("live list: values that are removed or added during an iteration change nothing in it", () => {
  const list = new LiveList<string>();
  const nodes = ["a", "b", "c"].map((value) => list.add(value));
  const seen: string[] = [];
  for (const value of list) {
    seen.push(value);
    for (const node of nodes) node[Symbol.dispose]();
    list.add("d");
  }
  assert.deepEqual([seen, [...list]], [["a", "b", "c"], ["d", "d", "d"]]);
});
