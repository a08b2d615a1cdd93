import assert from "node:assert/strict";
import type { V1CronJob } from "@xca/apimachinery/kubernetes-types";
import { CronJob, Job } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import {
  type LivingCluster,
  livingCluster,
} from "../../../tests/support/in_process/living_cluster.ts";
import { jobSchedule } from "./job_schedule.ts";
import { timeInZone } from "./missed_time.ts";

const TICK = "default/tick";

function cronJob(spec: Partial<NonNullable<V1CronJob["spec"]>> = {}): V1CronJob {
  const containers = [{ name: "app", image: "app:1" }];
  const template = { spec: { containers, restartPolicy: "Never" } };
  return {
    metadata: { name: "tick", namespace: "default" },
    spec: { schedule: "*/2 * * * *", jobTemplate: { spec: { template } }, ...spec },
  };
}

async function minutes({ client, clock }: LivingCluster, count: number): Promise<string[]> {
  for (let minute = 0; minute < count; minute++) await clock.advance(60_000);
  return (await client.list(Job)).items.map(({ metadata }) => metadata.name ?? "").sort();
}

Deno.test("a CronJob creates a Job at each scheduled time, and keeps three", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  await client.create(CronJob, cronJob());
  assert.deepEqual(await minutes(cluster, 1), []);
  await minutes(cluster, 9);
  await cluster.pass(5);
  const names = await minutes(cluster, 0);
  assert.equal(names.length, 3);
  const { status } = await client.get(CronJob, TICK);
  assert.equal(status?.lastScheduleTime, "2026-01-01T00:10:00Z");
  assert.match(status?.lastSuccessfulTime ?? "", /^2026-01-01T00:10:0\dZ$/);
  assert.equal(names.at(-1), `tick-${Date.parse("2026-01-01T00:10:00Z") / 60_000}`);
  const [job] = (await client.list(Job)).items;
  assert.equal(job?.metadata.ownerReferences?.[0]?.kind, "CronJob");
});

Deno.test("Forbid skips a time while a Job runs, Replace deletes it, and Allow runs both", async () => {
  for (
    const [concurrencyPolicy, running] of [["Forbid", 1], ["Replace", 1], ["Allow", 3]] as const
  ) {
    await using cluster = await livingCluster({ nodes: 1, script: () => ({ runMs: 1e9 }) });
    await cluster.client.create(CronJob, cronJob({ concurrencyPolicy }));
    const names = await minutes(cluster, 7);
    assert.equal(names.length, running, concurrencyPolicy);
    const last = `tick-${Date.parse("2026-01-01T00:06:00Z") / 60_000}`;
    assert.equal(names.at(-1) === last, concurrencyPolicy !== "Forbid");
  }
});

Deno.test("a suspended CronJob creates nothing, and a missed time within the deadline counts once", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  await client.create(CronJob, cronJob({ suspend: true, startingDeadlineSeconds: 60 }));
  assert.deepEqual(await minutes(cluster, 4), []);
  await client.patch(CronJob, TICK, mergePatch({ spec: { suspend: false } }));
  assert.equal((await minutes(cluster, 1)).length, 1);
  await client.patch(CronJob, TICK, mergePatch({ spec: { suspend: true } }));
  await minutes(cluster, 2);
  await client.patch(CronJob, TICK, mergePatch({ spec: { suspend: false } }));
  await cluster.pass(10);
  assert.equal((await minutes(cluster, 0)).length, 1, "the time of 00:06 is too late");
});

Deno.test("a time is written with the offset of its zone", () => {
  const summer = new Date("2026-07-01T12:00:00Z");
  assert.equal(timeInZone(summer, "UTC"), "2026-07-01T12:00:00Z");
  assert.equal(timeInZone(summer, "Europe/Berlin"), "2026-07-01T14:00:00+02:00");
  assert.equal(timeInZone(summer, "America/St_Johns"), "2026-07-01T09:30:00-02:30");
});

Deno.test("an interval has whole seconds, one at least, and a day that never comes has no time", () => {
  const start = new Date("2026-01-01T00:00:00.700Z");
  const next = (expression: string) =>
    jobSchedule(expression, undefined).next(start)?.toISOString().slice(11, 23);
  assert.deepEqual(["@every 1h30m", "@every 1.5s", "@every 10ms", "0 0 30 2 *"].map(next), [
    "01:30:00.000",
    "00:00:01.000",
    "00:00:01.000",
    undefined,
  ]);
  assert.throws(() => jobSchedule("@every day", undefined), /failed to parse duration @every day/);
});
