/**
 * Tests of OutsideServices in an in-process simulated cluster on virtual time. The registry is an
 * HTTP server on loopback that fails on demand.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mergePatch, Service } from "@xca/operator";
import { EndpointSlice, findCondition, isConditionTrue } from "@xca/operator/meta";
import { OutsideService } from "./outside_service.ts";
import { MANAGED_BY } from "./slices.ts";
import { type Fault, numbered, type Registered, THREE, THREE_ADDRESSES } from "./test_registry.ts";
import { KEY, Rig } from "./test_rig.ts";

Deno.test("example 14: instances become endpoints, by kind of address and with their readiness", async () => {
  await using rig = await Rig.start((registry) =>
    registry.set("orders", [
      { address: "10.0.0.1" },
      { address: "10.0.0.2", state: "draining" },
      { address: "2001:DB8::0:1", state: "down" },
      { address: "orders.example.org" },
      { address: "orders.example.org", state: "down" },
    ])
  );
  await rig.becomes(async () => (await rig.slices()).length, 3);
  const service = await rig.service();
  assert.equal(service.spec?.selector, undefined);
  assert.deepEqual(service.spec?.ports?.map(({ port, targetPort }) => [port, targetPort]), [
    [80, 8080],
  ]);
  const slices = await rig.slices();
  assert.deepEqual(
    slices.map(({ metadata, addressType, endpoints }) => [
      metadata?.name,
      addressType,
      ...(endpoints ?? []).map(({ addresses, conditions = {} }) =>
        [addresses[0], conditions.ready, conditions.serving, conditions.terminating].join(" ")
      ),
    ]),
    [
      ["orders-fqdn-1", "FQDN", "orders.example.org true true false"],
      ["orders-ipv4-1", "IPv4", "10.0.0.1 true true false", "10.0.0.2 false true true"],
      ["orders-ipv6-1", "IPv6", "2001:db8::1 false false false"],
    ],
  );
  for (const { metadata, ports } of slices) {
    assert.equal(metadata?.labels?.["endpointslice.kubernetes.io/managed-by"], MANAGED_BY);
    assert.deepEqual(ports, [{ name: "http", port: 8080, protocol: "TCP" }]);
  }
  await rig.isDegraded(undefined);
  await rig.becomes(async () => (await rig.outside()).status?.ready, 2);
  const { status } = await rig.outside();
  assert.equal(status?.endpoints, 4);
  assert(isConditionTrue(status?.conditions, "Ready"));
});

Deno.test("example 14: a change reaches the cluster by the long poll, as a write of one slice", async () => {
  await using rig = await Rig.start((registry) => registry.set("orders", numbered(1, 250)));
  const sizes = async () => (await rig.slices()).map(({ endpoints }) => endpoints?.length);
  await rig.becomes(sizes, [100, 100, 50]);
  await rig.becomes(async () => (await rig.outside()).status?.ready, 250);
  await rig.writes(() => {}, [], "nothing has changed");
  const [, second] = await rig.slices();
  const [gone] = second!.endpoints![50]!.addresses;
  const without = numbered(1, 250).filter(({ address }) => address !== gone);
  const slice = "patch endpointslices/orders-ipv4-2";
  const status = "patch outsideservices/orders/status";
  const set = (instances: readonly Registered[]) => () => rig.registry.set("orders", instances);
  await rig.writes(set(without), [slice, status]);
  await rig.writes(
    set([...without, { address: "10.9.9.9" }]),
    [slice, status],
    "the gap is filled",
  );
  assert.deepEqual(await sizes(), [100, 100, 50]);
  const [first] = await rig.slices();
  await rig.writes(set(first!.endpoints!.map(({ addresses: [address] }) => ({ address }))), [
    "delete endpointslices/orders-ipv4-2",
    "delete endpointslices/orders-ipv4-3",
    status,
  ]);
  await rig.writes(() => rig.registry.set("billing", THREE), [], "it is another service");
});

Deno.test("example 14: a registry without long polls is asked once a second", async () => {
  await using rig = await Rig.start((registry) => {
    registry.isSimple = true;
    registry.set("orders", THREE);
  });
  await rig.has(THREE_ADDRESSES);
  const { polls } = rig.registry;
  await rig.pass(20);
  assert(rig.registry.polls - polls <= 21, `${rig.registry.polls - polls} polls`);
  rig.registry.set("orders", numbered(1, 2));
  await rig.has(THREE_ADDRESSES.slice(0, 2));
});

const FAULTS: readonly [Fault | "address", string][] = [
  ["refuse", "RegistryUnreachable"],
  ["hang", "RegistryUnreachable"],
  ["cut", "RegistryUnreachable"],
  ["damage", "InvalidAnswer"],
  ["address", "InvalidAnswer"],
];

for (const [fault, reason] of FAULTS) {
  Deno.test(`example 14: a registry that fails (${fault}) changes no endpoint, also after a restart, and recovers`, async () => {
    await using rig = await Rig.start((registry) => registry.set("orders", THREE));
    await rig.has(THREE_ADDRESSES);
    if (fault === "address") rig.registry.set("orders", [{ address: "10.0.0.256" }]);
    else rig.registry.fault = fault;
    rig.registry.release();
    await rig.isDegraded(reason);
    await rig.process.stop();
    rig.process.start();
    await rig.pass(60);
    assert.deepEqual(await rig.addresses(), THREE_ADDRESSES);
    assert.equal((await rig.reasons()).filter((each) => each === reason).length, 1);
    rig.registry.fault = undefined;
    rig.registry.set("orders", numbered(1, 2));
    await rig.has(THREE_ADDRESSES.slice(0, 2));
    await rig.isDegraded(undefined);
  });
}

for (const empty of [[], undefined]) {
  const what = empty ? "no instance" : "no such service";
  Deno.test(`example 14: ${what} is believed only when it has lasted, also across a restart`, async () => {
    await using rig = await Rig.start((registry) => registry.set("orders", THREE));
    await rig.has(THREE_ADDRESSES);
    rig.registry.set("orders", empty);
    await rig.isDegraded("EmptyAnswer");
    await rig.pass(30);
    assert.deepEqual(await rig.addresses(), THREE_ADDRESSES);
    rig.registry.set("orders", THREE);
    await rig.becomes(async () => (await rig.outside()).status?.emptySince, undefined);
    rig.registry.set("orders", empty);
    await rig.isDegraded("EmptyAnswer");
    await rig.pass(30);
    await rig.process.stop();
    rig.process.start();
    await rig.pass(15);
    assert.deepEqual(await rig.addresses(), THREE_ADDRESSES);
    await rig.has([]);
    await rig.isDegraded("NoReadyInstance");
    const { status } = await rig.outside();
    assert.deepEqual([status?.endpoints, status?.emptySince], [0, undefined]);
  });
}

Deno.test("example 14: an address that the API server refuses is named in the condition", async () => {
  await using rig = await Rig.start((registry) => registry.set("orders", THREE));
  await rig.has(THREE_ADDRESSES);
  rig.registry.set("orders", [...THREE, { address: "127.0.0.1" }]);
  await rig.isDegraded("Refused");
  const { status } = await rig.outside();
  assert.match(findCondition(status?.conditions, "Degraded")?.message ?? "", /loopback/);
  assert.deepEqual(await rig.addresses(), THREE_ADDRESSES);
});

Deno.test("example 14: what others change or delete is put right, and goes with the OutsideService", async () => {
  await using rig = await Rig.start((registry) => registry.set("orders", THREE));
  const { client } = rig.cluster;
  await rig.has(THREE_ADDRESSES);
  await client.delete(EndpointSlice, "default/orders-ipv4-1");
  await rig.has(THREE_ADDRESSES);
  await client.patch(EndpointSlice, "default/orders-ipv4-1", mergePatch({ endpoints: [] }));
  await rig.has(THREE_ADDRESSES);
  const ports = [{ name: "grpc", port: 90, targetPort: 9090 }];
  await client.patch(OutsideService, KEY, mergePatch({ spec: { ports } }));
  await rig.becomes(async () => (await rig.service()).spec?.ports?.map(({ port }) => port), [90]);
  await rig.becomes(async () => (await rig.slices()).map(({ ports }) => ports?.[0]?.port), [9090]);
  await client.delete(OutsideService, KEY);
  await rig.has([]);
  await rig.becomes(async () => {
    const { items } = await client.list(Service, { fieldSelector: "metadata.name=orders" });
    return items.length;
  }, 0);
});
