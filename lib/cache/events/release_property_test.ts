import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { type Doc, packed } from "../informer/informer_fakes_test.ts";
import { KeyedObjects } from "../store/keyed_objects.ts";
import type { PackedList } from "../store/packed_list.ts";
import { ChangeList, type ChangeRun } from "./change_list.ts";

function nameIn(change: ReturnType<ChangeRun<Doc>["next"]>): string {
  return change.type === "delete" ? change.last.name : change.current.name;
}

Deno.test("handlers that take and drop changes in random order: an object is released with the last of them, and not before", () => {
  const { seed, random } = printedRandom();
  const below = (limit: number): number => Math.floor(random.next() * limit);
  for (let run = 0; run < 300; run++) {
    const names = Array.from({ length: 1 + below(12) }, (_, i) => `n${i}`);
    const now: PackedList<Doc> = new KeyedObjects(names.map((name) => packed(name))).list();
    const takers = 1 + below(4);
    const before: PackedList<Doc> | undefined = below(2) > 0
      ? new KeyedObjects(names.map((name) => packed(name))).list()
      : undefined;
    const changes = new ChangeList<Doc>({
      now,
      before,
      takers,
      isInInitialList: before === undefined,
      freeze: false,
    });
    const handlers = Array.from({ length: takers }, () => ({ run: changes.run(), taken: 0 }));
    const left = new Set(handlers);
    /** Names of the objects that no handler took: they are garbage with the whole change list. */
    const untaken = new Set(names.keys());
    while (left.size > 0) {
      const handler = [...left][below(left.size)]!;
      if (below(10) === 0) {
        handler.run.drop();
        handler.taken = names.length;
      } else {
        untaken.delete(handler.taken);
        assert.equal(nameIn(handler.run.next()), names[handler.taken++], `seed=${seed} run=${run}`);
      }
      if (handler.run.left === 0) left.delete(handler);
      for (const [index, name] of names.entries()) {
        if (untaken.has(index)) continue;
        const isAwaited = handlers.some(({ taken }) => taken <= index);
        const context = `seed=${seed} run=${run}: ${name} is ${isAwaited ? "awaited" : "released"}`;
        assert.equal(now.at(index)?.name, isAwaited ? name : undefined, context);
        if (before === undefined) continue;
        assert.equal(before.at(index)?.name, isAwaited ? name : undefined, `${context} (before)`);
      }
    }
  }
});
