import assert from "node:assert/strict";
import { OnDemand } from "./on_demand.ts";

Deno.test("code on demand is loaded once, when somebody first asks for it, and is there from then on", async () => {
  let loads = 0;
  const part = new OnDemand(() => {
    loads++;
    return Promise.resolve({ answer: 42 });
  });
  assert.throws(() => part.code, /not loaded/);
  assert.equal(loads, 0);
  const [first, second] = [part.get(), part.get()];
  assert((await first) === (await second));
  assert.equal(part.get(), part.code);
  assert.equal(part.code.answer, 42);
  assert.equal(loads, 1);
});
