/** Tests of the flags of `kubectl xca dev`. */
import assert from "node:assert/strict";
import { UsageError } from "../../usage_error.ts";
import { checkWebhookFlags } from "../webhook_flags.ts";
import { checkDevFlags } from "./dev.ts";
import { processArgs } from "./dev_action.ts";

Deno.test("dev, run: --webhook-host is a name or an address, which is a host of a URL", () => {
  for (const webhookHost of ["localhost", "my-mac.local", "172.17.0.1", "[::1]", "[fd00::A:1]"]) {
    checkDevFlags({ webhookHost });
    checkWebhookFlags({ webhookHost });
  }
  for (
    const webhookHost of [
      "",
      "::1",
      "localhost:9443",
      "[::1]:9443",
      "[::1",
      "a b",
      "a/b",
      "a?b",
      "a@b",
      "300.1.1.1",
    ]
  ) {
    assert.throws(() => checkDevFlags({ webhookHost }), UsageError, webhookHost);
    assert.throws(() => checkWebhookFlags({ webhookHost }), UsageError, webhookHost);
  }
});

Deno.test("dev: an empty namespace counts as absent", async () => {
  const project = {
    folder: "/p",
    name: "shop",
    domain: "example.org",
    namespace: "shop-system",
    image: "shop:1",
    operator: "operator.ts",
    program: "main.ts",
  };
  const config = { server: "https://cluster.example" };
  const flags = { namespaces: ["", "stock"], namespace: "stock" };
  const args = await processArgs(project, { flags, config, kubeconfig: undefined });
  assert.deepEqual(args.slice(args.indexOf("/p/operator.ts") + 1), ["-n", "stock"]);
});
