import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const suite = conformanceSuite(import.meta.url);

/** The addresses are few and the real server is shared: each case gives its own back. */
function conformance(name: string, run: (target: Target) => Promise<void>): void {
  suite(name, async (t) => {
    try {
      await run(t);
    } finally {
      const { body } = await t.get(t.path("services"), { unrecorded: true });
      for (const { metadata } of body.items) {
        await t.delete(t.path(`services/${metadata.name}`), undefined, { unrecorded: true });
      }
    }
  });
}

const ports = [{ port: 80 }];
const service = (spec: unknown, name = "a") => ({ metadata: { name }, spec });

conformance("a service gets defaults and an address", async (t) => {
  const { code, body } = await t.post(t.path("services"), service({ ports }));
  assert.equal(code, 201);
  assert.deepEqual(body.spec.clusterIPs, [body.spec.clusterIP]);
  await t.get(t.path("services/a"));
});

conformance("a service without ports is refused", async (t) => {
  const { code } = await t.post(t.path("services"), service({}));
  assert.equal(code, 422);
});

conformance("a headless service has no address", async (t) => {
  const { body } = await t.post(
    t.path("services"),
    service({ clusterIP: "None", selector: { a: "b" } }),
  );
  assert.equal(body.spec.clusterIP, "None");
});

conformance("a headless service without selector has both families", async (t) => {
  const { body } = await t.post(t.path("services"), service({ clusterIP: "None" }));
  assert.equal(body.spec.ipFamilyPolicy, "RequireDualStack");
});

conformance("a node port is allocated", async (t) => {
  const { body } = await t.post(t.path("services"), service({ type: "NodePort", ports }));
  assert(body.spec.ports[0].nodePort >= 30000);
});

conformance("a load balancer gets node ports unless told", async (t) => {
  await t.post(t.path("services"), service({ type: "LoadBalancer", ports }));
  const { body } = await t.post(
    t.path("services"),
    service({ type: "LoadBalancer", ports, allocateLoadBalancerNodePorts: false }, "b"),
  );
  assert.equal(body.spec.ports[0].nodePort, undefined);
});

conformance("a local load balancer gets a port for health checks", async (t) => {
  t.mask(/(?<="healthCheckNodePort":)\d+/, "0");
  const { body } = await t.post(
    t.path("services?fieldManager=x"),
    service({
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      ports,
      healthCheckNodePort: 30021,
    }),
  );
  assert.equal(body.spec.healthCheckNodePort, 30021);
  const changed = await t.patch("merge", t.path("services/a"), {
    spec: { healthCheckNodePort: 30022 },
  });
  assert.equal(changed.code, 422);
  const cluster = await t.patch("merge", t.path("services/a"), {
    spec: { externalTrafficPolicy: "Cluster" },
  });
  assert.equal(cluster.body.spec.healthCheckNodePort, undefined);
});

conformance("a name of something outside has no address", async (t) => {
  const { body } = await t.post(
    t.path("services"),
    service({ type: "ExternalName", externalName: "example.com." }),
  );
  assert.equal(body.spec.clusterIP, undefined);
});

conformance("a name of something outside is needed and checked", async (t) => {
  await t.post(t.path("services"), service({ type: "ExternalName" }));
  await t.post(t.path("services"), service({ type: "ExternalName", externalName: "No_Name" }));
  const { code } = await t.post(
    t.path("services"),
    service({ type: "ExternalName", externalName: "a", clusterIP: "10.0.0.12" }),
  );
  assert.equal(code, 422);
});

conformance("an unknown type is refused", async (t) => {
  const { code } = await t.post(t.path("services"), service({ type: "Other", ports }));
  assert.equal(code, 422);
});

conformance("ports are checked", async (t) => {
  const refused = [
    [{ port: 0 }],
    [{ port: 70000, protocol: "ICMP" }],
    [{ port: 1 }, { port: 2 }],
    [{ name: "a", port: 1 }, { name: "a", port: 2 }],
    [{ name: "A.b", port: 1 }],
    [{ name: "a", port: 1 }, { name: "b", port: 1 }],
    [{ port: 1, targetPort: "no-such-long-port-name" }],
    [{ port: 1, targetPort: "1" }],
    [{ port: 1, targetPort: 100000 }],
    [{ port: 1, appProtocol: "no/pro/tocol" }],
    [{ port: 1, nodePort: 30023 }],
  ];
  for (const each of refused) {
    const { code } = await t.post(t.path("services"), service({ ports: each }));
    assert.equal(code, 422);
  }
});

conformance("one number serves several protocols", async (t) => {
  const { body } = await t.post(
    t.path("services"),
    service({
      type: "NodePort",
      ports: [{ name: "t", port: 53 }, { name: "u", port: 53, protocol: "UDP" }],
    }),
  );
  assert.equal(body.spec.ports[0].nodePort, body.spec.ports[1].nodePort);
});

