import assert from "node:assert/strict";
import { testContext, type TestContextInit } from "../tests/support/command_line/cli_context.ts";
import { FakeClock } from "../lib/testing/mod.ts";
import { runCli } from "./app.ts";

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function cli(line: string, init: TestContextInit = {}): Promise<Outcome> {
  const context = testContext(init);
  const code = await runCli(line === "" ? [] : line.split(" "), context);
  return { code, stdout: context.stdout(), stderr: context.stderr() };
}

Deno.test("kubectl xca without arguments, and --help, print help and exit 0", async () => {
  for (const line of ["", "--help", "help", "status --help", "help status", "run -h"]) {
    const { code, stdout, stderr } = await cli(line);
    assert.equal(code, 0, line);
    assert.match(stdout, /^Usage: kubectl xca/m, line);
    assert.equal(stderr, "", line);
  }
});

Deno.test("status --help lists exit codes, kubectl's flags and examples", async () => {
  const { stdout } = await cli("status --help");
  for (
    const text of ["3 when the cluster does not answer", "--kubeconfig", "--as-group", "status -A"]
  ) {
    assert(stdout.includes(text), text);
  }
});

Deno.test("help, -h and --help work before a command as after it", async () => {
  const { stdout: help } = await cli("serve --help");
  assert.match(help, /^Usage: kubectl xca serve/);
  for (const line of ["help serve", "-h serve", "--help serve"]) {
    assert.deepEqual(await cli(line), { code: 0, stdout: help, stderr: "" }, line);
  }
});

Deno.test("help of permissions recommends programs, since a module that only exports does nothing by itself", async () => {
  const { stdout } = await cli("permissions --help");
  assert.match(stdout, /calls runOperator\(\)/);
  assert(!/permissions\) operator\.ts/.test(stdout), stdout);
});

Deno.test("I20 an unknown flag or command names the nearest one and exits 2", async () => {
  const cases: [string, RegExp][] = [
    ["status --namespce a", /unknown option '--namespce'.*Did you mean --namespace\?/],
    ["status --kubeconfg=x", /unknown option '--kubeconfg=x'.*Did you mean --kubeconfig\?/],
    ["run --onec", /unknown option '--onec'.*Did you mean --once\?/],
    ["statsu", /unknown command 'statsu'.*Did you mean status\?/],
    ["frobnicate", /unknown command 'frobnicate'/],
    ["help statsu", /unknown command 'statsu'.*Did you mean status\?/],
    ["status -n", /argument missing/],
  ];
  for (const [line, message] of cases) {
    const { code, stdout, stderr } = await cli(line);
    assert.equal(code, 2, line);
    assert.match(stderr, message, line);
    assert.match(stderr, /See 'kubectl xca.*--help' for usage\.\n$/, line);
    assert.equal(stdout, "", line);
  }
});

Deno.test("I21 an invalid namespace is refused before anything is read", async () => {
  for (const namespace of ["a/b", "..", "a%2fb", "A", "-", "a".repeat(64)]) {
    for (const command of ["status", "run"]) {
      const { code, stderr } = await cli(`${command} --namespace=${namespace}`);
      assert.equal(code, 2, namespace);
      assert(
        stderr.includes(`--namespace ${JSON.stringify(namespace)} cannot be a namespace`),
        stderr,
      );
    }
  }
});

const KUBECONFIG = JSON.stringify({
  "current-context": "c",
  contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
  clusters: [{ name: "k", cluster: { server: "http://127.0.0.1:1" } }],
  users: [{ name: "u", user: {} }],
});
const WITH_CONFIG: TestContextInit = { env: { KUBECONFIG: "/kc" }, files: { "/kc": KUBECONFIG } };

Deno.test("I22 an invalid, negative or too long duration exits 2", async () => {
  for (const duration of ["abc", "-1s", "3000000000s", "5parsecs"]) {
    const { code, stderr } = await cli(`status --request-timeout=${duration}`, WITH_CONFIG);
    assert.equal(code, 2, duration);
    assert(stderr.includes(duration), stderr);
    assert.equal(stderr.trim().split("\n").length <= 2, true, stderr);
  }
});

Deno.test("I23 a module that is missing, broken, or exports no operator exits 2", async () => {
  const cases: [string, RegExp][] = [
    ["./no_such_module.ts", /cannot load module \.\/no_such_module\.ts/],
    [
      "data:text/typescript,export%20const%20x%20=%201",
      /exports no operator \(it exports x\).*defineOperator/,
    ],
    ["data:text/typescript,throw%20new%20Error('at%20import')", /cannot load module.*at import/],
    ["data:text/typescript,let%20let", /cannot load module/],
    ["data:text/typescript,throw%20null", /cannot load module.*: it throws null/],
  ];
  for (const [module, message] of cases) {
    const { code, stderr } = await cli(`run ${module}`, WITH_CONFIG);
    assert.equal(code, 2, module);
    assert.match(stderr, message, module);
    assert(!/^\s+at /m.test(stderr), stderr);
  }
});

