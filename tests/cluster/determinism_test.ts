/** Tests that a cluster on a virtual clock behaves identically on every run. */
import assert from "node:assert/strict";
import { testSeed } from "../support/seed.ts";
import { playMixedWorld } from "./mixed_world.ts";

const seed = testSeed();

/** Plays the mixed world in a separate process; returns the lines that it prints. */
async function playElsewhere(): Promise<string[]> {
  const program = new URL("./mixed_world.ts", import.meta.url).pathname;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, String(seed)],
    stderr: "inherit",
  }).output();
  assert(success);
  return new TextDecoder().decode(stdout).split("\n");
}

/** Keeps threads of this process busy until the result is disposed. */
function busyThreads(count: number): Disposable {
  const url = URL.createObjectURL(new Blob(["for (;;);"], { type: "text/javascript" }));
  const workers = Array.from({ length: count }, () => new Worker(url, { type: "module" }));
  return {
    [Symbol.dispose]: () => {
      for (const worker of workers) worker.terminate();
      URL.revokeObjectURL(url);
    },
  };
}

function assertSame(actual: readonly string[], expected: readonly string[]): void {
  const at = expected.findIndex((line, index) => line !== actual[index]);
  assert.equal(actual[at], expected[at], `line ${at} of ${expected.length}`);
  assert.equal(actual.length, expected.length);
}

/** Returns the lines of a run that describe its final pods. */
function podsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith("/api/v1/pods {"));
}

Deno.test("a world on a virtual clock has the same requests, audit log and objects on every run, beside busy threads too", async () => {
  const first = await playMixedWorld(seed);
  assert(first.length > 2000, `${first.length} lines`);
  for (
    const part of [
      "/node-2",
      "note-store-0",
      "default/jobs/tick-",
      "NoExecute",
      "/api/v1/pods {",
      "audit.k8s.io",
    ]
  ) {
    assert(first.some((line) => line.includes(part)), part);
  }
  assertSame(await playMixedWorld(seed), first);
  assert.notDeepEqual(podsOf(await playMixedWorld(seed + 1)), podsOf(first), "another seed");
  using _busy = busyThreads(4);
  assertSame(await playElsewhere(), first);
});
