import assert from "node:assert/strict";
import { readBody } from "./body.ts";

/** The size limit of a request body, in bytes. */
const LIMIT = 3 * 1024 * 1024;

for (const declared of [undefined, "1", "many"]) {
  Deno.test(`a request body is limited by its bytes, whatever length is declared: ${declared ?? "none"}`, async () => {
    const headers: HeadersInit = declared === undefined ? {} : { "content-length": declared };
    const request = (body: Uint8Array<ArrayBuffer>): Request =>
      new Request("http://a.example", { method: "POST", body, headers });
    assert.equal((await readBody(request(new Uint8Array(LIMIT)))).length, LIMIT);
    await assert.rejects(readBody(request(new Uint8Array(LIMIT + 1))), { message: /limit is/ });
  });
}

Deno.test("a request body that declares more than the limit is refused unread", async () => {
  const headers = { "content-length": `${LIMIT + 1}` };
  const request = new Request("http://a.example", { method: "POST", body: "a", headers });
  await assert.rejects(readBody(request), { message: /limit is 3145728/ });
});
