/**
 * docs/running_in_a_cluster.md, done as it says: its program is bundled by its command, its manifests are
 * generated and applied, and Deno runs with the arguments of the Deployment, as its service account.
 */
import assert from "node:assert/strict";
import { loadAll } from "js-yaml";
import manifest from "../../../deno.json" with { type: "json" };
import {
  type Client,
  createClient,
  inNamespace,
  isForbidden,
  isNotFound,
  requestToken,
} from "../../../lib/client/mod.ts";
import * as builtin from "../../../lib/apimachinery/meta/builtin.ts";
import * as meta from "../../../lib/apimachinery/meta/mod.ts";
import { expectObject } from "../../../lib/testing/mod.ts";
import { type Block, blocksOf, blockWith } from "../../support/command_line/page_blocks.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { untilAnswered } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

const ACCOUNT = "greeter-system/greeter";
const ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

interface Greeting extends meta.KubeObject {
  spec: { name: string };
  status?: { text: string };
}

const Greeting = meta.resourceType<Greeting>({
  group: "example.org",
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
});

/** Runs a program of the project and returns its output. */
async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd })
    .output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** A project with the page's files, bundled as the page says. */
async function writeProject(page: readonly Block[], folder: string): Promise<void> {
  const readme = await blocksOf("README.md");
  const files: Record<string, string> = {
    "operator.ts": blockWith(readme, "ts", "export default defineOperator"),
    "main.ts": blockWith(page, "ts", "createManager"),
    "deno.json": JSON.stringify({
      links: [new URL("../../../", import.meta.url).pathname],
      imports: { [manifest.name]: `jsr:${manifest.name}@^${manifest.version}` },
      lock: false,
    }),
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  await output("/bin/sh", ["-c", blockWith(page, "sh", "deno bundle")], folder);
}

/** Returns the manifests that the page's command prints; it is run by the command line of the sources. */
async function manifestsOf(line: string, folder: string): Promise<meta.UnstructuredObject[]> {
  const [command = ""] = line.trim().replace("./operator.ts", `${folder}/operator.ts`).split(" > ");
  const [kubectl, xca, ...args] = command.split(" ");
  assert.deepEqual([kubectl, xca], ["kubectl", "xca"]);
  const root = new URL("../../../", import.meta.url).pathname;
  const flags = ["run", "-A", "--no-lock", `--config=${root}deno.json`, `${root}cli/main.ts`];
  return loadAll(
    await output(Deno.execPath(), [...flags, ...args], folder),
  ) as meta.UnstructuredObject[];
}

/** Creates the objects of the manifests; unknown fields are refused. */
async function createAll(
  client: Client,
  objects: readonly meta.UnstructuredObject[],
): Promise<void> {
  const types: meta.ResourceType[] = Object.values(builtin);
  for (const object of objects) {
    const type = types.find(({ apiVersion, kind }) =>
      apiVersion === object.apiVersion && kind === object.kind
    );
    assert(type, `there is no constant of ${object.apiVersion} ${object.kind}`);
    await client.create(type, object, { fieldValidation: "Strict" });
  }
}

/** The folder of a pod's service account, in this test's own place. */
async function writeAccount(client: Client, plane: Plane, folder: string): Promise<string> {
  const { token } = await requestToken(client, ACCOUNT);
  const account = `${folder}/account`;
  await Deno.mkdir(account);
  await Deno.writeTextFile(`${account}/token`, token);
  await Deno.writeTextFile(`${account}/ca.crt`, plane.caData);
  await Deno.writeTextFile(`${account}/namespace`, "greeter-system");
  return account;
}

suite.test("the page on running in a cluster: its program runs with its flags, rules and account, and no others", async (plane) => {
  const page = await blocksOf("docs/running_in_a_cluster.md");
  const folder = await Deno.makeTempDir();
  using client = createClient(plane.config);
  try {
    await writeProject(page, folder);
    const objects = await manifestsOf(blockWith(page, "sh", "xca manifests"), folder);
    await createAll(client, objects);
    // As the ReplicaSet's controller would: the namespace takes restricted pods alone.
    const { spec } = await client.get(meta.Deployment, ACCOUNT);
    await client.create(meta.Pod, {
      metadata: { name: "greeter", namespace: "greeter-system" },
      spec: spec!.template.spec!,
    }, { dryRun: true });
    await untilAnswered(
      () => client.create(Greeting, { metadata: { name: "first" }, spec: { name: "world" } }),
      isNotFound,
    );
    const account = await writeAccount(client, plane, folder);
    const words = spec!.template.spec!.containers[0]!.args!;
    await runInPod(plane, words, { folder, account }, async () => {
      const greeted = await expectObject(client, Greeting, "default/first", {
        status: { text: "Hello, world" },
      });
      const [entry] = greeted.metadata.managedFields!.filter(({ subresource }) =>
        subresource === "status"
      );
      assert.equal(entry?.manager, "xca-operator");
    });
    // No right but those of the rules.
    const token = await Deno.readTextFile(`${account}/token`);
    const { tls = {}, server } = plane.config;
    using own = createClient({
      server,
      tls: { ...tls.caData && { caData: tls.caData } },
      credentials: { token },
    });
    await own.list(Greeting);
    await assert.rejects(inNamespace(own, "default").list(meta.Secret), isForbidden);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Runs Deno with the arguments of the pod's container, and ends it as a pod is ended. */
async function runInPod(
  plane: Plane,
  words: readonly string[],
  { folder, account }: { readonly folder: string; readonly account: string },
  meanwhile: () => Promise<void>,
): Promise<void> {
  // Two things differ from a pod: the folder of the account's files, and ports, which are free ones.
  let bundle = await Deno.readTextFile(`${folder}/main.js`);
  const differences = {
    [ACCOUNT_FOLDER]: account,
    '":8081"': '"127.0.0.1:0"',
    '":8443"': '"127.0.0.1:0"',
  };
  for (const [inPod, here] of Object.entries(differences)) {
    assert(bundle.includes(inPod), inPod);
    bundle = bundle.replaceAll(inPod, here);
  }
  await Deno.writeTextFile(`${folder}/main.js`, bundle);
  const { hostname, port } = new URL(plane.url);
  const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  const process = new Deno.Command(Deno.execPath(), {
    // As Kubernetes does, which replaces $(NAME) in arguments.
    args: words.map((word) =>
      word.replace(ACCOUNT_FOLDER, account)
        .replace(/\$\((\w+)\)/g, (_, name: keyof typeof environment) => environment[name])
    ),
    cwd: folder,
    clearEnv: true,
    env: {
      ...environment,
      // As on a read-only file system: nothing can be kept.
      DENO_DIR: "/dev/null/none",
    },
    stderr: "piped",
  }).spawn();
  const said = new Response(process.stderr).text();
  try {
    await Promise.race([
      meanwhile(),
      process.status.then(async ({ code }) => {
        throw new Error(`it ended with ${code}: ${await said}`);
      }),
    ]);
  } finally {
    process.kill("SIGTERM");
    const { code } = await process.status;
    const log = await said;
    assert.equal(code, 0, log);
    assert(log.split("\n").some((line) => line && JSON.parse(line).msg === "Greeted"), log);
  }
}
