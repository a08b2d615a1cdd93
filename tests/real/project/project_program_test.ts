/**
 * The program of a new project, run as its pod runs it: the bundle alone in a folder, the arguments of the
 * Deployment, and the account of the generated manifests.
 */
import assert from "node:assert/strict";
import { createClient, isForbidden, requestToken } from "../../../lib/client/mod.ts";
import * as meta from "../../../lib/apimachinery/meta/mod.ts";
import { systemClock } from "../../../lib/apimachinery/base/mod.ts";
import {
  deployObjects,
  diskFiles,
  initProject,
  manifestsOf,
  writeFiles,
} from "../../../lib/project/mod.ts";
import { isOperator } from "../../../lib/controller/mod.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

const ROOT = new URL("../../../", import.meta.url).pathname.replace(/\/$/, "");
const ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
const Shop = meta.resourceType<meta.UnstructuredObject>({
  group: "example.com",
  version: "v1alpha1",
  kind: "Shop",
  plural: "shops",
});

/** Runs Deno with the arguments of a container, in a folder that has nothing but the image's file and the account. */
async function runAsPod(
  plane: Plane,
  folder: string,
  words: readonly string[],
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { hostname, port } = new URL(plane.url);
  const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  const process = new Deno.Command(Deno.execPath(), {
    // As Kubernetes does, which replaces $(NAME) in arguments.
    args: words.map((word) =>
      word.replace(ACCOUNT_FOLDER, folder).replace("0.0.0.0:8081", "127.0.0.1:0")
        .replace(/\$\((\w+)\)/g, (_, name: keyof typeof environment) => environment[name])
    ),
    cwd: folder,
    clearEnv: true,
    env: { ...environment, DENO_NO_UPDATE_CHECK: "1", DENO_DIR: "/nonexistent" },
    stderr: "piped",
  }).spawn();
  const said = new Response(process.stderr).text();
  let hasEnded = false;
  const status = process.status.finally(() => hasEnded = true);
  try {
    await Promise.race([
      meanwhile(),
      status.then(async ({ code }) => {
        throw new Error(`it ended with ${code}: ${await said}`);
      }),
    ]);
  } finally {
    if (!hasEnded) process.kill("SIGTERM");
    await status;
  }
  const { code } = await status;
  assert.equal(code, 0, await said);
}

suite.test("the program of a new project watches one namespace, without metrics, by its flags and rules", async (plane) => {
  using client = createClient(plane.config);
  const folder = await Deno.makeTempDir();
  const image = await Deno.makeTempDir();
  try {
    const { files } = initProject(folder, { name: "shop", domain: "example.com", clone: ROOT });
    await writeFiles(folder, files, diskFiles);
    const bundled = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--platform=deno", "--minify", "--output=dist/main.js", "main.ts"],
      cwd: folder,
    }).output();
    assert(bundled.success, new TextDecoder().decode(bundled.stderr));
    const { default: operator } = await import(`file://${folder}/operator.ts`).catch(() => ({
      default: undefined,
    }));
    assert(isOperator(operator));
    const place = { name: "shop", namespace: "shop-system" };
    const manifests = manifestsOf(operator, {
      ...place,
      image: "shop:1",
      watchNamespaces: ["default"],
      metrics: false,
    });
    const stop = new AbortController();
    const run = { client, clock: systemClock, signal: stop.signal, onStep: () => {} };
    await deployObjects(run, manifests.map(({ object }) => object), {
      operator: place,
      wait: false,
      timeoutMs: 60_000,
    });
    const { token } = await requestToken(client, "shop-system/shop");
    const account = { token, "ca.crt": plane.caData, namespace: "shop-system" };
    for (const [name, text] of Object.entries(account)) {
      await Deno.writeTextFile(`${image}/${name}`, text);
    }
    // Two things differ from a pod: the folder of the account's files, and the port, which is a free one.
    const bundle = (await Deno.readTextFile(`${folder}/dist/main.js`))
      .replaceAll(ACCOUNT_FOLDER, image).replaceAll('":8081"', '"127.0.0.1:0"');
    await Deno.writeTextFile(`${image}/main.js`, bundle);
    await Deno.chmod(image, 0o555);
    await client.create(Shop, { metadata: { name: "first", namespace: "default" }, spec: {} });
    const { spec } = await client.get(meta.Deployment, "shop-system/shop");
    const words = spec!.template.spec!.containers[0]!.args!;
    assert.deepEqual(words.slice(-2), ["--metrics-bind-address=0", "--namespace=default"]);
    await runAsPod(plane, image, words, () =>
      until(
        () => client.get(meta.ConfigMap, "default/first-shop").then(() => true, () => false),
        "the ConfigMap of the controller",
      ));
    // No right but those of the Roles.
    const { tls = {}, server } = plane.config;
    using own = createClient({
      server,
      tls: { ...tls.caData && { caData: tls.caData } },
      credentials: { token },
    });
    await own.list(Shop, { namespace: "default" });
    await assert.rejects(own.list(Shop, { namespace: "kube-system" }), isForbidden);
  } finally {
    await Deno.remove(folder, { recursive: true });
    await Deno.chmod(image, 0o755);
    await Deno.remove(image, { recursive: true });
  }
});
