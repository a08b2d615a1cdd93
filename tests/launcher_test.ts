/** What the launcher makes of a command line: the permissions and the configuration that Deno gets. */
import assert from "node:assert/strict";

/** The packaged launcher in a folder of its own, in a project with a `deno.json`, and a Deno that tells how it is called. */
async function launcher(
  { tells = '"$@"', env = {} }: { tells?: string; env?: Record<string, string> } = {},
): Promise<
  {
    call: (...words: string[]) => Promise<string[]>;
  } & AsyncDisposable
> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${path}/bin/kubectl-xca.d`, { recursive: true });
  await Deno.copyFile(new URL("../plugin/kubectl-xca", import.meta.url), `${path}/bin/kubectl-xca`);
  await Deno.writeTextFile(`${path}/bin/kubectl-xca.d/main.js`, "");
  await Deno.writeTextFile(`${path}/bin/deno`, `#!/bin/sh\nprintf '%s\\n' ${tells}\n`, {
    mode: 0o755,
  });
  await Deno.writeTextFile(`${path}/deno.json`, "{}");
  return {
    call: async (...args) => {
      const { code, stdout } = await new Deno.Command(`${path}/bin/kubectl-xca`, {
        args,
        cwd: path,
        env: { PATH: `${path}/bin:${Deno.env.get("PATH")}`, ...env },
      }).output();
      assert.equal(code, 0);
      return new TextDecoder().decode(stdout).split("\n").slice(0, -1)
        .map((word) => word.replace(path, "HERE"));
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("the launcher knows the command behind flags: what may write files, what imports by a project's names", async () => {
  await using plugin = await launcher();
  const given = async (line: string): Promise<string> => {
    const words = await plugin.call(...line.split(" "));
    const main = words.findIndex((word) => word.endsWith("main.js"));
    assert.deepEqual(words.slice(main + 1), line.split(" "), "the words go on as they came");
    const config = words.find((word) => /^--(no-)?config/.test(word));
    return `${config} ${words.includes("--allow-write") ? "writes" : "reads"}`;
  };
  for (const before of ["", "-n a ", "-na ", "--namespace=a ", "-v 1 ", "--as x --as-group y "]) {
    assert.equal(
      await given(`${before}run ./operator.ts`),
      "--config=HERE/deno.json writes",
      before,
    );
    assert.equal(await given(`${before}serve`), "--no-config writes", before);
    assert.equal(await given(`${before}status run`), "--no-config reads", before);
  }
  assert.equal(
    await given("--insecure-skip-tls-verify run x.ts"),
    "--config=HERE/deno.json writes",
  );
  assert.equal(await given("--help run"), "--config=HERE/deno.json writes");
  assert.equal(await given("-n run status"), "--no-config reads");
  assert.equal(await given("__complete run "), "--no-config reads");
  assert.equal(await given("--namespace"), "--no-config reads");
});

Deno.test("the launcher has the machine's certificate authorities trusted too, unless told otherwise", async () => {
  for (const [told, store] of [["", "mozilla,system"], ["mozilla", "mozilla"]] as const) {
    await using plugin = await launcher({
      tells: '"$DENO_TLS_CA_STORE"',
      env: { DENO_TLS_CA_STORE: told },
    });
    assert.deepEqual(await plugin.call("status"), [store]);
  }
});
