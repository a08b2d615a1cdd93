/** Kinds that the server lacks, and rights that the user lacks, under a manager. */
import assert from "node:assert/strict";
import { ConfigMap, CustomResourceDefinition, Pod, resourceType } from "@xca/apimachinery/meta";
import { ApiServer } from "@xca/apiserver";
import { CollectedLog } from "../../tests/support/faults/collected_log.ts";
import { until } from "../../tests/support/until.ts";
import { CacheReadError } from "../cache/readers/cache_read_error.ts";
import { createClient } from "../client/create_client.ts";
import { UnreachableError } from "../client/errors/unreachable_error.ts";
import { controllerFor } from "../controller/definition/controller_builder.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import { clientOf } from "../testing/embedded_client.ts";
import { FakeClock } from "../testing/fake_clock.ts";
import { findFreePort } from "../testing/free_port.ts";
import { createManager } from "./manager.ts";
import { RunnableError } from "./runnable_error.ts";
import { ownCertificates, webhookServer } from "../webhook/mod.ts";
import { MissingRightError } from "./setup/missing_right_error.ts";

const Gadget = resourceType({
  group: "example.org",
  version: "v1",
  kind: "Gadget",
  plural: "gadgets",
});

const gadgets = {
  metadata: { name: "gadgets.example.org" },
  spec: {
    group: "example.org",
    names: { kind: "Gadget", plural: "gadgets", singular: "gadget", listKind: "GadgetList" },
    scope: "Namespaced" as const,
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    }],
  },
};

Deno.test("F29 in a manager a missing kind waits and is reported, other kinds work, and it recovers by itself", async () => {
  using server = await ApiServer.start();
  const clock = new FakeClock();
  let [tries, unanswered] = [0, 0];
  using client = clientOf(server, {
    clock,
    through: (fetch) => async (request) => {
      if (!new URL(request.url).pathname.endsWith("/gadgets")) return await fetch(request);
      tries++;
      unanswered++;
      return await fetch(request).finally(() => unanswered--);
    },
  });
  const keys: string[] = [];
  const note = ({ key }: { key: string }): void => void keys.push(key);
  const manager = createManager({ client, clock });
  manager.add(defineOperator({
    name: "both",
    controllers: [controllerFor(Gadget).reconcile(note), controllerFor(ConfigMap).reconcile(note)],
  }));
  const running = manager.start();
  await running.ready;
  const gadgetHealth = () => manager.health.caches.find(({ type }) => type === Gadget.id);
  await until(async () => {
    await clock.advance(1_000);
    return gadgetHealth()?.condition === "missing";
  });
  assert.match(gadgetHealth()?.message ?? "", /the server has no gadgets in example.org\/v1/);
  assert.equal(manager.health.ready, false);
  const before = tries;
  const answered = (): Promise<void> =>
    until(() => unanswered === 0, "the server answers in the time of the machine");
  for (let seconds = 0; seconds < 3_600; seconds += 5) {
    await answered();
    await clock.advance(5_000);
  }
  const inAnHour = tries - before;
  assert(inAnHour >= 300 && inAnHour <= 720, `${inAnHour} tries in an hour`);
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "web" } });
  await until(() => keys.includes("default/web"));
  await client.create(CustomResourceDefinition, gadgets);
  await client.create(Gadget, { metadata: { namespace: "default", name: "first" } });
  const late = tries;
  for (let seconds = 0; seconds < 10; seconds++) {
    await answered();
    await clock.advance(1_000);
  }
  assert(tries > late, "the kind is asked for within ten seconds after its definition");
  await until(async () => {
    await clock.advance(1_000);
    return keys.includes("default/first");
  });
  assert.equal(gadgetHealth()?.condition, "synced");
  assert(manager.health.ready);
  await running.stop();
});

