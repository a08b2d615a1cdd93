import assert from "node:assert/strict";
import { runProgram } from "./run_program.ts";

const sh = (script: string, options: Parameters<typeof runProgram>[1] = {}) =>
  runProgram("sh", { args: ["-c", script], ...options });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

Deno.test("runProgram() returns exit code and outputs, and adds environment variables", async () => {
  const result = await sh('echo "$ONE$HOME"; echo oops >&2; exit 3', { env: { ONE: "1" } });
  assert.equal(result.code, 3);
  assert.equal(text(result.stdout), `1${Deno.env.get("HOME") ?? ""}\n`);
  assert.equal(text(result.stderr), "oops\n");
});

Deno.test("runProgram() gives a program an empty standard input", async () => {
  assert.equal(text((await sh("cat; echo end")).stdout), "end\n");
});

Deno.test("runProgram() kills the program at the signal, and does not wait for its children", async () => {
  const abort = new AbortController();
  const reason = new Error("enough");
  const file = await Deno.makeTempFile();
  const run = sh(`echo $$ > ${file}; sleep 300 & wait`, { signal: abort.signal });
  let pid = "";
  while (!/\d+\n/.test(pid)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    pid = await Deno.readTextFile(file);
  }
  const children = text(
    (await runProgram("sh", { args: ["-c", `cat /proc/${pid.trim()}/task/*/children || true`] }))
      .stdout,
  ).trim().split(/\s+/).filter((child) => child !== "");
  abort.abort(reason);
  await assert.rejects(run, reason);
  assert.throws(() => Deno.kill(Number(pid), "SIGCONT"), "it is gone");
  for (const child of children) Deno.kill(Number(child), "SIGKILL");
  await Deno.remove(file);
});

Deno.test("runProgram() does not wait for a daemon that keeps the outputs open", async () => {
  const { code, stdout } = await sh("sleep 300 & echo $!");
  assert.equal(code, 0);
  Deno.kill(Number(text(stdout)), "SIGKILL");
});

Deno.test("runProgram() shows all of standard error, and ends well when ours is closed", async () => {
  const { writeSync } = Deno.stderr;
  let shown = "";
  try {
    Deno.stderr.writeSync = (bytes) => {
      if (shown === "one\n") throw new Deno.errors.BrokenPipe("Broken pipe");
      shown += text(bytes.subarray(0, 1));
      return 1;
    };
    const { code, stderr } = await sh("echo one >&2; echo two >&2", { showStderr: true });
    assert.deepEqual([code, text(stderr)], [0, "one\ntwo\n"]);
  } finally {
    Deno.stderr.writeSync = writeSync;
  }
  assert.equal(shown, "one\n");
});

Deno.test("runProgram() kills a program that writes without end", async () => {
  await assert.rejects(
    sh("yes", { maxBytes: 100_000 }),
    /RangeError: it wrote more than 100000 bytes/,
  );
  await assert.rejects(sh("yes >&2", { maxBytes: 100_000 }), RangeError);
});

Deno.test("runProgram() of a missing program: NotFound; after the signal: not started", async () => {
  await assert.rejects(runProgram("/nowhere/program"), Deno.errors.NotFound);
  await assert.rejects(runProgram("no-such-program-at-all"), Deno.errors.NotFound);
  const reason = new Error("enough");
  await assert.rejects(sh("true", { signal: AbortSignal.abort(reason) }), reason);
});
