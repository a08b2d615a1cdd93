import assert from "node:assert/strict";
import { answer, RawServer } from "../../../../tests/client/raw_server.ts";
import { createClient } from "../../create_client.ts";
import { UnreachableError } from "../../errors/unreachable_error.ts";

const ROUNDS = 3;

Deno.test("a server that closes after each answer: a read is retried, a write is never sent twice", async () => {
  await using server = new RawServer(async (_request, wire) => {
    await wire.send(answer("{}"));
    wire.cut();
  });
  using client = createClient({ server: server.url });
  for (let round = 0; round < ROUNDS; round++) {
    await client.requestJson({ path: `/first/${round}` });
    await client.requestJson({ path: `/read/${round}` });
    // The request may have been sent on the connection that the server closes; the caller decides.
    await client.requestJson({ path: `/write/${round}`, method: "POST", body: {} }).catch((error) =>
      assert.ok(error instanceof UnreachableError && !error.neverSent)
    );
  }
  const writes = server.requests.map(({ line }) => line).filter((line) => line.startsWith("POST"));
  assert.deepEqual(writes, [...new Set(writes)]);
});
