import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import { Node } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import { livingCluster } from "../../../tests/support/in_process/living_cluster.ts";
import { EvictionLimiter } from "./eviction_limiter.ts";
import { evictionRates, zoneKey } from "./zone_states.ts";

function nodesOf(zone: string, ready: number, unhealthy: number, labels = {}): V1Node[] {
  return Array.from({ length: ready + unhealthy }, (_, index) => ({
    metadata: {
      name: `${zone}-${index}`,
      labels: { "topology.kubernetes.io/zone": zone, ...labels },
    },
    status: { conditions: [{ type: "Ready", status: index < ready ? "True" : "Unknown" }] },
  } as unknown as V1Node));
}

const rateOf = (ready: number, unhealthy: number): unknown => {
  const rates = evictionRates([...nodesOf("a", ready, unhealthy), ...nodesOf("b", 1, 0)]);
  return rates === "stopped" ? rates : rates.get(zoneKey(nodesOf("a", 1, 0)[0]!));
};

Deno.test("the eviction rate of a zone follows from the share of its unhealthy nodes", () => {
  assert.equal(rateOf(3, 0), 0.1);
  assert.equal(rateOf(0, 3), 0.1, "a zone without ready nodes");
  assert.equal(rateOf(1, 2), 0.1, "two unhealthy nodes are no disruption");
  assert.equal(rateOf(1, 3), 0);
  assert.equal(rateOf(3, 3), 0.1, "half of the nodes");
  assert.equal(rateOf(45, 55), 0.01, "a large zone");
  assert.equal(rateOf(46, 54), 0.1);
  assert.equal(rateOf(10, 40), 0, "fifty nodes are no large zone");
  assert.equal(rateOf(10, 41), 0.01);
});

Deno.test("evictions stop if no zone has a ready node", () => {
  const down = [...nodesOf("a", 0, 2), ...nodesOf("b", 0, 1)];
  assert.equal(evictionRates(down), "stopped");
  const excluded = { "node.kubernetes.io/exclude-disruption": "" };
  assert.equal(evictionRates([...down, ...nodesOf("c", 1, 0, excluded)]), "stopped");
  assert.notEqual(evictionRates([...down, ...nodesOf("c", 1, 0)]), "stopped");
  assert.notEqual(evictionRates([]), "stopped");
});

Deno.test("the key of a zone consists of region and zone; older labels come first", () => {
  const key = (labels?: Record<string, string>): string =>
    zoneKey({ metadata: labels ? { labels } : {} } as V1Node);
  assert.equal(key(), "");
  assert.equal(key({ "topology.kubernetes.io/zone": "a" }), ":\0:a");
  assert.equal(
    key({
      "topology.kubernetes.io/region": "r",
      "topology.kubernetes.io/zone": "a",
      "failure-domain.beta.kubernetes.io/zone": "old",
    }),
    "r:\0:old",
  );
});

/** Returns a limiter of the zones `a` and `b` with a clock and the names that it has woken. */
function limiterOf() {
  const clock = new FakeClock();
  const woken: string[] = [];
  const limiter = new EvictionLimiter(clock, (names) => woken.push(...names));
  return { clock, woken, limiter };
}

Deno.test("one node of a zone is admitted each ten seconds, in the order of their failures", async () => {
  const { clock, limiter } = limiterOf();
  assert.deepEqual(["n1", "n2", "n3"].map((name) => limiter.admit(name, "a")), [
    100,
    10_000,
    20_000,
  ]);
  assert.equal(limiter.admit("other", "b"), 100, "zones do not wait for each other");
  await clock.advance(100);
  assert.equal(limiter.admit("n2", "a"), 10_000);
  assert.equal(limiter.admit("n1", "a"), 0);
  assert.equal(limiter.admit("n1", "a"), 0, "an admitted node stays admitted");
  assert.equal(limiter.admit("n2", "a"), 10_000);
  await clock.advance(10_000);
  assert.equal(limiter.admit("n3", "a"), 10_000);
  assert.equal(limiter.admit("n2", "a"), 0);
});

Deno.test("a node that is healthy again leaves its turn to the next one", async () => {
  const { clock, limiter, woken } = limiterOf();
  limiter.admit("n1", "a");
  limiter.admit("n2", "a");
  limiter.forget("n1");
  assert.deepEqual(woken, ["n2"]);
  await clock.advance(100);
  assert.equal(limiter.admit("n2", "a"), 0);
});

Deno.test("the nodes of a zone wait while its evictions are stopped, and ten seconds more", async () => {
  const { clock, limiter, woken } = limiterOf();
  limiter.admit("n1", "a");
  limiter.setRates(new Map([["a", 0]]), []);
  assert.deepEqual(woken.splice(0), ["n1"]);
  assert.equal(limiter.admit("n1", "a"), Infinity);
  await clock.advance(60_000);
  limiter.setRates(new Map([["a", 0.1]]), []);
  assert.deepEqual(woken.splice(0), ["n1"]);
  assert.equal(limiter.admit("n1", "a"), 10_000);
  limiter.setRates(new Map([["a", 0.1]]), []);
  assert.deepEqual(woken, [], "an unchanged rate wakes no node");
});

Deno.test("an end of all evictions wakes all nodes and takes back what was admitted", async () => {
  const { clock, limiter, woken } = limiterOf();
  limiter.admit("n1", "a");
  await clock.advance(100);
  assert.equal(limiter.admit("n1", "a"), 0);
  limiter.setRates("stopped", ["n1", "n2"]);
  assert(limiter.stopped);
  assert.deepEqual(woken.splice(0), ["n1", "n2"]);
  assert.equal(limiter.admit("n1", "a"), Infinity);
  limiter.setRates(new Map(), []);
  assert.equal(limiter.admit("n1", "a"), 10_000);
});

Deno.test("pods stay on all nodes while no kubelet of the cluster responds", async () => {
  await using cluster = await livingCluster({ nodes: 3 });
  const { client } = cluster;
  const evicted = async (): Promise<string[]> =>
    (await client.list(Node)).items.filter(({ spec }) =>
      spec?.taints?.some(({ effect }) => effect === "NoExecute")
    ).map(({ metadata }) => metadata.name ?? "");
  const pretend = (name: string, value: string | null): Promise<unknown> => {
    const annotations = { "kubelet.xca.k8s.kb.cx/pretend": value };
    return client.patch(Node, name, mergePatch({ metadata: { annotations } } as never));
  };
  await cluster.pass(1);
  const before = (await client.get(Node, "node-1")).metadata.annotations!;
  const value = before["kubelet.xca.k8s.kb.cx/pretend"]!;
  for (const name of ["node-1", "node-2", "node-3"]) await pretend(name, null);
  await cluster.pass(120);
  const nodes = (await client.list(Node)).items;
  assert(nodes.every(({ spec }) => spec?.taints?.some(({ effect }) => effect === "NoSchedule")));
  assert.deepEqual(await evicted(), []);
  await pretend("node-3", value);
  await cluster.pass(60);
  assert.deepEqual(await evicted(), ["node-1", "node-2"]);
});
