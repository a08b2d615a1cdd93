/** Tests of the examples as programs, without a cluster. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createClient, loadConfig } from "@xca/operator";
import { CustomResourceDefinition } from "@xca/operator/meta";
import { runCli } from "../cli/app.ts";
import { testContext } from "../tests/support/command_line/cli_context.ts";
import { until } from "../tests/support/until.ts";
import { Xca } from "./02_xca.ts";

/** The examples that run on a cluster. */
const EXAMPLES = [...Deno.readDirSync(new URL(".", import.meta.url))]
  .map(({ name }) => name).filter((name) => /^\d\d_.*(?<!_test)\.ts$/.test(name))
  .filter((name) =>
    Deno.readTextFileSync(new URL(name, import.meta.url)).includes("run_example.ts")
  )
  .sort();

async function run(
  example: string,
  kubeconfig: string,
): Promise<{ readonly code: number; readonly stderr: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net",
      "--allow-read",
      "--allow-env",
      fileURLToPath(new URL(example, import.meta.url)),
      "web",
    ],
    env: { KUBECONFIG: kubeconfig, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("an example without a cluster reports it in one line, with a remedy", async () => {
  assert(EXAMPLES.length > 0);
  for (const example of EXAMPLES) {
    const { code, stderr } = await run(example, "/nowhere/kubeconfig");
    assert.match(
      stderr,
      /^error: Cannot find a cluster: no kubeconfig at \/nowhere\/kubeconfig.*; set KUBECONFIG, or .*: kubectl xca serve\n$/,
      example,
    );
    assert.equal(code, 2, example);
  }
});

Deno.test("an example reports a cluster that does not answer in one line, when it does not wait for it", async () => {
  const kubeconfig = await Deno.makeTempFile();
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  closed.close();
  await Deno.writeTextFile(
    kubeconfig,
    JSON.stringify({
      "current-context": "away",
      contexts: [{ name: "away", context: { cluster: "away" } }],
      clusters: [{
        name: "away",
        cluster: { server: `http://127.0.0.1:${(closed.addr as Deno.NetAddr).port}` },
      }],
    }),
  );
  const { code, stderr } = await run("07_client_access.ts", kubeconfig);
  assert.match(stderr, /\nerror: Cannot reach the API server .*kubectl xca serve\n$/);
  assert.equal(code, 3);
  await Deno.remove(kubeconfig);
});

Deno.test("an example of an operator waits for its kind, works, and ends in order at the first SIGINT", async () => {
  const context = testContext();
  const served = runCli(["serve"], context);
  const printed = (): string => context.stdout() + context.stderr();
  await until(() => Promise.resolve(/KUBECONFIG=/.test(printed())), "the server listens");
  const [, kubeconfig = ""] = /export KUBECONFIG=(\S+)/.exec(printed()) ?? [];
  using client = createClient(await loadConfig({ kubeconfig }));
  await using program = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net",
      "--allow-read",
      "--allow-env",
      fileURLToPath(new URL("02_xca.ts", import.meta.url)),
    ],
    env: { KUBECONFIG: kubeconfig, NO_COLOR: "1" },
    stdin: "null",
    stderr: "piped",
  }).spawn();
  const log = new Response(program.stderr).text();
  await client.create(CustomResourceDefinition, Xca.crd);
  await until(() => client.list(Xca).then(() => true, () => false));
  await client.create(Xca, { metadata: { namespace: "default", name: "mars" } });
  const isActive = async (): Promise<boolean> =>
    (await client.get(Xca, "default/mars")).status?.active === true;
  await until(isActive, "the program works");
  program.kill("SIGINT");
  const { code, signal } = await program.status;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  assert.match(await log, /Operator xca has stopped.*\n.*Informer .* stopped\n$/);
  context.interrupt("SIGINT");
  await served;
});
