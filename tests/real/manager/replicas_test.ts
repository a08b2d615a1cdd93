/** Three replicas of an operator as processes, under faults, judged by the audit log of the server. */
import assert from "node:assert/strict";
import { runElection } from "../../election/election_run.ts";
import { faultsOf, summaryOf } from "../../election/verdict.ts";
import { testSeed } from "../../support/seed.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ audit: true });

suite.test("F42 three replicas under faults: one leads at a time, no write starts after the deadline, the result is correct", async (plane) => {
  const seed = testSeed();
  const faults: string[] = [];
  const print = (line: string): void => void faults.push(line);
  const result = await runElection({ plane, namespace: "replicas", seed, decks: 1, print });
  const report = `seed=${seed}\n${faults.join("\n")}\n${summaryOf(result)}`;
  assert.deepEqual(faultsOf(result), [], report);
  assert.ok(result.terms.length > 1, `no fault ended a term\n${report}`);
  for (const pid of result.pids) {
    assert.ok(!await isReplica(pid), `process ${pid} is left\n${report}`);
  }
});

/** Reports whether a process of this id is a replica; another program may have its id by now. */
async function isReplica(pid: number): Promise<boolean> {
  if (Deno.build.os === "linux") {
    const args = await Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "");
    return args.includes("replica.ts");
  }
  const ps = new Deno.Command("ps", { args: ["-o", "args=", "-p", String(pid)] });
  const { stdout } = await ps.output();
  return new TextDecoder().decode(stdout).includes("replica.ts");
}
