// Reconciles ConfigMaps that it creates, on the API server of the first argument, one by one. The
// reconciler reads each once from the server. Prints a line after the first 300, so that the reader
// of V8's trace of collections can leave out what they compile and cache.
import { createClient } from "@xca/operator/client";
import { controllerFor, defineOperator, runOperator } from "@xca/operator/controller";
import { ConfigMap } from "@xca/operator/meta";

const [server, count] = Deno.args;
using client = createClient({ server: server! });
let reconciled = Promise.withResolvers<void>();
const operator = defineOperator({
  name: "garbage",
  controllers: [
    controllerFor(ConfigMap).reconcile(async ({ key, client }) => {
      await client.get(ConfigMap, key);
      reconciled.resolve();
    }),
  ],
});
await using running = runOperator(operator, { client });
await running.ready;
for (let i = 0; i < 300 + Number(count); i++) {
  if (i === 300) Deno.stdout.writeSync(new TextEncoder().encode("warm\n"));
  await client.create(ConfigMap, { metadata: { namespace: "default", name: `garbage-${i}` } });
  await reconciled.promise;
  reconciled = Promise.withResolvers<void>();
  await new Promise((resolve) => setTimeout(resolve, 0));
}
