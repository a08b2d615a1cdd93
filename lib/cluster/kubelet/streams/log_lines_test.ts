import assert from "node:assert/strict";
import { podLogs } from "../../../client/mod.ts";
import { Pod } from "@xca/apimachinery/meta";
import { livingCluster, podOf } from "../../../../tests/support/in_process/living_cluster.ts";
import type { LogEntry } from "../container_script.ts";
import { linesBetween, nextLineMs } from "./log_lines.ts";

const LOGS: readonly LogEntry[] = [
  "first",
  { text: "tick", afterMs: 500, everyMs: 1000 },
  { text: "late", afterMs: 2000, stream: "stderr" },
];
const RUN = { startedMs: 10_000, endMs: 14_000 };

function shown(afterMs: number, untilMs: number): string[] {
  return linesBetween(LOGS, RUN, afterMs, untilMs).map(({ atMs, text }) => `${atMs} ${text}`);
}

Deno.test("linesBetween() returns the lines of a span in order, up to the end of the run", () => {
  assert.deepEqual(shown(-Infinity, 11_500), ["10000 first", "10500 tick", "11500 tick"]);
  assert.deepEqual(shown(11_500, 12_000), ["12000 late"]);
  assert.deepEqual(shown(12_000, 99_000), ["12500 tick", "13500 tick"]);
  assert.deepEqual(linesBetween(undefined, RUN, -Infinity, 99_000), []);
});

Deno.test("nextLineMs() returns the time of the next line of the run", () => {
  const times: number[] = [];
  for (let at = 0; at !== Infinity; at = nextLineMs(LOGS, RUN, at)) times.push(at);
  assert.deepEqual(times, [0, 10_000, 10_500, 11_500, 12_000, 12_500, 13_500]);
});

Deno.test("a log is what its container has written by the time of the cluster's clock", async () => {
  await using cluster = await livingCluster({ script: () => ({ logs: LOGS }) });
  const { client } = cluster;
  await client.create(Pod, podOf("web"));
  await cluster.pass(2);
  const log = async (options = {}): Promise<string> =>
    await new Response(await podLogs(client, "default/web", options)).text();
  const early = await log();
  await cluster.pass(60);
  const late = await log();
  assert(late.startsWith(early), early);
  assert.match(early, /^first\ntick\n/);
  assert.equal(late.match(/^tick$/gm)!.length, early.match(/^tick$/gm)!.length + 60);
  assert.equal(await log({ tailLines: 2 }), "tick\ntick\n");
  assert.equal(await log({ sinceSeconds: 3 }), "tick\ntick\ntick\n");
  assert.equal(await log({ limitBytes: 7 }), "first\nt");
});

Deno.test("the log of a run that ended within a second of its start has all its lines", async () => {
  const logs: readonly LogEntry[] = ["first", { text: "late", afterMs: 100 }, {
    text: "never",
    afterMs: 600,
  }];
  await using cluster = await livingCluster({ script: () => ({ runMs: 500, exitCode: 3, logs }) });
  const { client } = cluster;
  await client.create(Pod, podOf("web", { restartPolicy: "Never" }));
  await cluster.pass(2);
  const log = await new Response(await podLogs(client, "default/web")).text();
  assert.equal(log, "first\nlate\n");
});
