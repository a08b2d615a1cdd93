/**
 * Scenarios of volumes, claims and their binding.
 *
 * @module
 */
import type {
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1StorageClass,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  EventsEvent,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";

type ClaimSpec = NonNullable<V1PersistentVolumeClaim["spec"]>;
type VolumeSpec = NonNullable<V1PersistentVolume["spec"]>;

/** A step of a scenario. */
type Step = (stage: Stage) => Promise<unknown>;

/** Returns a scenario that executes steps, waiting for a settled state after each. */
function volumes(name: string, ...steps: readonly Step[]): Scenario {
  return {
    name: `Volumes ${name}`,
    run: async (stage) => {
      for (const step of steps) {
        await step(stage);
        await stage.settle();
      }
    },
  };
}

/** Creates a claim of class `manual` that is named after the namespace. */
function claim(name: string, spec: Partial<ClaimSpec> = {}): Step {
  return ({ client, namespace }) =>
    client.create(PersistentVolumeClaim, {
      metadata: { name, namespace },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: namespace,
        ...spec,
      },
    });
}

/** Creates a volume whose name starts with that of the namespace, which is also its class. */
function volume(name: string, spec: Partial<VolumeSpec> = {}, labels = {}): Step {
  return async (stage) => {
    const { client, namespace } = stage;
    await client.create(PersistentVolume, {
      metadata: { name: `${namespace}-${name}`, labels },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        hostPath: { path: `/${name}` },
        persistentVolumeReclaimPolicy: "Retain",
        storageClassName: namespace,
        ...spec,
      },
    });
    await awaited(stage, `phase of volume ${name}`, async () => {
      const { status } = await client.get(PersistentVolume, `${namespace}-${name}`);
      return status?.phase === "Available" || status?.phase === "Bound";
    });
  };
}

/** Creates the StorageClass of the namespace. */
function storageClass(fields: Partial<V1StorageClass> = {}): Step {
  return ({ client, namespace }) =>
    client.create(StorageClass, {
      metadata: { name: namespace },
      provisioner: "xca.k8s.kb.cx/pretend",
      ...fields,
    });
}

/** Creates a pod that uses a claim. */
function pod(name: string, claimName: string): Step {
  return ({ client, namespace }) =>
    client.create(Pod, {
      metadata: { name, namespace },
      spec: {
        containers: [{ name: "app", image: "app:1" }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
      },
    });
}

/** Creates a pod with a generic ephemeral volume. */
function ephemeralPod(name: string): Step {
  return ({ client, namespace }) =>
    client.create(Pod, {
      metadata: { name, namespace },
      spec: {
        containers: [{ name: "app", image: "app:1" }],
        volumes: [{
          name: "data",
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { labels: { disk: "fast" }, annotations: { note: "scratch" } },
              spec: {
                accessModes: ["ReadWriteOnce"],
                resources: { requests: { storage: "1Gi" } },
                storageClassName: namespace,
              },
            },
          },
        }],
      },
    });
}

/** Deletes a pod of the namespace. */
function removePod(name: string): Step {
  return (stage) => stage.client.delete(Pod, stage.key(name), { gracePeriodSeconds: 0 });
}

/** The number of polls before an awaited state counts as missing. */
const LOOKS = 240;

/**
 * Waits until a function returns true, for up to several of the 15-second resyncs of
 * kube-controller-manager.
 */
async function awaited(stage: Stage, what: string, is: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    if (await is()) return;
    await stage.pass(500);
  }
  throw new Error(`In namespace ${stage.namespace} there is no ${what}`);
}

/** Waits until a claim is bound. */
function bound(name: string): Step {
  return (stage) =>
    awaited(stage, `bound claim ${name}`, async () => {
      const { status } = await stage.client.get(PersistentVolumeClaim, stage.key(name));
      return status?.phase === "Bound";
    });
}

/** Waits until a claim is deleted. */
function gone(name: string): Step {
  return (stage) =>
    awaited(stage, `end of claim ${name}`, async () => {
      const { items } = await stage.client.list(PersistentVolumeClaim, {
        namespace: stage.namespace,
      });
      return items.every(({ metadata }) => metadata.name !== name);
    });
}

/** Waits until an event with a reason is recorded. */
function noted(reason: string): Step {
  return (stage) =>
    awaited(stage, `event ${reason}`, async () => {
      const { items } = await stage.client.list(EventsEvent, { namespace: stage.namespace });
      return items.some((event) => event.reason === reason);
    });
}

/** Deletes a claim of the namespace. */
function removeClaim(name: string): Step {
  return (stage) => stage.client.delete(PersistentVolumeClaim, stage.key(name));
}

/** Deletes a volume of the namespace. */
function removeVolume(name: string): Step {
  return ({ client, namespace }) => client.delete(PersistentVolume, `${namespace}-${name}`);
}

const size = (storage: string) => ({ capacity: { storage } });
const request = (storage: string) => ({ resources: { requests: { storage } } });
const WAITS = { volumeBindingMode: "WaitForFirstConsumer" } as const;

