/**
 * Tests of the launcher: the permissions and the configuration that Deno gets for a command line.
 */
import assert from "node:assert/strict";
import { V8_FLAGS } from "../../lib/project/runtime_settings.ts";
import { until } from "../support/until.ts";

/** The outcome of a run of the launcher. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The packaged launcher in a folder of its own, which is a user's project too. */
interface Project extends AsyncDisposable {
  readonly path: string;
  /** Writes a file of the project. */
  write(name: string, text: string): Promise<void>;
  /** Calls the launcher in the project. */
  run(...words: string[]): Promise<Outcome>;
  /**
   * Runs the launcher, which must succeed, and returns the lines of its output, with `HERE` for the
   * project.
   */
  call(...words: string[]): Promise<string[]>;
}

interface ProjectInit {
  /** The script that prints the call in place of Deno; `undefined` for the real Deno. */
  readonly tells?: string | undefined;
  readonly env?: Record<string, string>;
  /** The folder to call it in, in the project. */
  readonly cwd?: string;
  /** A command of the shell's to be run before it. */
  readonly before?: string;
}

async function project(
  { tells, env = {}, cwd = ".", before = ":" }: ProjectInit = {},
): Promise<Project> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  const write = async (name: string, text: string): Promise<void> => {
    await Deno.mkdir(`${path}/${name.replace(/[^/]*$/, "")}`, { recursive: true });
    await Deno.writeTextFile(`${path}/${name}`, text, { mode: 0o755 });
  };
  await write("bin/kubectl-xca.d/main.js", "await import(`file://${Deno.cwd()}/operator.js`);");
  await Deno.copyFile(
    new URL("../../plugin/kubectl-xca", import.meta.url),
    `${path}/bin/kubectl-xca`,
  );
  if (tells !== undefined) await write("bin/deno", `#!/bin/sh\nprintf '%s\\n' ${tells}\n`);
  const found = `${path}/bin:${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}`;
  const run = async (...words: string[]): Promise<Outcome> => {
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", `${before}; exec kubectl-xca "$@"`, "sh", ...words],
      cwd: `${path}/${cwd}`,
      env: { PATH: found, ...env },
    }).output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, stdout: out!, stderr: err! };
  };
  return {
    path,
    write,
    run,
    async call(...words) {
      const { code, stdout, stderr } = await run(...words);
      assert.equal(code, 0, stderr);
      return stdout.split("\n").slice(0, -1).map((line) => line.replace(path, "HERE"));
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Creates a launcher that only prints its call of Deno, in a project with a `deno.json`. */
async function launcher(init: ProjectInit = {}): Promise<Project> {
  const made = await project({ tells: '"$@"', ...init });
  await made.write("deno.json", "{}");
  return made;
}

Deno.test("the launcher finds the command behind flags: which may write files, which uses a project's import map", async () => {
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
  assert.equal(await given("--version status"), "--no-config reads");
  assert.equal(await given("--help run"), "--config=HERE/deno.json writes");
  assert.equal(await given("-n run status"), "--no-config reads");
  assert.equal(await given("__complete run "), "--no-config reads");
  assert.equal(await given("--namespace"), "--no-config reads");
});

Deno.test("the launcher also trusts the machine's certificate authorities, unless disabled", async () => {
  for (const [told, store] of [["", "mozilla,system"], ["mozilla", "mozilla"]] as const) {
    await using plugin = await launcher({
      tells: '"$DENO_TLS_CA_STORE"',
      env: { DENO_TLS_CA_STORE: told },
    });
    assert.deepEqual(await plugin.call("status"), [store]);
  }
});

Deno.test("run and serve set the V8 flags of an operator, unless the user sets others", async () => {
  const run = V8_FLAGS;
  const flags = { "run x.ts": run, serve: `${run},--heap-growing-percent=30`, status: undefined };
  for (const own of ["", "--stack-size=900"]) {
    for (const [words, expected] of Object.entries(flags)) {
      await using plugin = await launcher({ env: { DENO_V8_FLAGS: own } });
      const said = await plugin.call(...words.split(" "));
      const actual = said.find((line) => line.startsWith("--v8-flags="));
      assert.equal(actual, own === "" ? expected : undefined, `${own} ${words}`);
    }
  }
});

Deno.test("serve fixes the threshold of the C allocator, unless the user sets another", async () => {
  for (
    const [command, own, set] of [["serve", "", "131072"], ["serve", "9", "9"], ["run", "", ""]]
  ) {
    await using plugin = await launcher({
      tells: '"${MALLOC_MMAP_THRESHOLD_-}"',
      env: { MALLOC_MMAP_THRESHOLD_: own! },
    });
    assert.deepEqual(await plugin.call(command!, "x"), [set], `${command} ${own}`);
  }
});

Deno.test("run and serve have one arena of the C allocator, unless the user sets another number", async () => {
  for (
    const [command, own, set] of [
      ["run", "", "1"],
      ["serve", "", "1"],
      ["run", "4", "4"],
      ["status", "", ""],
    ] as const
  ) {
    await using plugin = await launcher({
      tells: '"${MALLOC_ARENA_MAX-}"',
      env: { MALLOC_ARENA_MAX: own },
    });
    assert.deepEqual(await plugin.call(command, "x"), [set], `${command} ${own}`);
  }
});

Deno.test("only run uses the lock file of the project, and creates none", async () => {
  const lockFlag = async (
    words: string,
    files: Record<string, string>,
    cwd = ".",
  ): Promise<string> => {
    await using plugin = await launcher({ cwd });
    for (const [name, text] of Object.entries(files)) await plugin.write(name, text);
    const said = await plugin.call(...words.split(" "));
    return said.filter((word) => /^--(no-lock|frozen)/.test(word)).join(" ");
  };
  const lock = { "deno.lock": "{}" };
  const member = { "deno.json": '{ "workspace": ["./a"] }', "a/deno.json": "{}" };
  assert.equal(await lockFlag("run ./operator.ts", {}), "--no-lock");
  assert.equal(await lockFlag("run ./operator.ts", lock), "--frozen");
  const named = { "deno.json": '{ "lock": "other.lock" }' };
  assert.equal(await lockFlag("run x.ts", { ...named, "other.lock": "{}" }), "--frozen");
  assert.equal(await lockFlag("run x.ts", named), "--no-lock");
  const path = '{ "lock": {\n "frozen": false,\n "path": "./x" } }';
  assert.equal(await lockFlag("run x.ts", { "deno.json": path, "x": "{}" }), "--frozen");
  const oneLine = '{ "imports": { "a": "https://a.example/" }, "lock": "./x" }';
  assert.equal(await lockFlag("run x.ts", { "deno.json": oneLine, "x": "{}" }), "--frozen");
  const task = '{ "tasks": { "lock": "deno cache --lock operator.ts" } }';
  assert.equal(await lockFlag("run x.ts", { "deno.json": task }), "--no-lock");
  const comment = '{\n  // "lock": "x"\n  "imports": {} // "lock": "x"\n}';
  assert.equal(await lockFlag("run x.ts", { "deno.json": comment, "x": "{}" }), "--no-lock");
  const unlocked = '{ "lock": { "frozen": true }, "imports": { "path": "jsr:@std/path" } }';
  assert.equal(await lockFlag("run x.ts", { "deno.json": unlocked }), "--no-lock");
  assert.equal(await lockFlag("run x.ts", { "deno.json": '{ "lock": false }' }), "--no-lock");
  assert.equal(await lockFlag("run x.ts", { ...member, ...lock }, "a"), "--frozen");
  assert.equal(await lockFlag("run x.ts", member, "a"), "--no-lock");
  assert.equal(await lockFlag("run x.ts", { "a/deno.json": "{}", ...lock }, "a"), "--no-lock");
  assert.equal(await lockFlag("status", lock), "");
});

Deno.test("run in a project with an unusable deno.json names it and the reason, and exits 2", async () => {
  for (
    const [text, why] of [
      [
        "{ broken",
        /cannot use \S+\/deno\.json: .*deserializing config.*; correct it, or call this/,
      ],
      ['{ "links": ["/no/such"] }', /cannot use \S+\/deno\.json: .*'\/no\/such'.*; correct it, or/],
    ] as const
  ) {
    await using plugin = await project();
    await plugin.write("deno.json", text);
    const { code, stdout, stderr } = await plugin.run("run", "./operator.js");
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    assert.match(stderr, why);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
  }
});

Deno.test("the launcher tells serve and run whether nohup ignores a closed terminal", async () => {
  const { success } = await new Deno.Command("sh", { args: ["-c", "kill -HUP $$"] }).output();
  const here = success ? "ignored" : "ends"; // These tests may be run by nohup.
  for (const [before, hangup] of [[":", here], ["trap '' HUP", "ignored"]] as const) {
    await using plugin = await launcher({ tells: '"$XCA_HANGUP"', before });
    for (const command of ["serve", "run"]) assert.deepEqual(await plugin.call(command), [hangup]);
    assert.deepEqual(await plugin.call("status"), [""]);
  }
});

for (const [who, bring] of [["npx", "npx"], ["a program of Node's", "deno"]] as const) {
  Deno.test(`a process started by ${who} ends with the launcher`, async () => {
    await using plugin = await project();
    const program = `Deno.writeTextFileSync("pid", String(Deno.pid)); setInterval(() => {}, 1e6);`;
    await plugin.write("bin/kubectl-xca.d/main.js", program);
    // It starts Deno, waits for it, and does not hand on what ends it, as npm's program does.
    const passed = bring === "npx" ? 2 : 1;
    const script = `#!/bin/sh\nshift ${passed}\n"${Deno.execPath()}" "$@"\nexit $?\n`;
    await plugin.write(bring === "npx" ? "path/npx" : "path/node", script);
    if (bring === "deno") await plugin.write("path/deno", `#!${plugin.path}/path/node\n`);
    for (const tool of ["dirname", "head", "tr", "sh", "readlink"]) {
      const { stdout } = await new Deno.Command("which", { args: [tool] }).output();
      await Deno.symlink(new TextDecoder().decode(stdout).trim(), `${plugin.path}/path/${tool}`);
    }
    const launcher = new Deno.Command(`${plugin.path}/bin/kubectl-xca`, {
      args: ["serve"],
      cwd: plugin.path,
      clearEnv: true,
      env: { PATH: `${plugin.path}/path`, HOME: plugin.path },
      stderr: "null",
      stdout: "null",
    }).spawn();
    const readPid = (): string => {
      try {
        return Deno.readTextFileSync(`${plugin.path}/pid`);
      } catch {
        return "";
      }
    };
    await until(() => readPid() !== "", "it runs");
    const pid = Number(readPid());
    launcher.kill("SIGTERM");
    await launcher.status;
    assert.equal(pid, launcher.pid);
    assert.throws(() => Deno.kill(pid, "SIGCONT"), Deno.errors.NotFound);
  });
}