Deno.test("manager: a missing kind is compared with its controller when it is installed, and not blamed on rights before", async () => {
  await using log = await CollectedLog.start();
  using server = await ApiServer.start();
  const clock = new FakeClock();
  using client = clientOf(server, { clock });
  let runs = 0;
  const manager = createManager({ client, clock });
  manager.add(defineOperator({
    name: "both",
    controllers: [
      controllerFor(Gadget).reconcile(() => void runs++),
      controllerFor(ConfigMap).reconcile(() => {}),
    ],
  }));
  const running = manager.start();
  let failure: unknown;
  running.done.catch((error) => failure = error);
  await running.ready;
  const synced = () => manager.health.caches.some(({ condition }) => condition === "synced");
  await until(synced);
  await clock.advance(1_000);
  assert.deepEqual(log.messages("warning").filter((text) => text.includes("cannot tell")), []);

  const { spec, ...rest } = gadgets;
  const names = { ...spec.names, kind: "Gizmo", singular: "gizmo", listKind: "GizmoList" };
  await client.create(CustomResourceDefinition, { ...rest, spec: { ...spec, names } });
  await until(async () => {
    await clock.advance(30_000);
    return failure !== undefined;
  });
  assert.match(String(failure), /the server serves it with kind Gizmo, not Gadget/);
  assert.equal(runs, 0);
});

Deno.test("manager: a read of a kind that the server lacks waits for it, and then names the cause", async () => {
  using server = await ApiServer.start();
  const clock = new FakeClock();
  using client = clientOf(server, { clock });
  const manager = createManager({ client, clock });
  await using running = manager.start();
  await running.ready;
  let error: unknown;
  const read = (): void => void manager.cache.list(Gadget).catch((reason) => error = reason);
  read();
  await until(async () => {
    if (!error) await clock.advance(5_000);
    return error !== undefined;
  });
  assert(error instanceof CacheReadError);
  assert.match(
    error.message,
    /^Cannot read gadgets\.v1\.example\.org from the manager's cache: not complete within 120 s: the server has no gadgets/,
  );
  await client.create(CustomResourceDefinition, gadgets);
  const found = manager.cache.list(Gadget);
  let isFound = false;
  void found.then(() => isFound = true);
  await until(async () => {
    await clock.advance(1_000);
    return isFound;
  });
  assert.deepEqual(await found, []);
});

Deno.test("manager: a read of a kind that the server lacks leaves the manager ready", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const port = findFreePort();
  const healthServer = { bindAddress: `127.0.0.1:${port}` };
  const manager = createManager({ client, healthServer });
  manager.add(defineOperator({
    name: "one",
    controllers: [controllerFor(ConfigMap).reconcile(() => {})],
  }));
  await using _running = manager.start();
  await until(() => manager.health.ready);
  const end = new AbortController();
  const read = manager.cache.list(Gadget, { signal: end.signal });
  const gadgetHealth = () => manager.health.caches.find(({ type }) => type === Gadget.id);
  await until(() => gadgetHealth()?.condition === "missing");
  assert.deepEqual(manager.health.caches.map(({ required }) => required), [true, false]);
  assert(manager.health.ready);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  assert.equal(await answer.text(), "ok");

  const handle = manager.add(defineOperator({
    name: "another",
    controllers: [controllerFor(Gadget).reconcile(() => {})],
  }));
  await until(() => gadgetHealth()?.required === true);
  assert(!manager.health.ready);
  await handle.stop();
  await until(() => manager.health.ready);
  end.abort(new Error("enough"));
  await assert.rejects(read, /enough/);
});

Deno.test("manager: a resource that the server serves differently is refused before anything starts", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const wrong = resourceType({ group: "", version: "v1", kind: "pod", plural: "pods" });
  const manager = createManager({ client });
  manager.add(defineOperator({
    name: "wrong",
    controllers: [controllerFor(wrong).reconcile(() => {})],
  }));
  let ran = false;
  manager.add({ name: "server", group: "servers", run: () => Promise.resolve(void (ran = true)) });
  await assert.rejects(
    manager.run(),
    /^RunnableError: Cannot set up wrong: Cannot use resource pods/,
  );
  assert(!ran);
});

