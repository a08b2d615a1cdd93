import assert from "node:assert/strict";
import { podLogLines, podLogs } from "./pod_log.ts";
import type { RestCalls, RestRequest } from "../calls/rest.ts";

/** Returns a fake client whose response body consists of the given chunks. */
function client(chunks: readonly (string | Uint8Array)[]): RestCalls & { asked?: RestRequest } {
  const self: RestCalls & { asked?: RestRequest } = {
    request: (request) => {
      self.asked = request;
      const body = ReadableStream.from(
        chunks.map((each) => typeof each === "string" ? new TextEncoder().encode(each) : each),
      );
      return Promise.resolve(new Response(body));
    },
    requestJson: () => Promise.reject(new Error("not this way")),
  };
  return self;
}

Deno.test("podLogLines() cuts lines wherever the chunks are cut, empty ones and the last included", async () => {
  const log = "first\n\nsecond \u00e9\u2713\r\n  third\n\nlast without end";
  const bytes = new TextEncoder().encode(log);
  for (const size of [1, 2, 3, 7, 1000]) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    const lines = await Array.fromAsync(podLogLines(client(chunks), "default/web"));
    assert.deepEqual(lines, log.split("\n"), `chunks of ${size}`);
  }
  assert.deepEqual(await Array.fromAsync(podLogLines(client([]), "default/web")), []);
  assert.deepEqual(await Array.fromAsync(podLogLines(client(["a\n"]), "default/web")), ["a"]);
});

Deno.test("podLogs() has no deadline for silence while it follows, and the usual one otherwise", async () => {
  for (const follow of [true, false]) {
    const to = client(["a"]);
    await (await podLogs(to, "default/web", { follow, tailLines: 0 })).cancel();
    assert.equal(to.asked!.path, "/api/v1/namespaces/default/pods/web/log");
    assert.deepEqual(to.asked!.query, { follow, tailLines: 0 });
    assert.equal(to.asked!.idleTimeoutMs, follow ? 0 : undefined);
    assert.equal(to.asked!.timeoutMs, follow ? 0 : undefined);
  }
});
