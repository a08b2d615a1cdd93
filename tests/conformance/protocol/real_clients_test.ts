/**
 * Other people's clients against the embedded server: client-go's informers and leader election (a
 * program in `tests/go_client`), and `@kubernetes/client-node`. kubectl has suites of its own.
 *
 * @module
 */
import assert from "node:assert/strict";
import { realTest } from "../../real/suite.ts";
import { GO_BUILD } from "../../support/command_line/go_build.ts";
import { Servers } from "../servers.ts";

const servers = new Servers({});
const folder = await Deno.makeTempDir({ prefix: "xca-clients-" });
Deno.test.beforeAll(() => servers.startForKubectl());
Deno.test.afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

/** Runs a program to its end and gives what it printed. */
async function run(program: string, args: string[], options: Deno.CommandOptions): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, ...options })
    .output();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`Cannot run ${program}: ${text(stdout)}${text(stderr)}`);
  return text(stdout);
}

const GO_CLIENT = [
  "informer: 100 added, 50 updated, 25 deleted, cache equals list of 75",
  "conflicts: 8 of 8 updates kept",
  "apply: conflict told, field taken by force",
  "leader election: one, then two",
  "",
].join("\n");

for (const server of ["kube-apiserver", "the embedded server"] as const) {
  const kubeconfig = (): Promise<string> =>
    server === "kube-apiserver" ? servers.realKubeconfig() : servers.embeddedKubeconfig();

  realTest(
    `client-go works with ${server}: informer, conflicts, apply, leader election`,
    async () => {
      const source = new URL("../../go_client", import.meta.url).pathname;
      await run("go", ["build", ...GO_BUILD.args, "-o", `${folder}/go_client`, "."], {
        cwd: source,
        env: GO_BUILD.env,
      });
      const env = { KUBECONFIG: await kubeconfig(), HOME: folder };
      const namespace = `go-${crypto.randomUUID().slice(0, 8)}`;
      await run("kubectl", ["create", "namespace", namespace], { env });
      assert.equal(await run(`${folder}/go_client`, [namespace], { env }), GO_CLIENT);
    },
  );

  realTest(`@kubernetes/client-node works with ${server}`, async () => {
    const program = new URL("../../client_node/program.ts", import.meta.url).pathname;
    const namespace = `node-${crypto.randomUUID().slice(0, 8)}`;
    const args = ["run", "-A", "--no-check", program, await kubeconfig(), namespace];
    assert.equal(await run(Deno.execPath(), args, {}), "ok\n");
  });
}