conformance("a node port that is taken is refused", async (t) => {
  const spec = { type: "NodePort", ports: [{ port: 80, nodePort: 30024 }] };
  await t.post(t.path("services"), service(spec));
  const { code } = await t.post(t.path("services"), service(spec, "b"));
  assert.equal(code, 422);
});

conformance("a node port out of range is refused", async (t) => {
  const spec = { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] };
  const { code } = await t.post(t.path("services"), service(spec));
  assert.equal(code, 422);
});

conformance("the same node port twice is refused", async (t) => {
  const { code } = await t.post(
    t.path("services"),
    service({
      type: "NodePort",
      ports: [{ name: "a", port: 80, nodePort: 30025 }, { name: "b", port: 81, nodePort: 30025 }],
    }),
  );
  assert.equal(code, 422);
});

conformance("an address that was asked for is given", async (t) => {
  const { body } = await t.post(t.path("services"), service({ ports, clusterIP: "10.0.0.13" }));
  assert.equal(body.spec.clusterIP, "10.0.0.13");
});

conformance("an address that is taken is refused", async (t) => {
  await t.post(t.path("services"), service({ ports, clusterIP: "10.0.0.14" }));
  const { code } = await t.post(
    t.path("services"),
    service({ ports, clusterIP: "10.0.0.14" }, "b"),
  );
  assert.equal(code, 422);
});

conformance("an address is free again after the deletion", async (t) => {
  await t.post(t.path("services"), service({ ports, clusterIP: "10.0.0.15" }));
  await t.delete(t.path("services/a"));
  const { code } = await t.post(
    t.path("services"),
    service({ ports, clusterIP: "10.0.0.15" }, "b"),
  );
  assert.equal(code, 201);
});

conformance("addresses out of range are refused", async (t) => {
  for (const clusterIP of ["10.1.0.1", "10.0.0.0", "10.0.0.255", "10.0.0", "fd00::1"]) {
    const { code } = await t.post(t.path("services"), service({ ports, clusterIP }));
    assert.equal(code, 422);
  }
});

conformance("clusterIP and clusterIPs agree", async (t) => {
  const refused = [
    { clusterIPs: ["10.0.0.6"] },
    { clusterIP: "10.0.0.6", clusterIPs: ["10.0.0.7"] },
    { clusterIP: "10.0.0.6", clusterIPs: ["10.0.0.6", "10.0.0.7"] },
    { clusterIP: "None", clusterIPs: ["None", "10.0.0.6"] },
  ];
  for (const each of refused) {
    const { code } = await t.post(t.path("services"), service({ ports, ...each }));
    assert.equal(code, 422);
  }
});

conformance("a cluster of one family has no second", async (t) => {
  const refused = [
    { ipFamilies: ["IPv6"] },
    { ipFamilies: ["IPv4", "IPv6"] },
    { ipFamilies: ["IPv4", "IPv4"], ipFamilyPolicy: "PreferDualStack" },
    { ipFamilies: ["IPX"] },
    { ipFamilyPolicy: "RequireDualStack" },
    { ipFamilyPolicy: "Other" },
  ];
  for (const each of refused) {
    const { code } = await t.post(t.path("services"), service({ ports, ...each }));
    assert.equal(code, 422);
  }
  const { code } = await t.post(
    t.path("services"),
    service({ ports, ipFamilyPolicy: "PreferDualStack" }),
  );
  assert.equal(code, 201);
});

conformance("an address stays", async (t) => {
  await t.post(t.path("services"), service({ ports, clusterIP: "10.0.0.3" }));
  const { code } = await t.patch("merge", t.path("services/a"), {
    spec: { clusterIP: "10.0.0.4" },
  });
  assert.equal(code, 422);
  await t.patch("merge", t.path("services/a"), { spec: { clusterIP: "None" } });
  await t.patch("merge", t.path("services/a"), { spec: { ipFamilies: ["IPv6"] } });
});

conformance("an update that leaves allocated values out keeps them", async (t) => {
  const { body } = await t.post(t.path("services"), service({ type: "NodePort", ports }));
  const updated = await t.put(t.path("services/a"), service({ type: "NodePort", ports }));
  assert.equal(updated.code, 200);
  assert.deepEqual(updated.body.spec, body.spec);
});

