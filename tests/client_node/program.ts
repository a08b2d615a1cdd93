/**
 * Calls an API server with client-node as its users do, in a namespace that it creates, and asserts
 * the results. It is a program, since the library leaves connections open.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  type V1ConfigMap,
  Watch,
} from "@kubernetes/client-node";

async function main(kubeconfig: string, namespace: string): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  await write(core, namespace);
  await watch(config, core, namespace);
  await inform(config, core, namespace);
  await deploy(config, namespace);
}

async function write(core: CoreV1Api, namespace: string): Promise<void> {
  const body = { metadata: { name: "a" }, data: { x: "1" } };
  const created = await core.createNamespacedConfigMap({ namespace, body });
  assert.deepEqual(created.data, { x: "1" });
  const exists = await core.createNamespacedConfigMap({ namespace, body }).catch((error) => error);
  assert(exists instanceof ApiException);
  assert.equal(exists.code, 409);

  created.data = { x: "2" };
  await core.replaceNamespacedConfigMap({ namespace, name: "a", body: created });
  const stale = await core.replaceNamespacedConfigMap({ namespace, name: "a", body: created })
    .catch((error) => error);
  assert(stale instanceof ApiException);
  assert.equal(stale.code, 409);

  const listed = await core.listNamespacedConfigMap({ namespace, labelSelector: "none=1" });
  assert.deepEqual(listed.items, []);
  const gone = await core.readNamespacedConfigMap({ namespace, name: "none" })
    .catch((error) => error);
  assert(gone instanceof ApiException);
  assert.equal(gone.code, 404);
}

async function watch(config: KubeConfig, core: CoreV1Api, namespace: string): Promise<void> {
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  const seen: string[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const controller = await new Watch(config).watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    { resourceVersion: metadata!.resourceVersion },
    (type: string, object: V1ConfigMap) => {
      seen.push(`${type} ${object.metadata!.name}`);
      if (seen.length === 3) resolve();
    },
    () => {},
  );
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "w" } } });
  await core.patchNamespacedConfigMap({
    namespace,
    name: "w",
    body: [{ op: "add", path: "/data", value: { y: "1" } }],
  });
  await core.deleteNamespacedConfigMap({ namespace, name: "w" });
  await enough;
  controller.abort();
  assert.deepEqual(seen, ["ADDED w", "MODIFIED w", "DELETED w"]);
}

async function inform(config: KubeConfig, core: CoreV1Api, namespace: string): Promise<void> {
  const informer = makeInformer(
    config,
    `/api/v1/namespaces/${namespace}/configmaps`,
    () => core.listNamespacedConfigMap({ namespace }),
  );
  const { promise: added, resolve } = Promise.withResolvers<void>();
  informer.on("add", (object) => {
    if (object.metadata!.name === "informed") resolve();
  });
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "informed" } } });
  await added;
  assert.deepEqual(informer.get("informed", namespace)?.metadata?.name, "informed");
  await informer.stop();
}

async function deploy(config: KubeConfig, namespace: string): Promise<void> {
  const apps = config.makeApiClient(AppsV1Api);
  const labels = { app: "web" };
  await apps.createNamespacedDeployment({
    namespace,
    body: {
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "c", image: "nginx" }] },
        },
      },
    },
  });
  const scale = await apps.readNamespacedDeploymentScale({ namespace, name: "web" });
  scale.spec!.replicas = 3;
  await apps.replaceNamespacedDeploymentScale({ namespace, name: "web", body: scale });
  const read = await apps.readNamespacedDeployment({ namespace, name: "web" });
  assert.equal(read.spec!.replicas, 3);
  assert.equal(read.metadata!.generation, 2);

  const objects = KubernetesObjectApi.makeApiClient(config);
  const address = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace },
  };
  await objects.delete(address);
  const gone = await objects.read(address).catch((error) => error);
  assert(gone instanceof ApiException);
  assert.equal(gone.code, 404);
}

const [kubeconfig, namespace] = Deno.args;
await main(kubeconfig!, namespace!);
// deno-lint-ignore no-console -- what the test waits for
console.log("ok");
Deno.exit(0);