const SCENARIOS: readonly Scenario[] = [
  volumes("static binding", volume("a"), claim("data")),
  volumes("claim before volume", claim("data"), volume("a"), bound("data")),
  volumes("smallest fit", volume("a", size("5Gi")), volume("b", size("2Gi")), claim("data")),
  volumes("too small", volume("a"), claim("data", request("2Gi"))),
  volumes(
    "fewest access modes",
    volume("a", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }),
    volume("b", size("9Gi")),
    claim("data"),
  ),
  volumes("access mode absent", volume("a"), claim("data", { accessModes: ["ReadWriteMany"] })),
  volumes(
    "block mode",
    volume("a"),
    volume("b", { volumeMode: "Block" }),
    claim("data", { volumeMode: "Block" }),
  ),
  volumes(
    "selector",
    volume("a"),
    volume("b", {}, { disk: "fast" }),
    claim("data", { selector: { matchLabels: { disk: "fast" } } }),
  ),
  volumes("ephemeral", storageClass(), ephemeralPod("web"), bound("web-data")),
  volumes(
    "ephemeral and deleted",
    storageClass(),
    ephemeralPod("web"),
    bound("web-data"),
    removePod("web"),
    gone("web-data"),
  ),
  volumes(
    "ephemeral whose name a claim has",
    storageClass(),
    claim("web-data"),
    bound("web-data"),
    ephemeralPod("web"),
    noted("FailedBinding"),
  ),
  volumes("no class", claim("data", { storageClassName: "" })),
  volumes("class absent", claim("data")),
  volumes(
    "no provisioner",
    storageClass({ provisioner: "kubernetes.io/no-provisioner" }),
    claim("data"),
  ),
  volumes("retained", volume("a"), claim("data"), bound("data"), removeClaim("data")),
  volumes(
    "retained and claimed again",
    volume("a"),
    claim("data"),
    bound("data"),
    removeClaim("data"),
    gone("data"),
    claim("data"),
  ),
  volumes(
    "deletion fails",
    volume("a", {
      persistentVolumeReclaimPolicy: "Delete",
      nfs: { server: "none", path: "/" },
      hostPath: undefined as never,
    }),
    claim("data"),
    bound("data"),
    removeClaim("data"),
  ),
  volumes(
    "volume lost",
    volume("a"),
    claim("data"),
    bound("data"),
    removeVolume("a"),
    ({ client, namespace }) =>
      client.patch(
        PersistentVolume,
        `${namespace}-a`,
        mergePatch({ metadata: { finalizers: null } } as never),
      ),
  ),
  volumes(
    "bound volume is protected",
    volume("a"),
    claim("data"),
    bound("data"),
    removeVolume("a"),
  ),
  volumes("free volume is deleted", volume("a"), removeVolume("a")),
  volumes(
    "volume named",
    volume("a"),
    volume("b"),
    (stage) => claim("data", { volumeName: `${stage.namespace}-b` })(stage),
  ),
  volumes(
    "volume named that is absent",
    (stage) => claim("data", { volumeName: `${stage.namespace}-b` })(stage),
  ),
  volumes(
    "volume named that is too small",
    volume("b"),
    (stage) => claim("data", { ...request("3Gi"), volumeName: `${stage.namespace}-b` })(stage),
  ),
  volumes(
    "volume named that is taken",
    volume("b"),
    claim("first"),
    bound("first"),
    (stage) => claim("data", { volumeName: `${stage.namespace}-b` })(stage),
  ),
  volumes(
    "volume reserved",
    (stage) => volume("a", { claimRef: { name: "data", namespace: stage.namespace } })(stage),
    claim("other"),
    claim("data"),
  ),
  volumes(
    "volume reserved, claim gone",
    (stage) => volume("a", { claimRef: { name: "data", namespace: stage.namespace } })(stage),
    claim("data"),
    bound("data"),
    removeClaim("data"),
  ),
  volumes("provisioned", storageClass(), claim("data")),
  volumes(
    "provisioned and deleted",
    storageClass(),
    claim("data"),
    bound("data"),
    removeClaim("data"),
  ),
  volumes(
    "provisioned and retained",
    storageClass({ reclaimPolicy: "Retain" }),
    claim("data"),
    bound("data"),
    removeClaim("data"),
  ),
  volumes("default class", claim("data", { storageClassName: undefined as never })),
  volumes("class added later", claim("data"), storageClass(), bound("data")),
  volumes(
    "claim in use",
    storageClass(),
    claim("data"),
    bound("data"),
    pod("user", "data"),
    removeClaim("data"),
  ),
  volumes(
    "claim in use, then not",
    storageClass(),
    claim("data"),
    bound("data"),
    pod("user", "data"),
    removeClaim("data"),
    (stage) => stage.client.delete(Pod, stage.key("user")),
  ),
  volumes("first consumer absent", storageClass(WAITS), claim("data")),
  volumes(
    "first consumer",
    storageClass(WAITS),
    claim("data"),
    noted("WaitForFirstConsumer"),
    pod("user", "data"),
  ),
  volumes(
    "first consumer of a local volume",
    storageClass({ ...WAITS, provisioner: "kubernetes.io/no-provisioner" }),
    volume("a"),
    claim("data"),
    noted("WaitForFirstConsumer"),
    pod("user", "data"),
  ),
];

/** Reports whether a volume is bound to a claim of a namespace, or named after the namespace. */
function belongsTo({ metadata, spec }: V1PersistentVolume, namespace: string): boolean {
  return spec?.claimRef?.namespace === namespace || metadata.name?.slice(0, -2) === namespace;
}

/** The scenarios of volumes. */
export const VOLUMES: ScenarioArea = {
  name: "volumes",
  kinds: [
    { type: PersistentVolume, belongsTo, varying: ["lastPhaseTransitionTime"] },
    { type: PersistentVolumeClaim },
  ],
  scenarios: SCENARIOS,
};