conformance("a service changes its type and keeps what fits", async (t) => {
  await t.post(t.path("services"), service({ type: "LoadBalancer", ports }));
  const types = ["NodePort", "ClusterIP"];
  for (const type of types) {
    const { body } = await t.patch("merge", t.path("services/a"), { spec: { type } });
    assert.equal(body.spec.type, type);
  }
  const named = await t.patch("merge", t.path("services/a"), {
    spec: { type: "ExternalName", externalName: "example.com" },
  });
  assert.equal(named.body.spec.clusterIP, undefined);
  const back = await t.patch("merge", t.path("services/a"), {
    spec: { type: "ClusterIP", externalName: null },
  });
  assert.match(back.body.spec.clusterIP, /^10\.0\.0\./);
});

conformance("a node port is free again after a change of type", async (t) => {
  const nodePorts = [{ port: 80, nodePort: 30026 }];
  await t.post(t.path("services"), service({ type: "NodePort", ports: nodePorts }));
  await t.patch("merge", t.path("services/a"), { spec: { type: "ClusterIP" } });
  const { code } = await t.post(
    t.path("services"),
    service({ type: "NodePort", ports: nodePorts }, "b"),
  );
  assert.equal(code, 201);
});

conformance("session affinity has a time, within a day", async (t) => {
  await t.post(t.path("services"), service({ ports, sessionAffinity: "ClientIP" }));
  await t.post(t.path("services"), service({ ports, sessionAffinity: "Other" }, "b"));
  for (const timeoutSeconds of [0, 86401]) {
    await t.post(
      t.path("services"),
      service({
        ports,
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds } },
      }, "b"),
    );
  }
  const { body } = await t.post(
    t.path("services"),
    service({ ports, sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }, "b"),
  );
  assert.equal(body.spec.sessionAffinityConfig, undefined);
});

