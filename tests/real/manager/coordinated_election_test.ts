/** Coordinated leader election: the API server chooses the leader, where it can. */
import assert from "node:assert/strict";
import { createClient } from "../../../lib/client/mod.ts";
import type { Client } from "../../../lib/client/mod.ts";
import { LeaderElector, type Term } from "../../../lib/manager/mod.ts";
import { Lease, Namespace } from "../../../lib/apimachinery/meta/mod.ts";
import { until } from "../../support/until.ts";
import { planeSuite, realSuite } from "../suite.ts";

const TIMING = { leaseDurationMs: 5_000, renewDeadlineMs: 3_000, retryPeriodMs: 500 };
const CANDIDATES = "/apis/coordination.k8s.io/v1beta1/namespaces";

/** A replica of one version that leads until it is stopped or loses the lease. */
class Replica {
  readonly elector: LeaderElector;
  readonly run: Promise<void>;
  term: Term | undefined;
  readonly #stop = new AbortController();

  constructor(client: Client, namespace: string, identity: string, version: string) {
    const coordinated = { binaryVersion: version };
    this.elector = new LeaderElector({
      client,
      namespace,
      name: "web",
      identity,
      coordinated,
      ...TIMING,
    });
    this.run = this.elector.run(async (term) => {
      this.term = term;
      await new Promise<void>((resolve) => {
        if (term.signal.aborted) return resolve();
        term.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      this.term = undefined;
    }, { signal: this.#stop.signal });
    this.run.catch(() => {});
  }

  get leads(): boolean {
    return (this.term?.remainingMs ?? 0) > 0;
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.run;
  }
}

async function candidates(client: Client, namespace: string): Promise<string[]> {
  const path = `${CANDIDATES}/${namespace}/leasecandidates`;
  const list = await client.requestJson<{ items: { metadata: { name: string } }[] }>({ path });
  return list.items.map(({ metadata }) => metadata.name).sort();
}

const coordinating = realSuite({
  apiserverFlags: [
    "--feature-gates=CoordinatedLeaderElection=true",
    "--runtime-config=coordination.k8s.io/v1beta1=true",
  ],
});

coordinating.test("coordinated election: the server prefers the older version, and a stop hands the lease over", async (plane) => {
  using client = createClient(plane.config);
  const namespace = "coordinated";
  await client.create(Namespace, { metadata: { name: namespace } });
  const newer = new Replica(client, namespace, "newer", "1.2.0");
  await until(() => newer.leads, "the leadership of the only candidate");
  const lease = await client.get(Lease, `${namespace}/web`);
  assert.equal(lease.spec?.strategy, "OldestEmulationVersion");
  assert.equal(lease.spec?.leaseDurationSeconds, 5);

  const older = new Replica(client, namespace, "older", "1.1.0");
  await assert.rejects(newer.run, /Lost the lease coordinated\/web: the server prefers older/);
  assert.equal(older.term, undefined, "both led at once");
  await until(() => older.leads, "the leadership of the older version");
  assert.deepEqual(await candidates(client, namespace), ["older"]);
  assert.equal((await client.get(Lease, `${namespace}/web`)).spec?.holderIdentity, "older");

  const again = new Replica(client, namespace, "again", "1.2.0");
  await until(async () => (await candidates(client, namespace)).includes("again"), "the candidate");
  await older.stop();
  assert.equal(older.term, undefined);
  await until(() => again.leads, "the leadership of the candidate that is left");
  await again.stop();
  assert.deepEqual(await candidates(client, namespace), []);
});

const plain = planeSuite();

plain.test("coordinated election: on a server without it the candidates elect the leader among themselves", async (plane) => {
  using client = createClient(plane.config);
  const namespace = "uncoordinated";
  await client.create(Namespace, { metadata: { name: namespace } });
  const a = new Replica(client, namespace, "a", "1.0.0");
  await until(() => a.leads, "a leader");
  const b = new Replica(client, namespace, "b", "0.9.0");
  await until(() => b.elector.leader === "a", "a candidate that knows the leader");
  await a.stop();
  await until(() => b.leads, "the next leader");
  await b.stop();
});
