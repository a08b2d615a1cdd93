/**
 * Scenarios of ResourceQuotas: the objects that they count, and the changes after which they
 * recount.
 *
 * @module
 */
import type { V1Pod, V1ResourceQuota } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  ConfigMap,
  Deployment,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Secret,
  Service,
} from "../../../lib/apimachinery/meta/mod.ts";
import { isForbidden, mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { create, deployment, podTemplate, SCRIPT } from "./parts.ts";

type Step = (stage: Stage) => Promise<unknown>;
type Spec = NonNullable<V1ResourceQuota["spec"]>;

/**
 * Returns a scenario of a ResourceQuota that executes steps, waiting for a settled state before
 * each.
 */
function limited(name: string, spec: Spec, ...steps: readonly Step[]): Scenario {
  return {
    name: `ResourceQuota ${name}`,
    run: async (stage) => {
      await create(stage, ResourceQuota, { metadata: { name: "quota" }, spec });
      for (const step of steps) {
        await counted(stage);
        await stage.settle();
        await step(stage);
      }
    },
  };
}

/**
 * Waits until the limits of the quota are in its status; until then the API server admits no
 * limited object.
 */
async function counted(stage: Stage): Promise<void> {
  for (;;) {
    const { spec, status } = await stage.client.get(ResourceQuota, stage.key("quota"));
    const names = Object.keys(spec?.hard ?? {});
    if (names.every((name) => status?.hard?.[name] !== undefined)) return;
    await stage.pass(200);
  }
}

function pod(name: string, spec: Partial<V1Pod["spec"]> = {}, script?: unknown): V1Pod {
  const annotations = script ? { [SCRIPT]: JSON.stringify(script) } : {};
  return {
    metadata: { name, annotations },
    spec: { containers: [{ name: "app", image: "app:1" }], ...spec },
  };
}

/** Returns containers of a pod that request resources. */
const asking = (
  requests: Record<string, string>,
  limits: Record<string, string> = {},
): Partial<V1Pod["spec"]> => ({
  containers: [{ name: "app", image: "app:1", resources: { requests, limits } }],
});

const add = (...pods: readonly V1Pod[]): Step => async (stage) => {
  for (const each of pods) {
    try {
      await create(stage, Pod, each);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
};

const remove = (name: string): Step => async ({ client, key }) => {
  await client.delete(Pod, key(name));
};

const change = (hard: Record<string, string | null>): Step => ({ client, namespace }) =>
  client.patch(ResourceQuota, `${namespace}/quota`, mergePatch({ spec: { hard } } as never));

const maps = (count: number): Step => async (stage) => {
  for (let index = 0; index < count; index++) {
    await create(stage, ConfigMap, { metadata: { name: `map-${index}` } });
  }
};

const claim = (name: string, storage: string): Step => (stage) =>
  create(stage, PersistentVolumeClaim, {
    metadata: { name },
    spec: {
      storageClassName: "slow",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage } },
    },
  });

const service = (name: string, type: string): Step => (stage) =>
  create(stage, Service, { metadata: { name }, spec: { type, ports: [{ port: 80 }] } });

const ENDED = { "*": { runMs: 1000 } };
const NEVER: Partial<V1Pod["spec"]> = { restartPolicy: "Never" };

/** The scenarios of the ResourceQuota controller. */
export const RESOURCE_QUOTA: ScenarioArea = {
  name: "resource_quota",
  kinds: [{ type: ResourceQuota }],
  scenarios: [
    limited("of an empty namespace", { hard: { pods: "3", "requests.cpu": "2", memory: "1Gi" } }),
    limited("of pods", { hard: { pods: "2" } }, add(pod("a"), pod("b"), pod("c"))),
    limited("of pods, one deleted", { hard: { pods: "2" } }, add(pod("a"), pod("b")), remove("a")),
    limited(
      "of pods, one ended",
      { hard: { pods: "2", "count/pods": "5" } },
      add(pod("a"), pod("b", NEVER, ENDED)),
      async (stage) => await stage.pass(3000),
      add(pod("c")),
    ),
    limited(
      "of requests and limits",
      { hard: { "requests.cpu": "1", "limits.memory": "1Gi", cpu: "1", "requests.memory": "2Gi" } },
      add(
        pod("a", asking({ cpu: "300m", memory: "100Mi" }, { memory: "200Mi" })),
        pod("b", asking({ cpu: "0.5", memory: "0.5Gi" }, { memory: "512Mi" })),
        pod("c", asking({ cpu: "300m", memory: "1Mi" }, { memory: "1Mi" })),
      ),
      remove("b"),
    ),
    limited("of more pods later", { hard: { pods: "1" } }, add(pod("a")), change({ pods: "3" })),
    limited(
      "of fewer pods than there are",
      { hard: { pods: "3" } },
      add(pod("a"), pod("b")),
      change({ pods: "1" }),
    ),
    limited(
      "of other resources later",
      { hard: { pods: "3", services: "1" } },
      add(pod("a")),
      change({ pods: null, configmaps: "9", "count/deployments.apps": "2" }),
    ),
    {
      name: "ResourceQuota of pods that were there before",
      run: async (stage) => {
        await add(pod("a"), pod("b"))(stage);
        await stage.settle();
        const spec = { hard: { pods: "5", configmaps: "5", secrets: "5" } };
        await create(stage, ResourceQuota, { metadata: { name: "quota" }, spec });
      },
    },
    limited("of ConfigMaps", { hard: { configmaps: "9", "count/configmaps": "9" } }, maps(3)),
    limited(
      "of ConfigMaps, some deleted",
      { hard: { configmaps: "9" } },
      maps(4),
      ({ client, namespace }) => client.delete(ConfigMap, `${namespace}/map-2`),
    ),
    limited(
      "of Secrets",
      { hard: { secrets: "3", "count/secrets": "4" } },
      (stage) => create(stage, Secret, { metadata: { name: "a" } }),
    ),
    limited(
      "of Services",
      { hard: { services: "9", "services.nodeports": "9", "services.loadbalancers": "9" } },
      service("a", "ClusterIP"),
      service("b", "NodePort"),
      service("c", "LoadBalancer"),
    ),
    limited(
      "of Services whose type changes",
      { hard: { services: "9", "services.nodeports": "9", "services.loadbalancers": "9" } },
      service("a", "LoadBalancer"),
      ({ client, namespace }) =>
        client.patch(
          Service,
          `${namespace}/a`,
          mergePatch({ spec: { type: "ClusterIP" } } as never),
        ),
    ),
    limited(
      "of storage",
      {
        hard: {
          persistentvolumeclaims: "9",
          "requests.storage": "10Gi",
          "slow.storageclass.storage.k8s.io/requests.storage": "5Gi",
          "slow.storageclass.storage.k8s.io/persistentvolumeclaims": "5",
          "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "5",
        },
      },
      claim("a", "1Gi"),
      claim("b", "1500Mi"),
    ),
    limited(
      "of storage, one claim deleted",
      { hard: { "requests.storage": "10Gi", persistentvolumeclaims: "9" } },
      claim("a", "1Gi"),
      claim("b", "2Gi"),
      ({ client, namespace }) => client.delete(PersistentVolumeClaim, `${namespace}/a`),
    ),
    limited(
      "of Deployments and their children",
      {
        hard: {
          "count/deployments.apps": "2",
          "count/replicasets.apps": "5",
          "count/endpointslices.discovery.k8s.io": "5",
          pods: "9",
        },
      },
      (stage) => create(stage, Deployment, deployment()),
    ),
    limited(
      "of Deployments, deleted",
      { hard: { "count/deployments.apps": "2", "count/replicasets.apps": "5", pods: "9" } },
      (stage) => create(stage, Deployment, deployment()),
      ({ client, namespace }) => client.delete(Deployment, `${namespace}/web`),
    ),
    limited(
      "that a Deployment meets",
      { hard: { pods: "2" } },
      (stage) => create(stage, Deployment, deployment()),
    ),
    limited(
      "of pods without requests",
      { hard: { pods: "5" }, scopes: ["BestEffort"] },
      add(pod("a"), pod("b", asking({ cpu: "1m" }))),
    ),
    limited(
      "of pods with requests",
      { hard: { pods: "5", "requests.cpu": "1" }, scopes: ["NotBestEffort"] },
      add(pod("a"), pod("b", asking({ cpu: "1m" }))),
    ),
    limited(
      "of pods with a deadline",
      { hard: { pods: "5" }, scopes: ["Terminating"] },
      add(pod("a"), pod("b", { activeDeadlineSeconds: 500 })),
    ),
    limited(
      "of pods that get a deadline",
      { hard: { pods: "5" }, scopes: ["NotTerminating"] },
      add(pod("a"), pod("b")),
      ({ client, namespace }) =>
        client.patch(Pod, `${namespace}/a`, mergePatch({ spec: { activeDeadlineSeconds: 900 } })),
    ),
    limited(
      "of pods by priority",
      {
        hard: { pods: "5" },
        scopeSelector: {
          matchExpressions: [{
            scopeName: "PriorityClass",
            operator: "In",
            values: ["system-cluster-critical"],
          }],
        },
      },
      add(pod("a"), pod("b", { priorityClassName: "system-cluster-critical" })),
    ),
    limited("of a resource that nobody serves", { hard: { "count/nothing.example.com": "2" } }),
    limited("of quotas", { hard: { resourcequotas: "2", "count/resourcequotas": "3" } }),
    {
      name: "ResourceQuota of a Deployment that is scaled",
      run: async (stage) => {
        const spec = { hard: { pods: "4" } };
        await create(stage, ResourceQuota, { metadata: { name: "quota" }, spec });
        await counted(stage);
        const template = podTemplate();
        await create(stage, Deployment, deployment({ template, replicas: 4 }));
        await stage.settle();
        const patch = mergePatch({ spec: { replicas: 1 } });
        await stage.client.patch(Deployment, stage.key("web"), patch);
      },
    },
  ],
};
