import assert from "node:assert/strict";
import {
  ConfigMap,
  type KubeObject,
  MutatingWebhookConfiguration as Mutating,
  ValidatingWebhookConfiguration as Validating,
} from "@xca/apimachinery/meta";
import { createManager } from "../../manager/mod.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { webhookFor } from "../mod.ts";
import { keepConfigurations } from "./keep_configurations.ts";
import { webhookConfigurationsOf } from "./webhook_configurations.ts";

const webhooks = [webhookFor(ConfigMap).validator({ create: () => {} })];
const url = "https://127.0.0.1:9443";
const configurations = webhookConfigurationsOf({ name: "guard", webhooks }, { url });
const [{ metadata: { name = "" }, kind }] = configurations as [KubeObject, ...KubeObject[]];

/** Returns the UIDs of all webhook configurations of a server. */
async function uids(server: ApiServer): Promise<(string | undefined)[]> {
  using admin = clientOf(server);
  const lists = [await admin.list(Mutating), await admin.list(Validating)];
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.uid));
}

Deno.test("a configuration that another program has just created again is not removed at the end", async () => {
  await using server = await ApiServer.start();
  using admin = clientOf(server);
  assert.equal(kind, "ValidatingWebhookConfiguration");
  let other: string | undefined;
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      if (request.method === "DELETE") {
        await admin.delete(Validating, name);
        ({ metadata: { uid: other } } = await admin.create(Validating, { metadata: { name } }));
      }
      return await fetch(request);
    },
  });
  const kept = keepConfigurations({ client, configurations, removeAtEnd: true });
  const stop = new AbortController();
  const run = kept.run(stop.signal);
  await kept.ready;
  stop.abort();
  await run;
  assert(other);
  assert.deepEqual(await uids(server), [other]);
});

Deno.test("a configuration is removed at the end if it was written, and kept if its write was refused", async () => {
  await using server = await ApiServer.start();
  using client = clientOf(server);
  const kept = keepConfigurations({ client, configurations, removeAtEnd: true });
  const stop = new AbortController();
  const run = kept.run(stop.signal);
  await kept.ready;
  assert.equal((await uids(server)).length, 1);
  stop.abort();
  await run;
  assert.deepEqual(await uids(server), []);

  const { metadata: { uid } } = await client.create(Validating, { metadata: { name } });
  using refused = clientOf(server, {
    through: (fetch) => async (request) =>
      request.method === "PATCH"
        ? Response.json({ kind: "Status", status: "Failure", code: 403, reason: "Forbidden" }, {
          status: 403,
        })
        : await fetch(request),
  });
  const other = keepConfigurations({ client: refused, configurations, removeAtEnd: true });
  await assert.rejects(other.run(new AbortController().signal), { code: 403 });
  assert.deepEqual(await uids(server), [uid]);
});

Deno.test("a configuration whose first write was answered with 504 is removed at the end", async () => {
  await using server = await ApiServer.start();
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      const answer = await fetch(request);
      if (request.method !== "PATCH") return answer;
      await answer.body?.cancel();
      assert.equal((await uids(server)).length, 1);
      return new Response("<html>no answer in time</html>", { status: 504 });
    },
  });
  const kept = keepConfigurations({ client, configurations, removeAtEnd: true });
  await assert.rejects(kept.run(new AbortController().signal), { code: 504 });
  assert.deepEqual(await uids(server), []);
});

Deno.test("nothing waits for configurations that cannot be written, or whose run ends before", async () => {
  await using server = await ApiServer.start();
  using client = clientOf(server, {
    through: () => () =>
      Promise.resolve(
        Response.json({ kind: "Status", status: "Failure", code: 403, reason: "Forbidden" }, {
          status: 403,
        }),
      ),
  });
  const refused = keepConfigurations({ client, configurations });
  await assert.rejects(refused.run(new AbortController().signal), { code: 403 });
  await assert.rejects(refused.ready, { code: 403 });

  const manager = createManager({ client });
  manager.add(keepConfigurations({ client, configurations }));
  await assert.rejects(manager.run(), {
    message: /^Cannot run webhook configurations: the server answered 403 /,
  });

  const stopped = keepConfigurations({ client, configurations });
  const reason = new Error("enough");
  await stopped.run(AbortSignal.abort(reason));
  await assert.rejects(stopped.ready, reason);
});
