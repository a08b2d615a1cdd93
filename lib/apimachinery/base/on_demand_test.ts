import assert from "node:assert/strict";
import { OnDemand } from "./on_demand.ts";

Deno.test("OnDemand loads its code once, at the first use", async () => {
  let loads = 0;
  const part = new OnDemand(() => {
    loads++;
    return Promise.resolve({ answer: 42 });
  });
  assert.equal(loads, 0);
  const [first, second] = [part.get(), part.get()];
  assert((await first) === (await second));
  assert.equal(part.get(), await first);
  assert.equal(loads, 1);
});

Deno.test("OnDemand tries a load that failed again at the next use", async () => {
  let loads = 0;
  const part = new OnDemand(() => {
    loads++;
    return loads === 1 ? Promise.reject(new Error("no file")) : Promise.resolve({ answer: 42 });
  });
  const [first, second] = [part.get(), part.get()];
  await assert.rejects(async () => await first, /no file/);
  await assert.rejects(async () => await second, /no file/);
  assert.equal(loads, 1);
  assert.deepEqual(await part.get(), { answer: 42 });
  assert.equal(loads, 2);
});

Deno.test("OnDemand.use() passes the loaded code, synchronously once it is loaded", async () => {
  const part = new OnDemand(() => Promise.resolve({ answer: 42 }));
  const early = part.use(({ answer }) => answer);
  assert(early instanceof Promise);
  assert.equal(await early, 42);
  assert.equal(part.use(({ answer }) => answer), 42);
});

Deno.test("OnDemand.current does not load, and forgets a load that failed", async () => {
  let loads = 0;
  const part = new OnDemand(() =>
    ++loads === 1 ? Promise.reject(new Error("no port")) : Promise.resolve({ answer: 42 })
  );
  assert.equal(part.current, undefined);
  const first = part.get();
  assert(part.current === first);
  await assert.rejects(async () => await first, /no port/);
  assert.equal(part.current, undefined);
  await part.get();
  assert.deepEqual(part.current, { answer: 42 });
  assert.equal(loads, 2);
});
