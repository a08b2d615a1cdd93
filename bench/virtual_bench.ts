import process from "node:process";
import type { V1CronJob } from "@xca/operator/kubernetes-types";
import { CronJob, Job } from "@xca/operator/meta";
import { ApiServer, clientOf, expectObject, FakeClock } from "@xca/operator/testing";
import type { BenchContext } from "./support/context.ts";
import { type Row, row } from "./support/measure.ts";

const HOUR_MS = 3_600_000;
/** The number of CronJobs or pods in the rows about many of them. */
const MANY = 1000;
/** The number of nodes of the clusters with many CronJobs or pods. */
const NODES = 10;

/** The template of a pod whose container ends successfully after a second. */
const TEMPLATE = {
  metadata: { annotations: { "kubelet.xca.k8s.kb.cx/script": '{ "*": { "runMs": 1000 } }' } },
  spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work:1" }] },
};

/**
 * Measures the CPU time of a simulated cluster on a virtual clock, against the time that
 * passes on it.
 */
export async function virtualRows({ quick, rounds, say }: BenchContext): Promise<Row[]> {
  const hours: [number, number][] = [];
  for (let round = 0; round < (rounds ?? (quick ? 1 : 3)); round++) {
    say(`an hour of a CronJob, round ${round + 1}`);
    hours.push([await hourOfCronJob(), HOUR_MS / 1000]);
  }
  const rows = [
    row("a virtual hour of a CronJob that runs each minute: CPU", "s", hours, 0.001),
  ];
  if (quick) return rows;
  say("a Job of 1 000 pods, and 1 000 daily CronJobs for a day");
  const [job, passed] = await largeJob();
  return [
    ...rows,
    row("a Job of 1 000 pods on a virtual clock: CPU", "s", [[job, passed]]),
    row("1 000 daily CronJobs for a virtual day: CPU", "s", [[await manyCronJobs(), 86_400]]),
  ];
}

async function hourOfCronJob(): Promise<number> {
  const clock = new FakeClock();
  await using server = await ApiServer.start({ controllers: ["*"], clock });
  using client = clientOf(server);
  await client.create(CronJob, cronJob("minutely", "* * * * *"));
  await clock.advance(10 * 60_000); // the code is warm
  return await cpuSeconds(() => clock.advance(HOUR_MS));
}

async function largeJob(): Promise<[number, number]> {
  const clock = new FakeClock();
  await using server = await ApiServer.start({ controllers: ["*"], clock, nodes: NODES });
  using client = clientOf(server);
  const seconds = await cpuSeconds(async () => {
    await client.create(Job, {
      metadata: { name: "large", namespace: "default" },
      spec: { completions: MANY, parallelism: MANY / 2, template: TEMPLATE },
    });
    await expectObject(server, Job, "default/large", { status: { succeeded: MANY } });
  });
  return [seconds, clock.monotonicMs() / 1000];
}

async function manyCronJobs(): Promise<number> {
  const clock = new FakeClock();
  await using server = await ApiServer.start({ controllers: ["*"], clock, nodes: NODES });
  using client = clientOf(server);
  for (let index = 0; index < MANY; index++) {
    const schedule = `${index % 60} ${index % 24} * * *`;
    await client.create(CronJob, cronJob(`daily-${index}`, schedule));
  }
  return await cpuSeconds(() => clock.advance(24 * HOUR_MS));
}

function cronJob(name: string, schedule: string): V1CronJob {
  return {
    metadata: { name, namespace: "default" },
    spec: { schedule, jobTemplate: { spec: { template: TEMPLATE } } },
  };
}

/** Runs a function, and returns the CPU time of this process that it takes, in seconds. */
async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
