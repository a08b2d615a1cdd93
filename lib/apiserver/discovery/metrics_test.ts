import assert from "node:assert/strict";
import { ResourceTable } from "../resources/resource_table.ts";
import { RevisionLog } from "../storage/revision_log.ts";
import { metricsText } from "./metrics.ts";

Deno.test("metrics are lines of names, labels and numbers, each name told once", () => {
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
