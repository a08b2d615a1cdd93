import assert from "node:assert/strict";
import { FakeClock } from "../testing/fake_clock.ts";
import { createClient } from "./create_client.ts";

Deno.test("a client that is closed just before a call is sent leaves no timer", async () => {
  for (let microtasks = 0; microtasks < 12; microtasks++) {
    const clock = new FakeClock();
    const client = createClient({ server: "http://127.0.0.1:9" }, { clock });
    const failed = assert.rejects(client.requestJson({ path: "/api" }));
    for (let i = 0; i < microtasks; i++) await null;
    client[Symbol.dispose]();
    await failed;
    assert.equal(clock.pending, 0, `closed after ${microtasks} microtasks`);
  }
});
