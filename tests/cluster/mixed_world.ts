/**
 * A cluster with mixed workloads on a virtual clock, whose runs are compared: workloads, a
 * schedule, volumes, an autoscaler, a failing node, and a user's operator. As a program it prints
 * the run of a seed.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { seededRandom } from "../../lib/apimachinery/base/mod.ts";
import {
  ConfigMap,
  Deployment,
  Namespace,
  Node,
  Pod,
  StatefulSet,
} from "../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../lib/client/mod.ts";
import {
  applyChild,
  controllerFor,
  defineOperator,
  runOperator,
} from "../../lib/controller/mod.ts";
import { ApiServer, clientOf, expectObject, FakeClock } from "../../lib/testing/mod.ts";

const pod = (app: string, script: object): string => `
    metadata:
      labels: { app: ${app} }
      annotations: { kubelet.xca.k8s.kb.cx/script: '${JSON.stringify({ "*": script })}' }
    spec:
      containers:
      - { name: app, image: "app:1", resources: { requests: { cpu: 100m } } }
`;

const MANIFESTS = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template: ${pod("web", { readyAfterMs: 1500, cpu: "80m" })}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 2
  maxReplicas: 6
  metrics:
  - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: store }
spec:
  serviceName: store
  replicas: 3
  selector: { matchLabels: { app: store } }
  template: ${pod("store", { readyAfterMs: 700 })}
  volumeClaimTemplates:
  - metadata: { name: data }
    spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Service
metadata: { name: store }
spec: { clusterIP: None, selector: { app: store }, ports: [{ port: 80 }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: store }
spec: { minAvailable: 2, selector: { matchLabels: { app: store } } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: tick }
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      backoffLimit: 1
      template:
        metadata:
          annotations: { kubelet.xca.k8s.kb.cx/script: '{ "*": { "runMs": 2000, "exitCode": 1 } }' }
        spec: { restartPolicy: Never, containers: [{ name: tick, image: "tick:1" }] }
`;

/** The controller of a user's operator, which keeps a ConfigMap with the state of each pod. */
const noter = controllerFor(Pod).named("noter").owns(ConfigMap).reconcile(async (context) => {
  const pod = context.cache.get(Pod, context.key);
  if (!pod || pod.metadata.deletionTimestamp !== undefined) return;
  const { phase = "", podIP = "" } = pod.status ?? {};
  const note = { metadata: { name: `note-${context.name}` }, data: { phase, podIP } };
  const owner = { type: Pod, object: pod };
  await applyChild(context, ConfigMap, note, { owner, fieldManager: "noter" });
});

/** An API server that records the time, method, path and body digest of each request. */
class RecordedServer extends ApiServer {
  readonly lines: string[] = [];

  override async fetch(...[request, peer]: Parameters<ApiServer["fetch"]>): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const asked = `${this.clock.now().toISOString()} ${request.method} ${pathname}${search}`;
    const body = request.body === null ? "" : await request.clone().text();
    const response = await super.fetch(request, peer);
    const digest = createHash("sha256").update(body).digest("hex");
    this.lines.push(`${asked} ${digest} ${response.status}`);
    return response;
  }
}

/** The resources whose final objects are part of a run's output. */
const COLLECTIONS = [
  "/api/v1/configmaps",
  "/api/v1/events",
  "/api/v1/nodes",
  "/api/v1/persistentvolumes",
  "/api/v1/pods",
  "/api/v1/serviceaccounts",
  "/apis/apps/v1/controllerrevisions",
  "/apis/apps/v1/deployments",
  "/apis/apps/v1/replicasets",
  "/apis/apps/v1/statefulsets",
  "/apis/autoscaling/v2/horizontalpodautoscalers",
  "/apis/batch/v1/cronjobs",
  "/apis/batch/v1/jobs",
  "/apis/coordination.k8s.io/v1/leases",
  "/apis/discovery.k8s.io/v1/endpointslices",
];

/**
 * Plays the scenario of a seed; returns its requests, its audit log and its final objects, line by
 * line.
 */
export async function playMixedWorld(seed: number): Promise<string[]> {
  const audit: string[] = [];
  const clock = new FakeClock();
  const random = seededRandom(seed);
  const options = {
    controllers: ["*"],
    clock,
    random,
    audit: (line: string) => void audit.push(line.trimEnd()),
  };
  await using server = await RecordedServer.start(options) as RecordedServer;
  using client = clientOf(server);
  const operator = defineOperator({ name: "noter", controllers: [noter] });
  await using running = runOperator(operator, { client, clock, random });
  await server.seed(MANIFESTS);
  await expectObject(server, StatefulSet, "default/store", { status: { readyReplicas: 3 } });
  const containers = [{ name: "app", image: "app:2" }];
  await client.patch(Deployment, "default/web", {
    type: "strategic",
    body: { spec: { template: { spec: { containers } } } },
  } as never);
  await clock.advance(60_000);
  const annotations = { "kubelet.xca.k8s.kb.cx/pretend": null };
  await client.patch(Node, "node-2", mergePatch({ metadata: { annotations } } as never));
  await clock.advance(7 * 60_000);
  await client.create(Namespace, { metadata: { name: "team" } });
  await client.patch(StatefulSet, "default/store", mergePatch({ spec: { replicas: 1 } }));
  await clock.advance(30_000);
  await client.delete(Namespace, "team");
  await client.delete(Deployment, "default/web", { propagationPolicy: "Foreground" });
  await clock.advance(30_000);
  await running.stop();
  const lines = [...server.lines];
  for (const path of COLLECTIONS) {
    const response = await server.fetch(new Request(`https://embedded.invalid${path}`));
    const { items } = await response.json();
    lines.push(...items.map((item: unknown) => `${path} ${JSON.stringify(item)}`));
  }
  return [...lines, ...audit];
}

if (import.meta.main) {
  const lines = await playMixedWorld(Number(Deno.args[0] ?? 1));
  await new Blob([lines.join("\n")]).stream().pipeTo(Deno.stdout.writable);
}
