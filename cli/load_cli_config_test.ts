import assert from "node:assert/strict";
import { PluginScript } from "../tests/client/plugin_script.ts";
import { simpleKubeconfig } from "../tests/kubeconfig/fake_host.ts";
import { testContext } from "../tests/support/command_line/cli_context.ts";
import { loadCliConfig } from "./load_cli_config.ts";

const EXEC = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "aws",
  interactiveMode: "Never",
};

Deno.test("the permission to run programs is revoked unless the kubeconfig's user needs one", async () => {
  const users: [Record<string, unknown>, boolean][] = [
    [{ token: "t" }, true],
    [{ token: "t", exec: EXEC }, true],
    [{ exec: EXEC }, false],
    [{ "auth-provider": { name: "gcp", config: {} } }, false],
  ];
  for (const [user, given] of users) {
    const files = { "/x/config": simpleKubeconfig({ user }) };
    let dropped = false;
    const context = { ...testContext({ files }), dropRunPermission: () => void (dropped = true) };
    await loadCliConfig({ kubeconfig: "/x/config" }, context);
    assert.equal(dropped, given, JSON.stringify(user));
  }
});

Deno.test("I14 the launcher runs the kubeconfig's plugin; XCA_ALLOW_RUN narrows to names, or to none", async () => {
  await using plugin = await PluginScript.printing({ token: "t" });
  const exec = { ...EXEC, command: "./plugin" };
  const cluster = { server: "https://127.0.0.1:1" };
  await Deno.writeTextFile(`${plugin.dir}/config`, simpleKubeconfig({ user: { exec }, cluster }));
  const launcher = new URL("../plugin/kubectl-xca", import.meta.url).pathname;
  const said = async (env: Record<string, string>): Promise<string> => {
    const { stderr } = await new Deno.Command(launcher, {
      args: ["status", `--kubeconfig=${plugin.dir}/config`, "--request-timeout=5s"],
      env,
    }).output();
    return new TextDecoder().decode(stderr);
  };
  const unreachable = /Cannot reach the API server https:\/\/127.0.0.1:1/;
  const refused = new RegExp(`run this program with --allow-run=${plugin.path}`);
  assert.match(await said({}), unreachable);
  assert.match(await said({ XCA_ALLOW_RUN: plugin.path }), unreachable);
  assert.match(await said({ XCA_ALLOW_RUN: "other" }), refused);
  assert.match(await said({ XCA_ALLOW_RUN: "" }), refused);
});
