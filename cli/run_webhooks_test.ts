/** Tests of the webhooks that `kubectl xca run` serves, and of its flags for them. */
import assert from "node:assert/strict";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { type Client, createClient, loadConfig } from "../lib/client/mod.ts";
import { findFreePort } from "../lib/testing/free_port.ts";
import {
  type KubeObject,
  MutatingWebhookConfiguration,
  resourceType,
  ValidatingAdmissionPolicy,
  ValidatingWebhookConfiguration,
} from "@xca/apimachinery/meta";
import { type TestContext, testContext } from "../tests/support/command_line/cli_context.ts";
import { until } from "../tests/support/until.ts";
import { runCli } from "./app.ts";

interface Desktop extends KubeObject {
  spec: { image: string; replicas?: number; size?: number; width?: number };
}

const names = { group: "example.com", kind: "Desktop", plural: "desktops" };
const Desktop = resourceType<Desktop>({ ...names, version: "v1" });
const DesktopV2 = resourceType<Desktop>({ ...names, version: "v2" });

/** Returns the URL of a file of the library, as text of a module. */
function door(path: string): string {
  return JSON.stringify(new URL(`../lib/${path}/mod.ts`, import.meta.url).href);
}

/** The beginning of the URL of a module as text. */
const PREFIX = "data:text/javascript,";

/** Returns the URL of a module with an operator that has webhooks, rules and a converter. */
function operatorModule(rule = "self.spec.replicas <= 10"): string {
  const module = `
    import { controllerFor, defineOperator } from ${door("controller")};
    import { ConfigMap, resourceType } from ${door("apimachinery/meta")};
    import { field, webhookFor } from ${door("webhook")};
    const names = { group: "example.com", kind: "Desktop", plural: "desktops" };
    const convert = ({ spec: { size, width, ...spec }, ...rest }, version) => ({
      ...rest,
      spec: { ...spec, [version === "v1" ? "size" : "width"]: size ?? width },
    });
    const conversion = { ...names, versions: ["v1", "v2"], convert };
    const Desktop = { ...resourceType({ ...names, version: "v1" }), conversion };
    const schema = { openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: {
        image: { type: "string" },
        replicas: { type: "integer" },
        size: { type: "integer" },
        width: { type: "integer" },
      } } },
    } };
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "desktops.example.com" },
      spec: {
        group: "example.com",
        names: { kind: "Desktop", plural: "desktops", singular: "desktop", listKind: "DesktopList" },
        scope: "Namespaced",
        versions: [
          { name: "v1", served: true, storage: true, schema },
          { name: "v2", served: true, storage: false, schema },
        ],
      },
    };
    export default defineOperator({
      name: "desks",
      crds: [crd],
      controllers: [controllerFor(Desktop).reconcile(() => {})],
      webhooks: [
        webhookFor(Desktop)
          .defaulter(({ object }) => void (object.spec.replicas ??= 3))
          .validator({ create: ({ object }) => object.spec.image ? [] : [field.required("spec.image")] })
          .rule(${JSON.stringify(rule)}, { message: "at most ten" }),
        webhookFor(ConfigMap).rule("!has(self.data) || !('bad' in self.data)", { message: "bad data" }),
      ],
    });`;
  return PREFIX + encodeURIComponent(module);
}

function desktop(spec: Partial<Desktop["spec"]> = {}): Desktop {
  return { metadata: { name: "a", namespace: "default" }, spec: { image: "x", ...spec } };
}

const manifest = (image: string): string =>
  JSON.stringify({ apiVersion: "example.com/v1", kind: "Desktop", ...desktop({ image }) });

/** Waits until a command has logged a text. */
async function logged(context: TestContext, text: string): Promise<void> {
  await until(() => context.stderr().includes(text), () => context.stderr());
}

/** Shows that an API server calls the webhooks, converts objects and evaluates the rules. */
async function showWebhooks(client: Client): Promise<void> {
  const made = await client.create(Desktop, desktop({ size: 7 }));
  assert.deepEqual([made.spec.replicas, made.spec.size], [3, 7]);
  const { spec } = await client.get(DesktopV2, "default/a");
  assert.deepEqual([spec.width, spec.size], [7, undefined]);
  await client.delete(Desktop, "default/a");
  await assert.rejects(
    client.create(Desktop, desktop({ image: "" })),
    /spec\.image: Required value/,
  );
  await assert.rejects(client.create(Desktop, desktop({ replicas: 11 })), /at most ten/);
  assert.equal((await client.list(ValidatingAdmissionPolicy)).items.length, 1);
}

Deno.test("run --embedded serves the webhooks of the module, also for --seed, and shows them in readiness and metrics", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/bad.yaml`, manifest(""));
  const refused = testContext();
  const line = ["run", operatorModule(), "--embedded", "--once", "--seed", `${folder}/bad.yaml`];
  assert.equal(await runCli(line, refused), 2);
  assert.match(refused.stderr(), /denied the request: Desktop\.example\.com "a" is invalid: spec/);

  const kubeconfig = `${folder}/kubeconfig`;
  const [health, metrics] = [findFreePort(), findFreePort()];
  const context = testContext();
  const done = runCli([
    ...["run", operatorModule(), "--embedded", "--write-kubeconfig", kubeconfig],
    ...[`--health-probe-bind-address=127.0.0.1:${health}`, "--metrics-secure=false"],
    `--metrics-bind-address=127.0.0.1:${metrics}`,
  ], context);
  await logged(context, "Running");
  {
    using client = createClient(await loadConfig({ kubeconfig }));
    await showWebhooks(client);
  }
  const textOf = async (path: string): Promise<string> =>
    await (await fetch(`http://127.0.0.1:${path}`)).text();
  await until(async () => /\[\+\]runnables ok/.test(await textOf(`${health}/readyz?verbose`)));
  assert.match(
    await textOf(`${metrics}/metrics`),
    /^controller_runtime_webhook_requests_total\{webhook="\/convert",code="200"\} [1-9]/m,
  );
  context.interrupt("SIGTERM");
  assert.equal(await done, 0, context.stderr());
  await Deno.remove(folder, { recursive: true });
});