conformance("fields of load balancers belong to load balancers", async (t) => {
  const refused = [
    { allocateLoadBalancerNodePorts: true },
    { loadBalancerClass: "example.com/a" },
    { loadBalancerSourceRanges: ["10.0.0.0/8"] },
    { externalTrafficPolicy: "Local" },
    { healthCheckNodePort: 30027 },
    { type: "LoadBalancer", clusterIP: "None" },
    { type: "NodePort", clusterIP: "None" },
    { type: "LoadBalancer", loadBalancerClass: "no class" },
    { type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.1/8", "x", "010.0.0.0/8"] },
  ];
  for (const each of refused) {
    const { code } = await t.post(t.path("services"), service({ ports, ...each }));
    assert.equal(code, 422);
  }
});

conformance("policies of traffic are checked", async (t) => {
  const refused = [
    { internalTrafficPolicy: "Other" },
    { type: "NodePort", externalTrafficPolicy: "Other" },
    { trafficDistribution: "Other" },
    { selector: { "no key": "no value!" } },
  ];
  for (const each of refused) {
    const { code } = await t.post(t.path("services"), service({ ports, ...each }));
    assert.equal(code, 422);
  }
});

conformance("external addresses are checked and warned of", async (t) => {
  const { code } = await t.post(t.path("services"), service({ ports, externalIPs: ["192.0.2.1"] }));
  assert.equal(code, 201);
  for (const address of ["127.0.0.1", "0.0.0.0", "169.254.1.1", "224.0.0.1", "x", "192.0.02.1"]) {
    await t.post(t.path("services"), service({ ports, externalIPs: [address] }, "b"));
  }
  await t.post(t.path("services"), service({ ports, externalIPs: ["2001:DB8::0001"] }, "b"));
});

conformance("fields without effect are warned of", async (t) => {
  await t.post(
    t.path("services"),
    service({ ports, externalName: "example.com", trafficDistribution: "PreferClose" }),
  );
  await t.post(
    t.path("services"),
    service({ clusterIP: "None", externalIPs: ["192.0.2.1"], sessionAffinity: "ClientIP" }, "b"),
  );
  const { code } = await t.post(t.path("services"), {
    metadata: {
      name: "c",
      annotations: { "service.kubernetes.io/topology-aware-hints": "auto" },
    },
    spec: { ports },
  });
  assert.equal(code, 201);
});

conformance("the status is written apart, and only for load balancers", async (t) => {
  const { body } = await t.post(t.path("services"), {
    ...service({ type: "LoadBalancer", ports }),
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  assert.deepEqual(body.status, { loadBalancer: {} });
  const written = await t.patch("merge", t.path("services/a/status"), {
    spec: { selector: { not: "here" } },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }, { hostname: "example.com" }] } },
  });
  assert.equal(written.body.status.loadBalancer.ingress[0].ipMode, "VIP");
  for (
    const ingress of [{ ip: "x" }, { hostname: "192.0.2.1" }, { hostname: "a", ipMode: "VIP" }]
  ) {
    await t.patch("merge", t.path("services/a/status"), {
      status: { loadBalancer: { ingress: [ingress] } },
    });
  }
  await t.post(t.path("services"), service({ ports }, "b"));
  const other = await t.patch("merge", t.path("services/b/status"), {
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  assert.equal(other.code, 422);
});

conformance("the status goes with the type", async (t) => {
  await t.post(t.path("services"), service({ type: "LoadBalancer", ports }));
  await t.patch("merge", t.path("services/a/status"), {
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  const { body } = await t.patch("merge", t.path("services/a"), { spec: { type: "ClusterIP" } });
  assert.deepEqual(body.status, { loadBalancer: {} });
});

conformance("a PUT creates a service", async (t) => {
  const { code } = await t.put(t.path("services/a"), service({ ports }));
  assert.equal(code, 201);
});

conformance("a dry run allocates nothing", async (t) => {
  const path = t.path("services?dryRun=All");
  const { code } = await t.post(path, service({ ports, clusterIP: "10.0.0.5" }));
  assert.equal(code, 201);
  await t.post(path, service({ ports }));
  const taken = await t.post(t.path("services"), service({ ports, clusterIP: "10.0.0.5" }));
  assert.equal(taken.code, 201);
});

conformance("services are selected by address and type", async (t) => {
  await t.post(t.path("services"), service({ clusterIP: "None" }));
  await t.post(t.path("services"), service({ ports }, "b"));
  const headless = await t.get(t.path("services?fieldSelector=spec.clusterIP=None"));
  assert.equal(headless.body.items.length, 1);
  const all = await t.get(t.path("services?fieldSelector=spec.type=ClusterIP"));
  assert.equal(all.body.items.length, 2);
  const { code } = await t.get(t.path("services?fieldSelector=spec.ports=1"));
  assert.equal(code, 400);
});

conformance("a service's name is a label", async (t) => {
  const { code } = await t.post(t.path("services"), service({ ports }, "a.b"));
  assert.equal(code, 422);
});

conformance("a deleted service is answered", async (t) => {
  await t.post(t.path("services"), service({ clusterIP: "None" }));
  const { body } = await t.delete(t.path("services/a"));
  assert.equal(body.kind, "Service");
});

conformance("the endpoints of a deleted service stay", async (t) => {
  await t.post(t.path("services"), service({ clusterIP: "None" }));
  await t.post(t.path("endpoints"), { metadata: { name: "a" } });
  await t.post(t.path("endpoints"), { metadata: { name: "b" } });
  await t.delete(t.path("services/a"));
  const { body } = await t.get(t.path("endpoints"));
  assert.equal(body.items.length, 2);
});

conformance("what the server allocates belongs to nobody", async (t) => {
  t.managedFields = true;
  await t.post(t.path("services?fieldManager=maker"), service({ type: "NodePort", ports }));
  const { code } = await t.patch("apply", t.path("services/a?fieldManager=applier&force=true"), {
    apiVersion: "v1",
    kind: "Service",
    ...service({ type: "NodePort", ports: [{ port: 80, protocol: "TCP", name: "http" }] }),
  });
  assert.equal(code, 200);
  await t.patch("merge", t.path("services/a/status?fieldManager=reporter"), {
    status: { conditions: [] },
  });
});

conformance("a service is applied with an address, which stays", async (t) => {
  const applied = (clusterIP: string) => ({
    apiVersion: "v1",
    kind: "Service",
    ...service({ clusterIP, ports }),
  });
  const path = t.path("services/a?fieldManager=applier");
  const { code } = await t.patch("apply", path, applied("10.0.0.8"));
  assert.equal(code, 201);
  const changed = await t.patch("apply", path, applied("10.0.0.9"));
  assert.equal(changed.code, 422);
});

conformance("a PUT of the status of a service creates it, without allocation", async (t) => {
  await t.put(t.path("services/a/status"), service({ ports }));
  const { code } = await t.put(
    t.path("services/a/status"),
    service({ type: "ExternalName", externalName: "example.com" }),
  );
  assert.equal(code, 200);
  const { body } = await t.get(t.path("services/a"));
  assert.equal(body.spec.clusterIP, undefined);
});

conformance("metadata of a changed service are complained of once", async (t) => {
  await t.post(t.path("services"), service({ clusterIP: "None" }));
  const { body } = await t.patch("merge", t.path("services/a"), {
    metadata: { annotations: { "Not OK": "x" }, finalizers: ["odd"] },
  });
  assert.equal(body.reason, "Invalid");
});

conformance("a service without a name gets no address", async (t) => {
  await t.post(t.path("services"), { spec: { ports } });
  await t.post(t.path("services"), { spec: { ports, clusterIP: "10.0.0.10" } });
  await t.post(t.path("services"), { spec: { clusterIP: "None" } });
  const { code } = await t.post(t.path("services?dryRun=All"), { spec: { ports } });
  assert.equal(code, 422);
});
