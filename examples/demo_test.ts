/**
 * Tests of the demo without a cluster: its output, and its end when the output is not a terminal.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { CliContext } from "../cli/context.ts";
import { testContext } from "../tests/support/command_line/cli_context.ts";
import { demo } from "./demo.ts";

/** The command line arguments that run the demo as a process. */
const RUN = ["run", "-A", fileURLToPath(new URL("demo.ts", import.meta.url))];

Deno.test("the demo needs no cluster: it starts one, activates its objects, and says how to look", async () => {
  const folder = await Deno.makeTempDir({ prefix: "a b" });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: RUN,
    env: { KUBECONFIG: "", TMPDIR: folder },
    stdin: "null",
  }).output();
  await Deno.remove(folder, { recursive: true });
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  assert.equal(code, 0, decode(stderr));
  assert.equal(decode(stderr), "");
  const said = decode(stdout);
  assert.match(said, /^\* Started an API server in this process: https:\/\/127\.0\.0\.1:\d+\n/);
  assert.match(said, /\* 3 objects reconciled, 0 failed\n/);
  assert.match(said, /\nvenus +venus +true /);
  assert.match(said, /\nexport KUBECONFIG='\/.*a b.*'\nkubectl get xcas -n xca-demo\n/);
  assert.match(said, /\* Removed everything that the demo created\n$/);
});

Deno.test("the demo without a cluster leaves no kubeconfig, and exits with 130 when interrupted", async () => {
  for (const text of ["* Started", "* Installed", "* Running", "* The server runs until Ctrl-C"]) {
    const context = testContext();
    const kubeconfigs: string[] = [];
    const atTerminal: CliContext = {
      ...context,
      host: { ...context.host, isTerminal: () => true },
      out(said) {
        context.out(said);
        const [, path] = /^export KUBECONFIG=(.*)$/m.exec(said) ?? [];
        if (path && Deno.statSync(path).isFile) kubeconfigs.push(path);
        if (said.startsWith(text)) context.interrupt("SIGINT");
      },
    };
    assert.equal(await demo(atTerminal), 130, text);
    assert.equal(context.stderr(), "Stopping on SIGINT; once more ends at once.\n");
    assert.match(context.stdout(), /\* Removed everything that the demo created\n$/);
    assert.equal(kubeconfigs.length, text.includes("until Ctrl-C") ? 1 : 0);
    for (const path of kubeconfigs) assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
  }
});

Deno.test({
  name:
    "the demo ends with 130 on SIGINT and SIGTERM, and with 129 on SIGHUP, though the cluster does not answer",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const { port } = listener.addr as Deno.NetAddr;
      const kubeconfig = await Deno.makeTempFile();
      await Deno.writeTextFile(
        kubeconfig,
        JSON.stringify({
          "current-context": "silent",
          contexts: [{ name: "silent", context: { cluster: "silent" } }],
          clusters: [{ name: "silent", cluster: { server: `http://127.0.0.1:${port}` } }],
        }),
      );
      const child = new Deno.Command(Deno.execPath(), {
        args: RUN,
        env: { KUBECONFIG: kubeconfig },
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).spawn();
      using _asking = await listener.accept();
      child.kill(signal);
      const { code, signal: killedBy, stderr } = await child.output();
      const said = new TextDecoder().decode(stderr);
      assert.deepEqual({ code, killedBy }, {
        code: signal === "SIGHUP" ? 129 : 130,
        killedBy: null,
      }, said);
      assert.equal(said, `Stopping on ${signal}; once more ends at once.\n`);
      await Deno.remove(kubeconfig);
    }
  },
});
