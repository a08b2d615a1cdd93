import assert from "node:assert/strict";
import {
  ApiError,
  type Client,
  createClient,
  Deployment,
  mergePatch,
  type ResourceType,
  runOperator,
  Service,
} from "@xca/operator";
import { getScale, retryOnConflict, updateScale } from "@xca/operator/client";
import {
  admit,
  keepConfigurations,
  webhookConfigurationsOf,
  webhookServer,
} from "@xca/operator/webhook";
import { CustomResourceDefinition, type KubeObject, Namespace } from "@xca/operator/meta";
import { CertificateAuthority } from "../lib/apimachinery/pki/mod.ts";
import { planeSuite } from "../tests/real/suite.ts";
import type { Plane } from "../tests/support/planes/plane.ts";
import { until } from "../tests/support/until.ts";
import { Kvdi, kvdiWebhook, type NewKvdi, operator } from "./08_kvdi.ts";

const NAMESPACE = "desktops";
const IMAGE = "registry.example.com/desktop:1";

function desktop(name: string, spec: Partial<Kvdi["spec"]> = {}): NewKvdi {
  return { metadata: { name, namespace: NAMESPACE }, spec: { image: IMAGE, ...spec } };
}

/** Serves the webhooks of the example, and has the API server call them. */
async function serveWebhooks(client: Client): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const authority = await CertificateAuthority.create("webhooks", new Date());
  const pair = await authority.serving("webhooks", ["localhost"], ["127.0.0.1"]);
  const server = stack.use(webhookServer({
    webhooks: [kvdiWebhook],
    certificate: { load: () => Promise.resolve(pair), watch: () => ({ [Symbol.dispose]() {} }) },
    hostname: "127.0.0.1",
    port: 0,
  }));
  await server.setUp(new AbortController().signal);
  const address = { url: `https://127.0.0.1:${server.port}`, caBundle: authority.cert };
  const kept = keepConfigurations({
    client,
    configurations: webhookConfigurationsOf(operator, address),
    removeAtEnd: true,
  });
  const stop = new AbortController();
  const keeping = kept.run(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await keeping;
  });
  await kept.ready;
  return stack.move();
}

/** Installs the definition of the example and its webhooks, and runs its operator. */
async function start(plane: Plane, client: Client): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  await client.create(CustomResourceDefinition, Kvdi.crd);
  await until(() => client.list(Kvdi).then(() => true, () => false));
  await client.create(Namespace, { metadata: { name: NAMESPACE } });
  stack.use(await serveWebhooks(client));
  // The API server learns of the webhooks by a watch.
  const probe = desktop("probe", { port: 3389 });
  await until(async () => /must not be the port of rdp/.test(await refusal(client, probe)));
  const own = stack.use(createClient(plane.config));
  const running = runOperator(operator, { client: own, namespace: NAMESPACE });
  stack.defer(() => running.stop());
  return stack.move();
}

/** Returns the message with which a new desktop is refused; empty if it is not. */
async function refusal(client: Client, object: NewKvdi): Promise<string> {
  try {
    await client.create(Kvdi, object, { dryRun: true });
    return "";
  } catch (error) {
    assert(error instanceof ApiError, String(error));
    return error.message;
  }
}

/** Waits until an object has the expected state, and returns it. */
async function untilIs<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  name: string,
  condition: (object: T) => boolean,
): Promise<T> {
  let found: T | undefined;
  await until(async () => {
    found = await client.get(type, `${NAMESPACE}/${name}`).catch(() => undefined);
    return found !== undefined && condition(found);
  }, () => `${type.kind} ${name} is as expected (it is ${JSON.stringify(found)})`);
  return found!;
}

const suite = planeSuite();