Deno.test("manager: a missing right is refused before anything starts, with the rule that grants it", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server, { user: "jane" });
  const manager = createManager({ client, namespaces: ["shop"] });
  manager.add(defineOperator({
    name: "counter",
    controllers: [controllerFor(ConfigMap).owns(Pod).reconcile(() => {})],
  }));
  await assert.rejects(manager.run(), (error) => {
    assert(error instanceof RunnableError);
    assert.equal(
      error.message,
      "Cannot set up counter: the user of this client may not list and watch configmaps in namespace " +
        "shop, nor list and watch pods in namespace shop; grant that by a Role with " +
        '{"apiGroups":[""],"resources":["configmaps"],"verbs":["list","watch"]}, ' +
        '{"apiGroups":[""],"resources":["pods"],"verbs":["list","watch"]}',
    );
    return true;
  });
});

Deno.test("manager: rights of a webhook server that keeps its own certificates are checked before anything starts", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server, { user: "jane" });
  const certificate = ownCertificates({
    client,
    secret: { namespace: "shop", name: "certificate" },
    hosts: ["localhost"],
    targets: { validating: ["guard"] },
  });
  const webhooks = webhookServer({
    operators: [],
    conversions: [],
    certificate,
    hostname: "127.0.0.1",
    port: 0,
  });
  const manager = createManager({ client });
  manager.add(webhooks);
  await assert.rejects(manager.run(), (error) => {
    assert(error instanceof RunnableError);
    assert.match(
      error.message,
      /^Cannot set up webhook server: the user of this client may not create secrets in namespace shop, nor get, update and watch secrets named certificate in namespace shop, nor get, patch and watch validatingwebhookconfigurations\.admissionregistration\.k8s\.io named guard;/,
    );
    return true;
  });
});

Deno.test("manager: rights that controllers declare, and those of a coordinated election, are checked before anything starts", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server, { user: "jane" });
  const controller = controllerFor(ConfigMap)
    .owns(Pod)
    .uses(Pod, ["get"], { names: ["web"] })
    .uses(ConfigMap, ["updateStatus"])
    .reconcile(() => {});
  const manager = createManager({ client, namespaces: ["shop"] });
  manager.add(defineOperator({ name: "counter", controllers: [controller] }));
  await assert.rejects(manager.run(), (error) => {
    assert(error instanceof RunnableError);
    assert(error.cause instanceof MissingRightError);
    assert.deepEqual(
      error.cause.rights.map(({ verbs, type: { plural }, subresource, name, namespace }) =>
        [...verbs, plural, subresource ?? "", name ?? "", namespace].join(" ")
      ),
      [
        "list watch configmaps   shop",
        "list watch pods   shop",
        "get pods  web shop",
        "update configmaps status  shop",
      ],
    );
    assert.match(
      error.message,
      /, nor get pods named web in namespace shop, nor update configmaps\//,
    );
    return true;
  });
  const elected = createManager({
    client,
    name: "web",
    leaderElection: { namespace: "shop", coordinated: { binaryVersion: "1.0.0" } },
  });
  await assert.rejects(
    elected.run(),
    /Cannot set up the leader election: .* may not create leases\..*, nor get and update leases\.coordination\.k8s\.io named web in namespace shop, nor create, delete, get and update leasecandidates\./,
  );
});

Deno.test("manager: a server that can never be reached ends the manager at the start, with the reason", async () => {
  const server = "https://example.invalid";
  const fetch = (): Promise<Response> =>
    Promise.reject(
      new UnreachableError("run it with --allow-net", { server, neverSent: true, mayPass: false }),
    );
  using client = createClient({ server }, { fetch });
  const manager = createManager({ client });
  manager.add(defineOperator({
    name: "counter",
    controllers: [controllerFor(ConfigMap).reconcile(() => {})],
  }));
  await assert.rejects(manager.run(), {
    message: "Cannot set up counter: run it with --allow-net",
  });
});
