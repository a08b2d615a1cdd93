import assert from "node:assert/strict";
import { refusal, scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import { Pod } from "@xca/apimachinery/meta";
import { ApiError } from "./api_error.ts";
import type { Client } from "../typed/client.ts";
import { createClient } from "../create_client.ts";
import { mergePatch } from "../typed/patch.ts";
import { dryRunOnly } from "../scoped/scoped_dry_run.ts";
import { withFieldOwner } from "../scoped/scoped_field_owner.ts";
import { getScale } from "../subresources/scale.ts";
import { usersStack } from "./users_line.ts";

const POD = { metadata: { namespace: "default", name: "web" } };

const CALLS: Record<string, (client: Client) => Promise<unknown>> = {
  get: async (client) => await client.get(Pod, "default/web"),
  list: async (client) => await client.list(Pod),
  create: async (client) => await client.create(Pod, POD),
  update: async (client) => await client.update(Pod, POD),
  updateStatus: async (client) => await client.updateStatus(Pod, POD),
  patch: async (client) => await client.patch(Pod, "default/web", mergePatch({})),
  delete: async (client) => await client.delete(Pod, "default/web"),
  watch: async (client) => {
    for await (const _event of client.watch(Pod));
  },
  getScale: async (client) => await getScale(client, Pod, "default/web"),
  "a wrapped update": async (client) =>
    await withFieldOwner(dryRunOnly(client), "me").update(Pod, POD),
};

for (const [what, call] of Object.entries(CALLS)) {
  Deno.test(`the stack of an ApiError begins with the user's line: ${what}`, async () => {
    const { stackTraceLimit } = Error;
    const { fetch } = scriptedFetch(refusal(403, { reason: "Forbidden" }));
    using client = createClient({ server: "https://a.example" }, { fetch });
    let error: unknown;
    try {
      await call(client);
    } catch (thrown) {
      error = thrown;
    }
    assert.ok(error instanceof ApiError);
    const lines = error.stack!.split("\n");
    const first = lines.findIndex((line) => line.startsWith("    at "));
    assert.match(lines[first]!, /users_line_test\.ts:\d+:\d+/, error.stack!);
    assert.ok(error.stack!.includes(error.message));
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  });
}

Deno.test("a stack without a line of the user is unchanged", () => {
  const stack = "Error: a\n    at f (file:///l/lib/client/a.ts:1:2)\n    at ext:core/1.js:1:2";
  assert.equal(usersStack(stack, "file:///l/lib/", 10), undefined);
  const users = "    at async g (file:///u/main.ts:3:4)";
  assert.equal(usersStack(`${stack}\n${users}`, "file:///l/lib/", 10), `Error: a\n${users}`);
  assert.equal(usersStack(undefined, "file:///l/lib/", 10), undefined);
});
