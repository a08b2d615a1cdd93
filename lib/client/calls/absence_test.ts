import assert from "node:assert/strict";
import { Pod } from "@xca/apimachinery/meta";
import { noSuchPath } from "../../../tests/client/discovery_server.ts";
import { refusal, scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import { createClient } from "../create_client.ts";
import { ApiError, ignoreNotFound, isNotFound } from "../errors/api_error.ts";

async function refused(answer: Response): Promise<ApiError> {
  using client = createClient({ server: "https://a.example" }, {
    fetch: scriptedFetch(answer).fetch,
  });
  const error: unknown = await ignoreNotFound(client.get(Pod, "d/a")).catch((error) => error);
  assert.equal(error === undefined, false, "not taken as absence");
  assert.ok(error instanceof ApiError);
  return error;
}

const html = { "Content-Type": "text/html" };

for (
  const [name, answer] of [
    ["a page", () => new Response("<html>404 Not Found</html>", { status: 404, headers: html })],
    ["no body", () => new Response(null, { status: 404 })],
    ["another JSON", () => Response.json({ error: "no route" }, { status: 404 })],
    [
      "Go's text without the server's headers",
      () => new Response("404 page not found\n", { status: 404 }),
    ],
    [
      "a page with the server's headers",
      () => new Response("<p>no</p>", { status: 404, headers: { "Audit-Id": "1" } }),
    ],
  ] as const
) {
  Deno.test(`a 404 of a proxy is no absence of the object: ${name}`, async () => {
    const error = await refused(answer());
    assert.equal(isNotFound(error), false);
    assert.deepEqual([error.code, error.reason], [404, "UnexpectedServerResponse"]);
    assert.match(
      error.message,
      /^the answer to GET \/api\/v1\/namespaces\/d\/pods\/a is 404 without a Status, /,
    );
  });
}

Deno.test("a 404 of the API server is absence: with a Status, and of a path that it does not serve", async () => {
  for (const answer of [refusal(404, { reason: "NotFound" }), refusal(404), noSuchPath()]) {
    using client = createClient({ server: "https://a.example" }, {
      fetch: scriptedFetch(answer).fetch,
    });
    assert.equal(await ignoreNotFound(client.get(Pod, "d/a")), undefined);
  }
});
