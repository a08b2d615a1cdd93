import assert from "node:assert/strict";
import { MAX_TIMER_MS, systemClock } from "./clock.ts";

Deno.test("systemClock.after() fires once, and not after it was disposed", async () => {
  let fired = 0;
  const disposed = systemClock.after(0, () => fired += 100);
  disposed[Symbol.dispose]();
  await new Promise<void>((resolve) =>
    systemClock.after(1, () => {
      fired++;
      resolve();
    })
  );
  assert.equal(fired, 1);
});

Deno.test("F19 systemClock.after() with more than the runtime's longest timer does not fire at once", async () => {
  let fired = false;
  using _timer = systemClock.after(MAX_TIMER_MS + 10_000, () => fired = true);
  using _infinite = systemClock.after(Number.POSITIVE_INFINITY, () => fired = true);
  await new Promise<void>((resolve) => systemClock.after(20, resolve));
  assert(!fired);
});

Deno.test("systemClock.monotonicMs() never goes back", () => {
  let last = systemClock.monotonicMs();
  for (let i = 0; i < 1000; i++) {
    const now = systemClock.monotonicMs();
    assert(now >= last);
    last = now;
  }
});

Deno.test("an unref'd timer of systemClock lets the process end", async () => {
  const program = `
    import { systemClock } from ${JSON.stringify(import.meta.resolve("./clock.ts"))};
    systemClock.after(600_000, () => console.log("fired")).unref();
    systemClock.after(0, () => console.log("ends"));
  `;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--ext=ts", "--no-config", "--no-lock", program],
  }).output();
  assert.equal(code, 0);
  assert.equal(new TextDecoder().decode(stdout), "ends\n");
});
