/** The plugin as one binary. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import manifest from "../../deno.json" with { type: "json" };
import { compilePlugin, compilerProblem, PERMISSIONS, PLATFORMS } from "../../plugin/compile.ts";
import { deno, MAX_EMBEDDED_BYTES, root, temporaryFolder } from "../support/packaging/packaging.ts";
import { standIn } from "../support/packaging/stand_in.ts";

Deno.test("packaging: the binary of each platform embeds less than 5 MB", async () => {
  await using folder = await temporaryFolder();
  for (const platform of PLATFORMS) {
    const DENORT_BIN = await standIn(folder.path, platform);
    const path = await compilePlugin(folder.path, platform, { DENORT_BIN });
    const embedded = (await Deno.stat(path)).size - (await Deno.stat(DENORT_BIN)).size;
    assert(embedded > 100_000, `${path} embeds only ${embedded} bytes`);
    assert(embedded < MAX_EMBEDDED_BYTES, `${path} embeds ${embedded} bytes`);
  }
});

Deno.test("packaging: a failed compilation leaves the former binary", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const linux = PLATFORMS[0]!;
  const former = `${path}/kubectl-xca-linux-amd64`;
  await Deno.writeTextFile(former, "former");
  const DENORT_BIN = `${path}/missing`;
  await assert.rejects(
    compilePlugin(path, linux, { DENORT_BIN }),
    /^Error: Cannot compile .*kubectl-xca-linux-amd64: [^]*missing/,
  );
  assert.deepEqual([...Deno.readDirSync(path)].map(({ name }) => name), [
    "kubectl-xca-linux-amd64",
  ]);
  assert.equal(await Deno.readTextFile(former), "former");
});

Deno.test("packaging: an error about the runtime to compile into names DENORT_BIN", () => {
  const zip = "https://dl.deno.land/release/v2.9.6/denort-x86_64-unknown-linux-gnu.zip";
  const why = `error sending request for url (${zip}): client error (Connect): tcp connect error`;
  const stderr = "Compile main.mjs to kubectl-xca\nerror: Writing deno compile executable to " +
    `temporary file 'kubectl-xca.tmp-1'\n\nCaused by:\n    0: Setting up base binary.\n    1: ${why}\n`;
  assert.equal(
    compilerProblem(stderr),
    `Deno's runtime cannot be fetched: ${why}; check the network, or bring ${zip} from where it can ` +
      "be fetched, unpack it, and set DENORT_BIN to the file in it",
  );
  assert.equal(compilerProblem("error: something else"), "error: something else");
});

Deno.test({
  name: "packaging: the compiled binary runs",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using folder = await temporaryFolder();
    const { path } = folder;
    const DENORT_BIN = await standIn(path, { os: "linux", arch: "amd64" });
    const binary = await compilePlugin(path, undefined, { DENORT_BIN });
    const bundle = `${path}/main.js`;
    const bundling = ["bundle", "--quiet", "--minify", "--platform=deno", `--output=${bundle}`];
    const config = `--config=${root.pathname}deno.json`;
    const bundled = await deno([...bundling, config, `${root.pathname}cli/main.ts`]);
    assert.equal(bundled.code, 0, bundled.stderr);
    const embedded = Buffer.from(await Deno.readFile(binary));
    assert(
      embedded.includes(Buffer.from(await Deno.readFile(bundle))),
      "the binary holds this very bundle",
    );

    const run = ["run", "--no-config", ...PERMISSIONS, bundle];
    const version = await deno([...run, "version"], { cwd: path });
    assert.match(version.stdout, new RegExp(`^kubectl-xca ${manifest.version} `), version.stderr);
    const args = ["run", "--embedded", "--once"];
    const { code, stdout, stderr } = await deno([...run, ...args], { cwd: path });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "0 reconciled, 0 failed, 0 scheduled\n");
  },
});
