/** `kubectl xca dev` on a cluster: a real kube-apiserver calls the webhooks of the developer's machine. */
import assert from "node:assert/strict";
import { newcomer, succeeds } from "../../support/command_line/newcomer.ts";
import { until } from "../../support/until.ts";
import { kubectl } from "../kubectl.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ kubectl: true });

/** A kind with two versions, of which the older has another name for the message. */
const KIND = `import { defineResource, s } from "@xca/operator/resource";

export const Shop = defineResource({
  group: "example.org",
  kind: "Shop",
  storedVersion: "v1alpha1",
  versions: {
    v1alpha0: {
      spec: s.object({ text: s.string() }),
      convert: {
        toStored: ({ spec, ...rest }) => ({ ...rest, spec: { message: spec.text } }),
        fromStored: ({ spec, ...rest }) => ({ ...rest, spec: { text: spec.message } }),
      },
    },
    v1alpha1: { spec: s.object({ message: s.string() }), status: s.object({}) },
  },
});
`;

const OPERATOR = `import { controllerFor, defineOperator } from "@xca/operator";
import { webhookFor } from "@xca/operator/webhook";
import { Shop } from "./api/v1alpha1/shop.ts";

export default defineOperator({
  name: "shop",
  controllers: [controllerFor(Shop).reconcile(() => {})],
  webhooks: [
    webhookFor(Shop).defaulter(({ object }) => {
      object.spec.message = object.spec.message.toUpperCase();
    }),
  ],
});
`;

suite.test("dev serves webhooks and conversions to the cluster, and takes them back at the end", async (plane) => {
  await using user = await newcomer();
  await succeeds(user.call(".", "kubectl-xca", "init", "shop"));
  const path = `${user.path}/shop`;
  await Deno.writeTextFile(`${path}/api/v1alpha1/shop.ts`, KIND);
  await Deno.writeTextFile(`${path}/operator.ts`, OPERATOR);
  const dev = user.start("shop", "dev", "--kubeconfig", plane.admin.kubeconfigPath);
  let log = "";
  const reading = (async () => {
    for await (const text of dev.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  const output = dev.stdout.cancel();
  const crd = "crd/shops.example.org";
  const strategy = (): Promise<string> =>
    kubectl(plane, ["get", crd, "-o=jsonpath={.spec.conversion.strategy}"]);
  const configurations = (): Promise<string> =>
    kubectl(plane, ["get", "mutatingwebhookconfigurations", "-o=name"]);
  try {
    await until(() => /^\d\d:\d\d:\d\d started$/m.test(log), () => log);
    assert.equal(await strategy(), "Webhook");
    assert.match(await configurations(), /shop-local-mutating-webhook-configuration/);
    const old = {
      apiVersion: "example.org/v1alpha0",
      kind: "Shop",
      metadata: { name: "first" },
      spec: { text: "hello" },
    };
    // The API server may take a moment until it calls a new webhook.
    await until(async () => {
      await kubectl(plane, ["delete", "--ignore-not-found", "shops/first"]);
      await kubectl(plane, ["create", "-f", "-"], { stdin: JSON.stringify(old) });
      const stored = ["get", "shops.v1alpha1.example.org/first", "-o=jsonpath={.spec.message}"];
      return await kubectl(plane, stored) === "HELLO";
    }, () => log);
    await Deno.writeTextFile(`${path}/operator.ts`, OPERATOR.replace("toUpperCase", "trim"));
    await until(() => /operator\.ts changed: restarted$/m.test(log), () => log);
    assert.equal(await strategy(), "Webhook");
  } finally {
    dev.kill("SIGTERM");
  }
  const { code } = await dev.status;
  await Promise.all([reading, output]);
  assert.equal(code, 0, log);
  assert.equal(await strategy(), "None", log);
  assert.equal(await configurations(), "");
  const kept = ["get", "shops.v1alpha1.example.org", "-o=name"];
  assert.equal(await kubectl(plane, kept), "shop.example.org/first\n");
  await kubectl(plane, ["delete", crd]);
});
