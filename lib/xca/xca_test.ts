import assert from "node:assert/strict";
import { FakeCluster, refusal } from "../../tests/support/in_process/fake_cluster.ts";
import type { OperatorHandle } from "../controller/ports/operator_progress.ts";
import { runOperator } from "../controller/operator/run_operator.ts";
import { FakeClock } from "../testing/fake_clock.ts";
import { Xca } from "./xca.ts";
import { xcaType } from "./xca_type.ts";
import { xcaCrd, xtlsCrd } from "./xca_crd.ts";
import { xcaOperator } from "./xca_operator.ts";
import { xcaRules } from "./xca_rbac.ts";
import { Xtls } from "./xtls.ts";

function xca(name: string, status?: Xca["status"]): Xca {
  const object: Xca = { metadata: { namespace: "default", name }, spec: { foo: "bar" } };
  return status ? { ...object, status } : object;
}

async function withOperator(
  test: (cluster: FakeCluster, clock: FakeClock, handle: OperatorHandle) => Promise<void>,
  prepare: (cluster: FakeCluster) => void = () => {},
): Promise<void> {
  const cluster = new FakeCluster();
  const clock = new FakeClock(new Date("2026-01-02T03:04:05.678Z"));
  prepare(cluster);
  const { client } = cluster;
  const handle = runOperator(xcaOperator, { client, informers: cluster, clock });
  await clock.settle();
  await test(cluster, clock, handle);
  await handle.stop();
  assert.equal(clock.pending, 0);
}

for (const type of [Xca, Xtls]) {
  Deno.test(`${type.kind}: an inactive object gets active and the time, through the status subresource`, async () => {
    await withOperator(async (cluster, clock) => {
      cluster.put(type, xca("a"));
      await clock.settle();
      const { spec, status } = cluster.read(type, "default/a")!;
      assert.deepEqual(spec, { foo: "bar" });
      assert.deepEqual(status, { active: true, last_update_time: "2026-01-02T03:04:05Z" });
      assert.deepEqual(cluster.writes.map(({ verb }) => verb), ["updateStatus"]);
    });
  });
}

Deno.test("Xca: the type without a schema names the same resource", () => {
  for (const [name, value] of Object.entries(xcaType)) {
    assert.equal(Xca[name as keyof typeof xcaType], value, name);
  }
});

Deno.test("Xca: an active object is left unchanged, an inactive one is not", async () => {
  const before = "2020-01-01T00:00:00Z";
  await withOperator(async (cluster, clock) => {
    await clock.settle();
    assert.deepEqual(cluster.writes.map(({ key }) => key), ["default/off"]);
    assert.equal(cluster.read(Xca, "default/on")!.status!.last_update_time, before);
  }, (cluster) => {
    cluster.put(Xca, xca("on", { active: true, last_update_time: before }));
    cluster.put(Xca, xca("off", { active: false, last_update_time: before }));
  });
});

Deno.test("Xca: a deleted object needs no work", async () => {
  await withOperator(async (cluster, clock, handle) => {
    cluster.put(Xca, xca("a"));
    cluster.remove(Xca, "default/a");
    await clock.settle();
    assert.deepEqual([cluster.writes, handle.progress().failing], [[], []]);
  });
});

Deno.test("Xca: a failed status write is an error, and is retried with back-off until it succeeds", async () => {
  let failures = 3;
  const at: number[] = [];
  await withOperator(async (cluster, clock, handle) => {
    cluster.onWrite = () => {
      at.push(clock.monotonicMs());
      if (failures-- > 0) throw refusal(500, "InternalError", "etcd is away");
    };
    cluster.put(Xca, xca("a"));
    await clock.settle();
    assert.equal(handle.progress().failing[0]!.error, "etcd is away");
    await clock.advance(1_000);
    assert.deepEqual(at, [0, 5, 15, 35]);
    assert.equal(cluster.read(Xca, "default/a")!.status!.active, true);
    assert.deepEqual(handle.progress().failing, []);
  });
});

