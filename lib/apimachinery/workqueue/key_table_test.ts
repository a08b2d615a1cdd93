import assert from "node:assert/strict";
import { type Random, seededRandom } from "../base/time/random.ts";
import { AGAIN, KeyTable, NO_SLOT, QUEUED } from "./key_table.ts";
import { SlotList } from "./slot_list.ts";
import { testSeed } from "../../../tests/support/seed.ts";

/** The values of a key in the model of a table. */
interface Row {
  readonly slot: number;
  readonly priority: number;
  readonly sinceMs: number;
  readonly state: number;
}

/** A random run that drives a table with two lists of its slots, and a model of maps and arrays. */
class Run {
  readonly table = new KeyTable<string>();
  readonly lists = [new SlotList(this.table), new SlotList(this.table)];
  readonly rows = new Map<string, Row>();
  readonly members: string[][] = [[], []];

  constructor(readonly random: Random) {}

  below(limit: number): number {
    return Math.floor(this.random.next() * limit);
  }

  /** Adds a key that the table does not contain, and puts it into one of the lists. */
  add(key: string): void {
    const { table } = this;
    if (table.slotOf(key) !== undefined) return;
    const [priority, sinceMs, list] = [this.random.next(), this.random.next(), this.below(2)];
    const slot = table.add(key, priority, sinceMs);
    assert.equal(table.state[slot], QUEUED);
    const state = table.state[slot] = this.below(AGAIN + 1);
    this.rows.set(key, { slot, priority, sinceMs, state });
    this.lists[list]!.push(slot);
    this.members[list]!.push(key);
  }

  /** Removes a key from one of the lists, the first or any one, and then from the table. */
  remove(): void {
    const at = this.below(2);
    const [list, members] = [this.lists[at]!, this.members[at]!];
    const isFirst = this.below(2) === 0;
    const [key] = members.splice(isFirst ? 0 : this.below(members.length), 1);
    if (key === undefined) return assert.equal(list.shift(), NO_SLOT);
    const { slot } = this.rows.get(key)!;
    if (isFirst) assert.equal(list.shift(), slot);
    else list.remove(slot);
    this.table.remove(slot);
    this.rows.delete(key);
  }

  compare(): void {
    const { table } = this;
    assert.equal(table.size, this.rows.size);
    assert.equal(new Set(Array.from(this.rows.values(), ({ slot }) => slot)).size, table.size);
    for (const [key, { slot, ...values }] of this.rows) {
      const [priority, sinceMs, state] = [
        table.priority[slot],
        table.sinceMs[slot],
        table.state[slot],
      ];
      assert.deepEqual([table.slotOf(key), table.keyAt(slot)], [slot, key]);
      assert.deepEqual({ priority, sinceMs, state }, values);
    }
    for (const [at, list] of this.lists.entries()) {
      const members = this.members[at]!;
      assert.deepEqual(Array.from(list, (slot) => table.keyAt(slot)), members);
      assert.deepEqual([list.length, list.isEmpty], [members.length, members.length === 0]);
      const first = members[0] === undefined ? NO_SLOT : table.slotOf(members[0]);
      assert.equal(list.peek(), first);
    }
  }
}

Deno.test("random steps: a table that grows and becomes empty behaves as its model", () => {
  const seed = testSeed();
  for (let round = 0; round < 10; round++) {
    const run = new Run(seededRandom(seed + round));
    for (let wave = 0; wave < 4; wave++) {
      for (let adds = run.below(3_000); adds > 0; adds--) {
        run.add(`key-${run.below(10_000)}`);
        if (run.below(4) === 0) run.remove();
      }
      run.compare();
      while (run.rows.size > 0) run.remove();
      run.compare();
    }
  }
});

Deno.test("a table that becomes empty gives the memory of its columns back", () => {
  const table = new KeyTable<number>();
  const least = table.state.length;
  const slots = Array.from({ length: 10_000 }, (_, key) => table.add(key, 0, 0));
  assert(table.state.length >= 10_000);
  for (const slot of slots) table.remove(slot);
  for (const column of [table.state, table.priority, table.sinceMs, table.next, table.previous]) {
    assert.equal(column.length, least);
  }
  assert.equal(table.keyAt(table.add(7, 0, 0)), 7);
});
