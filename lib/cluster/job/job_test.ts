import assert from "node:assert/strict";
import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import { Job } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import {
  type LivingCluster,
  livingCluster,
} from "../../../tests/support/in_process/living_cluster.ts";
import { formatIndexes, parseIndexes } from "./completion_indexes.ts";

const WORK = "default/work";

function job(spec: Partial<NonNullable<V1Job["spec"]>> = {}): V1Job {
  const containers = [{ name: "app", image: "app:1" }];
  const template = { spec: { containers, restartPolicy: "Never" } };
  return { metadata: { name: "work", namespace: "default" }, spec: { template, ...spec } };
}

function conditionsOf({ status }: V1Job): string[] {
  return (status?.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);
}

async function found({ client }: LivingCluster): Promise<V1Job> {
  return await client.get(Job, WORK);
}

Deno.test("a Job runs its pods, as many at once as it may, and completes", async () => {
  await using cluster = await livingCluster({ script: () => ({ runMs: 2000 }) });
  await cluster.client.create(Job, job({ completions: 5, parallelism: 2 }));
  let most = 0;
  for (let second = 0; second < 15; second++) {
    await cluster.pass(1);
    most = Math.max(most, (await found(cluster)).status?.active ?? 0);
  }
  assert.equal(most, 2);
  const done = await found(cluster);
  assert.deepEqual(conditionsOf(done), [
    "SuccessCriteriaMet CompletionsReached",
    "Complete CompletionsReached",
  ]);
  assert.equal(done.status?.succeeded, 5);
  assert.deepEqual(done.status?.uncountedTerminatedPods, {});
  assert((await cluster.pods()).every(({ metadata }) => !metadata.finalizers));
  assert.deepEqual(await cluster.notes("Completed"), ["Job completed"]);
});

Deno.test("a Job whose pods fail tries again with pauses, and fails at its limit", async () => {
  await using cluster = await livingCluster({ script: () => ({ runMs: 0, exitCode: 1 }) });
  await cluster.client.create(Job, job({ backoffLimit: 2 }));
  await cluster.pass(5);
  assert.equal((await cluster.pods()).length, 1);
  await cluster.pass(60);
  const failed = await found(cluster);
  assert.deepEqual(conditionsOf(failed), [
    "FailureTarget BackoffLimitExceeded",
    "Failed BackoffLimitExceeded",
  ]);
  assert.equal(failed.status?.failed, 3);
});

Deno.test("an indexed Job completes each index once", async () => {
  await using cluster = await livingCluster();
  await cluster.client.create(
    Job,
    job({ completions: 4, parallelism: 3, completionMode: "Indexed" }),
  );
  await cluster.pass(6);
  const done = await found(cluster);
  assert.deepEqual([done.status?.completedIndexes, done.status?.succeeded], ["0-3", 4]);
  const names = (await cluster.pods()).map(({ spec }) => spec?.hostname).sort();
  assert.deepEqual(names, ["work-0", "work-1", "work-2", "work-3"]);
});

Deno.test("a Job is suspended, resumed, ended by its deadline, and deleted after its time", async () => {
  await using cluster = await livingCluster({ script: () => ({ runMs: 1e9 }) });
  const { client } = cluster;
  await client.create(
    Job,
    job({ suspend: true, activeDeadlineSeconds: 30, ttlSecondsAfterFinished: 20 }),
  );
  await cluster.pass(3);
  assert.equal((await cluster.pods()).length, 0);
  assert.deepEqual(conditionsOf(await found(cluster)), ["Suspended JobSuspended"]);
  await client.patch(Job, WORK, mergePatch({ spec: { suspend: false } }));
  await cluster.pass(3);
  assert.equal((await cluster.pods()).length, 1);
  await cluster.pass(35);
  assert.deepEqual(conditionsOf(await found(cluster)).slice(1), [
    "FailureTarget DeadlineExceeded",
    "Failed DeadlineExceeded",
  ]);
  await cluster.pass(25);
  assert.deepEqual((await client.list(Job)).items, []);
});

Deno.test("a Job whose policy names an exit code fails at once, with that reason", async () => {
  await using cluster = await livingCluster({ script: () => ({ runMs: 0, exitCode: 42 }) });
  const onExitCodes = { operator: "In", values: [42] };
  const podFailurePolicy = { rules: [{ action: "FailJob", onExitCodes }] };
  await cluster.client.create(Job, job({ podFailurePolicy }));
  await cluster.pass(5);
  const failed = await found(cluster);
  assert.deepEqual(conditionsOf(failed), [
    "FailureTarget PodFailurePolicy",
    "Failed PodFailurePolicy",
  ]);
  assert.match(failed.status?.conditions?.[0]?.message ?? "", /exit code 42 matching FailJob/);
});

Deno.test("a Job that another controller manages is left alone", async () => {
  await using cluster = await livingCluster();
  await cluster.client.create(Job, job({ managedBy: "example.com/other" }));
  await cluster.pass(2);
  assert.equal((await cluster.pods()).length, 0);
});

for (const completionMode of ["Indexed", "NonIndexed"]) {
  Deno.test(`a large Job creates and counts at most 500 pods at once, and ends all when suspended: ${completionMode}`, async () => {
    await using cluster = await livingCluster({ script: () => ({ runMs: 1e9 }) });
    const { client } = cluster;
    const stop = new AbortController();
    const seen = new Set<number>();
    const watched = (async () => {
      for await (const { object } of client.watch(Job, { signal: stop.signal })) {
        seen.add(object.status?.active ?? 0);
      }
    })().catch(() => {});
    await client.create(Job, job({ completions: 510, parallelism: 510, completionMode }));
    await cluster.pass(10);
    assert.deepEqual([...seen], [0, 500, 510]);
    assert.equal((await cluster.pods()).length, 510);
    seen.clear();
    await client.patch(Job, WORK, mergePatch({ spec: { suspend: true } }));
    await cluster.pass(2);
    stop.abort();
    await watched;
    assert.deepEqual([...seen], [510, 0], "a suspended Job loses all pods at once");
  });
}

Deno.test("lists of indexes are ranges", () => {
  assert.equal(formatIndexes(new Set([5, 0, 2, 1, 7, 8])), "0-2,5,7,8");
  assert.deepEqual([...parseIndexes("0-2,5,7,8")], [0, 1, 2, 5, 7, 8]);
  assert.equal(formatIndexes(parseIndexes("")), "");
});