/** Creates a temporary folder with files, given by name. */
async function folderOf(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(`${path}/${name.replace(/[^/]*$/, "")}`, { recursive: true });
    await Deno.writeTextFile(`${path}/${name}`, text);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("the error of a module that throws at import names the line, in whichever file of the module", async () => {
  await using folder = await folderOf({
    "throws.ts": `\n\nthrow new Error("boom");`,
    "imports.ts": `import "./deep/parses.ts";`,
    "deep/parses.ts": `\nJSON.parse("{");`,
    "folder.ts": `import "./deep";`,
  });
  const { path } = folder;
  const importModule = (specifier: string): Promise<unknown> => import(`file://${specifier}`);
  const cases: [string, string][] = [
    ["throws.ts", `boom (at ${path}/throws.ts:3)`],
    ["imports.ts", `(at ${path}/deep/parses.ts:2)`],
    [
      "deep",
      "it is a folder: give the file in it that exports the operator, such as ./operator.ts",
    ],
    ["folder.ts", `it imports the folder ${path}/deep: import a file in it`],
  ];
  for (const [file, said] of cases) {
    const context = { ...testContext(WITH_CONFIG), importModule };
    assert.equal(await runCli(["run", `${path}/${file}`], context), 2);
    const [line] = context.stderr().split("\n");
    assert(line!.endsWith(said), context.stderr());
    assert(!/^\s+at /m.test(context.stderr()), context.stderr());
  }
});

Deno.test("a server that is no Kubernetes API server exits 2, without advice to install anything", async () => {
  for (const status of [404, 200]) {
    await using server = Deno.serve(
      { port: 0, onListen: () => {} },
      () => new Response("<html>a page</html>", { status }),
    );
    const url = `http://127.0.0.1:${server.addr.port}`;
    for (const line of ["run --once", "run --install-crds", "status", "status a", "status -w"]) {
      const { code, stdout, stderr } = await cli(`${line} --server ${url}`, WITH_CONFIG);
      assert.equal(code, 2, stderr);
      assert(
        stderr.startsWith(`error: ${url} answers, but not as a Kubernetes API server`),
        stderr,
      );
      assert.equal(stdout, "");
    }
  }
});

Deno.test("flags that exclude each other exit 2", async () => {
  const cases: [string, RegExp][] = [
    ["status a -A", /leave out -A or the name/],
    ["status a -l x=y", /leave out one of them/],
    ["run -n a -A", /-n and -A cannot go together/],
    ["status -s http://a --master http://b", /give one of them/],
    ["status a ../b", /"\.\.\/b" cannot be an Xca object: give its name, or xca\/NAME/],
    ["status pod/a", /"pod\/a" cannot be an Xca object/],
    ["status xca/", /"xca\/" cannot be an Xca object/],
    ["status -o jsn", /allowed are table, wide, json, yaml, name/],
    ["run --workers 0", /--workers must be a number from 1 to 9999/],
    [
      "run --leader-election-id a",
      /--leader-election-id is for a leader election: add --leader-elect/,
    ],
    ["run --leader-election-namespace a", /--leader-election-namespace is for a leader election/],
    ["run --leader-elect --leader-election-id A_b", /must be the name of a Lease, .* is "A_b"/],
    ["run --leader-elect --leader-election-namespace a.b", /must be a namespace, is "a.b"/],
    ["status -v many", /-v must be a number/],
    ["run --log-format xml", /--log-format must be text or json/],
    ["run a.ts b.ts", /too many arguments/],
  ];
  for (const [line, message] of cases) {
    const { code, stderr } = await cli(line);
    assert.equal(code, 2, line);
    assert.match(stderr, message, line);
  }
});

Deno.test("a missing kubeconfig exits 2, and the error lists the places searched", async () => {
  const { code, stderr } = await cli("status", { env: { HOME: "/nowhere" } });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^error: .*kubeconfig.*, or start a cluster of your own: kubectl xca serve\n/,
  );
  assert.equal(stderr.trim().split("\n").length, 1);
});

Deno.test("an unreachable cluster exits 3, and the error names it", async () => {
  for (const line of ["status", "status a", "status --watch", "run", "run --once"]) {
    const { code, stdout, stderr } = await cli(`${line} --request-timeout=5s`, WITH_CONFIG);
    assert.equal(code, 3, `${line}: ${stderr}`);
    assert.match(stderr, /http:\/\/127\.0\.0\.1:1/, line);
    assert(!/^\s+at /m.test(stderr), stderr);
    assert.equal(stdout, "");
  }
});

Deno.test("version prints the plugin and its runtime", async () => {
  const { code, stdout } = await cli("version");
  assert.equal(code, 0);
  assert.match(stdout, /^kubectl-xca \d+\.\d+\.\d+ \(deno \d+\.\d+.*\)\n$/);
  assert.deepEqual(await cli("--version"), { code: 0, stdout, stderr: "" });
});

Deno.test("I23 loading a module that never finishes times out", async () => {
  const clock = new FakeClock();
  const { promise: isLoading, resolve: load } = Promise.withResolvers<void>();
  const importModule = (): Promise<unknown> => {
    load();
    return new Promise(() => {});
  };
  const context = { ...testContext(WITH_CONFIG), clock, importModule };
  const ended = runCli(["run", "./never.ts"], context);
  await isLoading;
  await clock.advance(30_000);
  assert.equal(await ended, 2);
  assert.match(
    context.stderr(),
    /cannot load module \.\/never\.ts: it does not finish within 30 s/,
  );
});