Deno.test("F28 Xca: a conflict on each first status write is resolved by a retry", async () => {
  const met = new Set<string>();
  await withOperator(async (cluster, clock) => {
    cluster.onWrite = ({ key }) => {
      if (met.has(key)) return;
      met.add(key);
      cluster.put(Xca, { ...cluster.read(Xca, key)!, spec: { foo: "changed meanwhile" } });
    };
    for (const name of ["a", "b", "c"]) cluster.put(Xca, xca(name));
    await clock.advance(1_000);
    for (const name of ["a", "b", "c"]) {
      const { spec, status } = cluster.read(Xca, `default/${name}`)!;
      assert.deepEqual([spec!.foo, status!.active], ["changed meanwhile", true]);
    }
  });
});

Deno.test("Xca: each outcome is logged", async () => {
  const { configure, reset } = await import("@logtape/logtape");
  const lines: { level: string; text: string; properties: Record<string, unknown> }[] = [];
  await configure({
    sinks: {
      lines: ({ level, message, properties }) => {
        lines.push({ level, text: message.join(""), properties });
      },
    },
    loggers: [
      { category: ["xca", "controller", "xca"], lowestLevel: "debug", sinks: ["lines"] },
      { category: ["logtape", "meta"], lowestLevel: "error" },
    ],
  });
  try {
    await withOperator(async (cluster, clock) => {
      cluster.put(Xca, xca("a"));
      await clock.settle();
      cluster.remove(Xca, "default/a");
      await clock.settle();
    });
  } finally {
    await reset();
  }
  const about = lines.filter(({ text }) => text.startsWith("Xca "));
  assert.deepEqual(about.map(({ level, text }) => [level, text.replaceAll('"', "")]), [
    ["info", "Xca default/a is active now"],
    ["debug", "Xca default/a is active already, nothing to do"],
    ["info", "Xca default/a is gone, nothing to do"],
  ]);
  for (const { properties } of about) {
    const { controller, namespace, name } = properties;
    assert.deepEqual([controller, namespace, name], ["xca", "default", "a"]);
  }
});

Deno.test("the manifests have both kinds, the status subresource and the printer columns", () => {
  for (const [crd, kind, plural] of [[xcaCrd, "Xca", "xcas"], [xtlsCrd, "Xtls", "xtls"]] as const) {
    // deno-lint-ignore no-explicit-any -- a manifest is plain data
    const spec = crd.spec as any;
    assert.equal(crd.metadata.name, `${plural}.apps.xca.k8s.kb.cx`);
    assert.deepEqual([spec.scope, spec.names.kind, spec.names.plural], [
      "Namespaced",
      kind,
      plural,
    ]);
    const [version] = spec.versions;
    assert.deepEqual([version.name, version.served, version.storage], ["v1beta1", true, true]);
    assert.deepEqual(version.subresources, { status: {} });
    assert.deepEqual(
      version.additionalPrinterColumns.map((column: Record<string, string>) => [
        column.name,
        column.type,
        column.jsonPath,
      ]),
      [
        ["Foo", "string", ".spec.foo"],
        ["Active", "boolean", ".status.active"],
        ["Last Update", "date", ".status.last_update_time"],
        ["Age", "date", ".metadata.creationTimestamp"],
      ],
    );
    const { status } = version.schema.openAPIV3Schema.properties;
    assert.deepEqual(status.required, ["last_update_time"]);
  }
  assert.deepEqual(xcaOperator.crds, [xcaCrd, xtlsCrd]);
});

Deno.test("the rules grant exactly the operator's documented permissions", () => {
  const apiGroups = ["apps.xca.k8s.kb.cx"];
  assert.deepEqual(xcaRules, [
    {
      apiGroups,
      resources: ["xcas"],
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    },
    { apiGroups, resources: ["xcas/finalizers"], verbs: ["update"] },
    { apiGroups, resources: ["xcas/status"], verbs: ["get", "patch", "update"] },
  ]);
});
