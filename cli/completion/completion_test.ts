import assert from "node:assert/strict";
import { testContext } from "../../tests/support/command_line/cli_context.ts";
import { runCli } from "../app.ts";

const KUBECONFIG = JSON.stringify({
  "current-context": "here",
  contexts: [
    { name: "here", context: { cluster: "near", user: "me" } },
    { name: "there", context: { cluster: "far", user: "me" } },
  ],
  clusters: [
    { name: "near", cluster: { server: "http://127.0.0.1:1" } },
    { name: "far", cluster: { server: "http://127.0.0.1:1" } },
  ],
  users: [{ name: "me", user: {} }],
});

/**
 * Completes the last of the words as a shell would, and returns the candidates and the directive.
 */
async function offered(...words: string[]): Promise<string> {
  const context = testContext({ env: { KUBECONFIG: "/kc" }, files: { "/kc": KUBECONFIG } });
  assert.equal(await runCli(["__complete", ...words], context), 0);
  assert.equal(context.stderr(), "");
  return context.stdout().trim().split("\n").map((line) => line.split("\t")[0]).join(" ");
}

Deno.test("completion offers commands, their flags, global flags, and values of flags", async () => {
  assert.equal(
    await offered(""),
    "run status why serve permissions types crd rbac init create dev manifests install uninstall " +
      "deploy undeploy build-installer bundle completion version help :4",
  );
  assert.equal(await offered("s"), "status serve :4");
  assert.equal(await offered("help", "s"), "status serve :4");
  assert.equal(await offered("help", "status", ""), ":4");
  assert.equal(await offered("serve", "--wr"), "--write-kubeconfig :4");
  assert.equal(await offered("run", "--em"), "--embedded :4");
  assert.equal(await offered("status", "--al"), "--all-namespaces :4");
  assert.equal(await offered("status", "--conte"), "--context :4");
  assert.equal(await offered("run", "--all-namespaces", "--on"), "--once :4");
  assert.equal(await offered("status", "-o", ""), "table wide json yaml name :4");
  assert.equal(await offered("status", "--output=j"), "json :4");
  assert.equal(await offered("permissions", "-o", ""), "flags json :4");
  assert.equal(await offered("completion", ""), "bash zsh fish :4");
  assert.equal(await offered("completion", "z"), "zsh :4");
  assert.equal(await offered("completion", "zsh", ""), ":4");
  assert.equal(await offered("-nteam-a", "--output=json", "status", "--al"), "--all-namespaces :4");
  assert.equal(await offered("status", "-o=", "--log-format", "j"), "json :4");
});

Deno.test("completion offers names of the kubeconfig, and files for flags that take a file", async () => {
  assert.equal(await offered("status", "--context", ""), "here there :4");
  assert.equal(await offered("--cluster", "f"), "far :4");
  assert.equal(await offered("run", "--user="), "me :4");
  assert.equal(await offered("run", ""), ":0");
  assert.equal(await offered("status", "--kubeconfig", "x"), ":0");
  for (const flag of ["--seed", "--data", "--audit", "--write-kubeconfig"]) {
    assert.equal(await offered("serve", flag, ""), ":0", flag);
  }
  assert.equal(await offered("serve", "--port", ""), ":4");
});

Deno.test("completion offers files for arguments and flags that take a file or a folder", async () => {
  for (
    const command of [
      ["rbac"],
      ["manifests"],
      ["build-installer"],
      ["bundle"],
      ["install"],
      ["uninstall"],
      ["deploy"],
      ["undeploy"],
      ["init"],
      ["types"],
      ["crd", "plan"],
      ["crd", "plan", "old.yaml"],
      ["crd", "diff"],
      ["crd", "diff", "old.yaml"],
      ["init", "--library"],
      ["run", "--webhook-cert-path"],
      ["manifests", "--output"],
      ["build-installer", "--output"],
      ["bundle", "--output"],
    ]
  ) assert.equal(await offered(...command, ""), ":0", command.join(" "));
  assert.equal(await offered("manifests", "a", ""), ":4");
  assert.equal(await offered("crd", "plan", "old.yaml", "new.yaml", ""), ":4");
});

/** Returns the words that are offered for the last of the words, without the directive. */
async function wordsFor(...words: string[]): Promise<string[]> {
  return (await offered(...words)).split(" ").slice(0, -1);
}

/** Returns the path of each command below the command `above`, at any depth. */
async function commandsBelow(...above: string[]): Promise<string[][]> {
  const own = (await wordsFor(...above, "")).filter((word) => /^[a-z-]+$/.test(word));
  const known = ["help", "completion", "version"];
  const below = own.filter((word) => !known.includes(word)).map((word) => [...above, word]);
  return (await Promise.all(below.map(async (words) => [words, ...await commandsBelow(...words)])))
    .flat();
}

Deno.test("completion offers only values that the flag accepts", async () => {
  const tried: string[] = [];
  const tryFlag = async (command: readonly string[], flag: string): Promise<void> => {
    for (const value of await wordsFor(...command, `${flag}=`)) {
      const context = testContext();
      const line = [...command, `${flag}=${value}`];
      assert.equal(await runCli([...line, "--help"], context), 0, context.stderr());
      tried.push(line.join(" "));
    }
  };
  const everywhere = await wordsFor("--");
  await Promise.all(everywhere.map((flag) => tryFlag([], flag)));
  for (const command of await commandsBelow()) {
    const own = (await wordsFor(...command, "--")).filter((flag) => !everywhere.includes(flag));
    await Promise.all(own.map((flag) => tryFlag(command, flag)));
  }
  for (
    const line of [
      "manifests --format=olm",
      "manifests --certificates=cert-manager",
      "rbac --certificates=own",
      "crd plan --print=serve",
      "crd plan --format=json",
      "crd diff --format=json",
      "status --output=wide",
    ]
  ) assert(tried.includes(line), line);
});

Deno.test("completion offers nothing, without a message, when the cluster is unreachable", async () => {
  assert.equal(await offered("status", ""), ":4");
  assert.equal(await offered("status", "-n", ""), ":4");
  assert.equal(await offered("status", "-n", "a/b", "x"), ":4");
  assert.equal(await offered("frobnicate", ""), ":4");
});

Deno.test("completion prints a script for each supported shell, and exits 2 for others", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const context = testContext();
    assert.equal(await runCli(["completion", shell], context), 0);
    assert.match(context.stdout(), /kubectl-xca __complete/);
  }
  const context = testContext();
  assert.equal(await runCli(["completion", "csh"], context), 2);
  assert.match(context.stderr(), /no completion for "csh": there is bash, zsh, fish/);
});
