import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { delay } from "@xca/apimachinery/base";
import { GuardedProcess } from "./guarded_process.ts";

interface Place extends Disposable {
  readonly dir: string;
  readonly logFile: string;
}

function place(): Place {
  const dir = Deno.makeTempDirSync({ prefix: "xca-guard-" });
  return {
    dir,
    logFile: join(dir, "log"),
    [Symbol.dispose]: () => Deno.removeSync(dir, { recursive: true }),
  };
}

function shell(at: Place, script: string): GuardedProcess {
  return GuardedProcess.create({
    program: "/bin/sh",
    args: ["-c", script],
    logFile: at.logFile,
    removeOnOrphan: at.dir,
  });
}

/** Returns the state of a process according to `ps`. */
async function stateOf(pid: number): Promise<string> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] })
    .output();
  return new TextDecoder().decode(stdout);
}

async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (let step = 0; step < 12_000; step++) {
    if (await check()) return;
    await delay(10);
  }
  assert.fail(`not within two minutes: ${what}`);
}

Deno.test("a guarded program is started, found running, killed and started again", async () => {
  using at = place();
  await using guarded = shell(at, "echo started $$; exec sleep 1000");
  assert.equal(await guarded.running(), false);
  const wrote = (lines: string) =>
    until(lines, async () => await Deno.readTextFile(at.logFile).catch(() => "") === lines);

  await guarded.start();
  const first = guarded.pid;
  await wrote(`started ${first}\n`);
  assert.equal(await guarded.running(), true);
  await assert.rejects(guarded.start(), { message: "Cannot start sh: it already runs" });
  await guarded.kill();
  assert.deepEqual([await guarded.running(), guarded.pid], [false, undefined]);
  await guarded.kill();

  await guarded.start();
  await wrote(`started ${first}\nstarted ${guarded.pid}\n`);
});

Deno.test("a program that ends by itself is found ended, and can be started again", async () => {
  using at = place();
  await using guarded = shell(at, "exit 3");
  for (let run = 0; run < 3; run++) {
    await guarded.start();
    await until("it ended", async () => !(await guarded.running()));
    assert.equal(guarded.pid, undefined);
  }
});

Deno.test("a program that cannot be executed ends at once, with the reason in the log", async () => {
  using at = place();
  await using guarded = GuardedProcess.create({
    program: "/no/such/program",
    args: [],
    logFile: at.logFile,
    removeOnOrphan: at.dir,
  });
  await guarded.start();
  await until("it ended", async () => !(await guarded.running()));
  assert.match(await Deno.readTextFile(at.logFile), /\/no\/such\/program/);
});

Deno.test("a stopped program counts as running, and a signal reaches only the program", async () => {
  using at = place();
  await using guarded = shell(at, "trap 'echo term; exit' TERM; while :; do sleep 0.01; done");
  await guarded.signal("TERM");
  await guarded.start();
  await guarded.signal("STOP");
  assert.equal(await guarded.running(), true);
  await guarded.signal("CONT");
  await guarded.signal("TERM");
  await until("it ended", async () => !(await guarded.running()));
});

Deno.test('signal("STOP") resolves when the program has stopped, even on a busy machine', {
  ignore: !["/bin/ps", "/usr/bin/ps"].some(existsSync),
}, async (t) => {
  for (const script of ["while :; do :; done", "exec sleep 1000"]) {
    await t.step(script, async () => {
      using at = place();
      await using guarded = shell(at, script);
      for (let round = 0; round < 5; round++) {
        await guarded.start();
        await guarded.signal("STOP");
        assert.match(await stateOf(guarded.pid!), /^T/);
        await guarded.kill();
      }
    });
  }
});

Deno.test("concurrent calls are executed in order", async () => {
  using at = place();
  await using guarded = shell(at, "exec sleep 1000");
  await guarded.start();
  const answers = await Promise.all([guarded.running(), guarded.kill(), guarded.running()]);
  assert.deepEqual(answers, [true, undefined, false]);
});

Deno.test("after disposal the program is gone, the folder remains, and calls fail", async () => {
  using at = place();
  const guarded = shell(at, "exec sleep 1000");
  await guarded.start();
  await guarded[Symbol.asyncDispose]();
  await guarded[Symbol.asyncDispose]();
  assert.ok((await Deno.stat(at.dir)).isDirectory);
  await assert.rejects(guarded.start(), /^Error: Cannot poll sh: /);
});
