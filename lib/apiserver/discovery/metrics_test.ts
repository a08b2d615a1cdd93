import { ApiServer } from "../server.ts";
import assert from "node:assert/strict";
import { ResourceTable } from "../resources/resource_table.ts";
import { RevisionLog } from "../storage/revision_log.ts";
import { metricsText } from "./metrics.ts";

Deno.test("metrics are valid lines, and each name is declared once", () => {
  const log = new RevisionLog();
  log.put(log.collection("pods."), "a/b", "{}");
  const lines = metricsText(ResourceTable.builtin(), log).trim().split("\n");
  const types = lines.filter((line) => line.startsWith("# TYPE"));
  assert.equal(new Set(types).size, types.length);
  for (const line of lines) {
    assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? \d+)$/);
  }
  assert.ok(lines.includes('apiserver_resource_objects{group="",resource="pods"} 1'));
  const events = lines.filter((line) => line.includes('resource="events"'));
  assert.equal(events.length, 1);
});

Deno.test("the seats of priority levels are those of kube-apiserver's defaults", async () => {
  using server = await ApiServer.start({ controllers: false });
  const text = await (await server.fetch(new Request("https://x/metrics"))).text();
  const seats = [...text.matchAll(/_limit_seats\{priority_level="(.*)"\} (\d+)/g)]
    .map(([, name, count]) => `${name}=${count}`);
  assert.deepEqual(seats, [
    ...["catch-all=13", "exempt=0", "global-default=49", "leader-election=25"],
    ...["node-high=98", "system=74", "workload-high=98", "workload-low=245"],
  ]);
});
