/** Tests that a cluster on a virtual clock behaves identically on every run. */
import assert from "node:assert/strict";
import { testSeed } from "../support/seed.ts";
import { playMixedWorld } from "./mixed_world.ts";

const seed = testSeed();

/** Plays the mixed world in a separate process; returns the lines that it prints. */
async function playElsewhere(worldSeed: number): Promise<string[]> {
  const program = new URL("./mixed_world.ts", import.meta.url).pathname;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, String(worldSeed)],
    stderr: "inherit",
  }).output();
  assert(success);
  return new TextDecoder().decode(stdout).split("\n");
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
  // Each of the other worlds has the other two as busy neighbours.
  const [again, elsewhere, other] = await Promise.all([
    playMixedWorld(seed),
    playElsewhere(seed),
    playElsewhere(seed + 1),
  ]);
  assertSame(again, first);
  assertSame(elsewhere, first);
  assert.notDeepEqual(podsOf(other), podsOf(first), "another seed");
});