suite.test("example 08: a desktop becomes a Deployment and a Service, and is scaled", async (plane) => {
  const warnings: string[] = [];
  using client = createClient(plane.config, { onWarning: (text) => warnings.push(text) });
  await using _running = await start(plane, client);
  assert.deepEqual(warnings, [], "the API server has no warning about the definition");

  // Defaults of the schema, and of the defaulter.
  const office = await client.create(Kvdi, desktop("office", { protocol: "rdp", homeSize: "2Gi" }));
  assert.deepEqual(office.spec, {
    image: IMAGE,
    replicas: 1,
    protocol: "rdp",
    port: 3389,
    homeSize: "2Gi",
  });
  const deployment = await untilIs(client, Deployment, "office", () => true);
  const [container] = deployment.spec?.template.spec?.containers ?? [];
  assert.equal(container?.image, IMAGE);
  assert.equal(deployment.metadata.ownerReferences?.[0]?.uid, office.metadata.uid);
  const service = await untilIs(client, Service, "office", () => true);
  assert.deepEqual(service.spec?.ports?.map(({ name, port }) => [name, port]), [["rdp", 3389]]);
  assert.deepEqual(service.spec?.selector, deployment.spec?.selector.matchLabels);

  // The scale subresource.
  await retryOnConflict(async () => {
    const one = await getScale(client, Kvdi, `${NAMESPACE}/office`);
    await updateScale(client, Kvdi, { ...one, spec: { replicas: 3 } });
  });
  await untilIs(client, Deployment, "office", ({ spec }) => spec?.replicas === 3);
  const status = { replicas: 3, readyReplicas: 2 };
  await client.patchStatus(Deployment, `${NAMESPACE}/office`, mergePatch({ status }));
  const observed = await untilIs(
    client,
    Kvdi,
    "office",
    (each) => each.status?.readyReplicas === 2,
  );
  assert.equal(observed.status?.address, "rdp://office.desktops.svc:3389");
  const scale = await getScale(client, Kvdi, `${NAMESPACE}/office`);
  assert.deepEqual([scale.spec?.replicas, scale.status?.replicas], [3, 3]);
  assert.equal(
    scale.status?.selector,
    "app.kubernetes.io/name=kvdi,app.kubernetes.io/instance=office",
  );

  // Drift is reverted, and a deleted child returns.
  const patch = mergePatch({ spec: { replicas: 9 } });
  await client.patch(Deployment, `${NAMESPACE}/office`, patch);
  await untilIs(client, Deployment, "office", ({ spec }) => spec?.replicas === 3);
  await client.delete(Service, `${NAMESPACE}/office`);
  await untilIs(client, Service, "office", ({ metadata }) => metadata.uid !== service.metadata.uid);

  // The schema and the validator refuse, and warn.
  assert.match(await refusal(client, desktop("a", { replicas: 51 })), /less than or equal to 50/);
  assert.match(await refusal(client, desktop("a", { port: 443 })), /must not be the port of web/);
  await client.create(Kvdi, desktop("b", { image: "desktop" }), { dryRun: true });
  assert.match(warnings.at(-1)!, /spec.image has no tag/);
  const other = mergePatch({ spec: { protocol: "web" as const } });
  await assert.rejects(
    client.patch(Kvdi, `${NAMESPACE}/office`, other),
    /spec.protocol: Forbidden: users are connected/,
  );
  const keep = { annotations: { "kvdis.example.com/keep": "true" } };
  await client.patch(Kvdi, `${NAMESPACE}/office`, mergePatch({ metadata: keep }));
  await assert.rejects(client.delete(Kvdi, `${NAMESPACE}/office`), /is marked/);
});

Deno.test("example 08: the defaulter and the validator alone, without a server", async () => {
  const spec = { image: IMAGE, replicas: 1, protocol: "web" as const };
  const object: Kvdi = { metadata: { name: "a", namespace: "b" }, spec };
  const allowed = await admit(kvdiWebhook, { object });
  assert.equal(allowed.object?.spec.port, 443);
  const refused = await admit(kvdiWebhook, {
    object: { ...object, spec: { ...spec, port: 5900 } },
  });
  assert.deepEqual(refused.causes.map(({ field }) => field), ["spec.port"]);
});
