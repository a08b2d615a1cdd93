import assert from "node:assert/strict";
import v8 from "node:v8";
import vm from "node:vm";
import { createTransport } from "../transport.ts";

const CALLS = 20;
/** The number of latest requests that may still be on the stack when garbage is counted. */
const LAST = 2;

/** The largest number of garbage collections that the test waits for. */
const ROUNDS = 300;

/**
 * Makes failing calls one after another, and returns how many of their requests are still in
 * memory.
 */
async function keptAfter(server: string, aborts: boolean): Promise<number> {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  using transport = createTransport({ server });
  const call = async (): Promise<WeakRef<Request>> => {
    const abort = new AbortController();
    const request = new Request(`${server}/?watch=1`, { signal: abort.signal });
    const failed = assert.rejects(transport.fetch(request));
    if (aborts) abort.abort();
    await failed;
    return new WeakRef(request);
  };
  const requests: WeakRef<Request>[] = [];
  for (let i = 0; i < CALLS; i++) requests.push(await call());
  let kept = CALLS;
  for (let round = 0; kept > LAST && round < ROUNDS; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
    kept = requests.filter((request) => request.deref()).length;
  }
  return kept;
}

for (const aborts of [false, true]) {
  const what = aborts ? "given up before they stand" : "refused";
  Deno.test(`F04 TLS: connections that are ${what} are not kept for ever`, async () => {
    const kept = await keptAfter("https://127.0.0.1:1", aborts);
    assert.ok(kept <= LAST, `${kept} of ${CALLS} requests are kept`);
  });
}