Deno.test("F51 run --webhook-host makes a cluster call this machine, and removes the configurations at its end", async () => {
  const folder = await Deno.makeTempDir();
  const kubeconfig = `${folder}/kubeconfig`;
  const server = testContext();
  const served = runCli(["serve", "--write-kubeconfig", kubeconfig], server);
  await until(() => server.stdout().includes("KUBECONFIG"), () => server.stderr());
  const context = testContext({ files: { [kubeconfig]: await Deno.readTextFile(kubeconfig) } });
  const done = runCli([
    ...["run", operatorModule(), "--kubeconfig", kubeconfig, "--install-crds"],
    ...["--webhook-host=127.0.0.1", `--webhook-port=${findFreePort()}`],
  ], context);
  await logged(context, "Running");
  {
    using client = createClient(await loadConfig({ kubeconfig }));
    await showWebhooks(client);
    context.interrupt("SIGTERM");
    assert.equal(await done, 0, context.stderr());
    assert.match(
      context.stderr(),
      /desktops\.example\.com still name https:\/\/127\.0\.0\.1:\d+\/convert as their converter/,
    );
    for (const type of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration]) {
      assert.deepEqual((await client.list(type as typeof MutatingWebhookConfiguration)).items, []);
    }
    await client.create(Desktop, desktop({ image: "", replicas: 1 }));
  }
  server.interrupt("SIGTERM");
  await served;
  await Deno.remove(folder, { recursive: true });
});

Deno.test("run --webhook-cert-path serves the webhooks on --webhook-port", async () => {
  const kubeconfig = "/kubeconfig";
  const server = testContext();
  const folder = await Deno.makeTempDir();
  const served = runCli(["serve", "--write-kubeconfig", `${folder}/kubeconfig`], server);
  await until(() => server.stdout().includes("KUBECONFIG"), () => server.stderr());
  const authority = await CertificateAuthority.create("webhooks", new Date());
  const { cert, key } = await authority.serving("localhost", ["localhost"], []);
  const context = testContext({
    files: {
      [kubeconfig]: await Deno.readTextFile(`${folder}/kubeconfig`),
      "/certs/tls.crt": cert,
      "/certs/tls.key": key,
    },
  });
  const port = findFreePort();
  const done = runCli([
    ...["run", operatorModule(), "--kubeconfig", kubeconfig, "--install-crds"],
    ...["--webhook-cert-path=/certs", `--webhook-port=${port}`],
  ], context);
  await logged(context, "Running");
  context.interrupt("SIGTERM");
  assert.equal(await done, 0, context.stderr());
  assert.match(
    context.stderr(),
    new RegExp(`The webhook server listens on https://\\S+:${port}$`, "m"),
  );
  server.interrupt("SIGTERM");
  await served;
  await Deno.remove(folder, { recursive: true });
});

Deno.test("run: flags of the webhooks that cannot be exit 2 with one line and the usage", async () => {
  const cases: [readonly string[], RegExp][] = [
    [["--webhook-cert-name=x"], /^error: --webhook-cert-name is a file of a folder: add/],
    [["--webhook-cert-key=x"], /^error: --webhook-cert-key is a file of a folder: add/],
    [
      ["--webhook-cert-path=x", "--webhook-host=y"],
      /^error: --webhook-cert-path and --webhook-host/,
    ],
    [["--webhook-cert-path=x", "--embedded"], /^error: --webhook-cert-path and --embedded cannot/],
    [["--webhook-port=0"], /^error: --webhook-port must be a number from 1 to 65535, is "0"/],
    [["--webhook-port=9443"], /^error: --webhook-port is for a webhook server: add --webhook-cert/],
    [["--webhook-host=a b"], /^error: --webhook-host must be the name or address of this machine/],
  ];
  for (const [flags, error] of cases) {
    const context = testContext();
    assert.equal(await runCli(["run", ...flags], context), 2, flags.join(" "));
    assert.match(context.stderr(), error);
    assert.match(context.stderr(), /^[^\n]+\nSee 'kubectl xca run --help' for usage\.\n$/);
  }
});

Deno.test("run, manifests: a rule that cannot be compiled is one line, before anything has started", async () => {
  const bad = testContext();
  assert.equal(await runCli(["run", operatorModule("self.spec.x ="), "--embedded"], bad), 2);
  assert.match(bad.stderr(), /error: Cannot use the rules of operator desks: .*Syntax error/);
  assert(!/Running|Controller/.test(bad.stderr()));
  const folder = await Deno.makeTempDir();
  const module = decodeURIComponent(operatorModule("self.spec.x =").slice(PREFIX.length));
  await Deno.writeTextFile(`${folder}/operator.js`, module);
  const manifests = testContext();
  assert.equal(await runCli(["manifests", `${folder}/operator.js`], manifests), 2);
  assert.match(
    manifests.stderr(),
    /^error: Cannot use the rules of operator desks: .*Syntax error/,
  );
  assert.equal(manifests.stdout(), "");
  await Deno.remove(folder, { recursive: true });
});
