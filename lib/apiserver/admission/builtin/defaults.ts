// Mirrors `storage/storageobjectinuseprotection/admission.go, storageProtectionPlugin.Admit`.

/**
 * Admission plugins that set defaults in new objects: finalizers that protect storage in use,
 * default storage and ingress classes, and the not-ready taint of new nodes.
 *
 * @module
 */
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { ApiObject, GroupResource } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import { concerns } from "../attributes.ts";

type Spec = Record<string, unknown>;

function specOf(object: ApiObject): Spec {
  return (object["spec"] ??= {}) as Spec;
}

function onCreate(
  name: string,
  resource: GroupResource,
  mutate: (request: AdmissionRequest, registry: Registry) => void,
): Admission {
  return {
    name,
    handles: (request) => request.operation === "CREATE" && concerns(request, resource),
    mutate,
  };
}

function protects(resource: GroupResource, finalizer: string): Admission {
  return onCreate("StorageObjectInUseProtection", resource, ({ object }) => {
    const { metadata } = object!;
    if (!metadata.finalizers?.includes(finalizer)) {
      metadata.finalizers = [...metadata.finalizers ?? [], finalizer];
    }
  });
}

/**
 * The admission plugins that add to new PersistentVolumeClaims, PersistentVolumes and
 * VolumeAttributesClasses the finalizers which protect these objects while they are in use.
 */
export const STORAGE_PROTECTION: readonly Admission[] = [
  protects({ group: "", resource: "persistentvolumeclaims" }, "kubernetes.io/pvc-protection"),
  protects({ group: "", resource: "persistentvolumes" }, "kubernetes.io/pv-protection"),
  protects(
    { group: "storage.k8s.io", resource: "volumeattributesclasses" },
    "kubernetes.io/vac-protection",
  ),
];

/**
 * Returns the name of the storage or ingress class that is annotated as the default; `undefined` if
 * there is none. If several classes are annotated, the newest one counts, and of equally old ones
 * the first by name.
 */
function defaultClass(
  registry: Registry,
  { group, resource }: GroupResource,
  ...annotations: string[]
): string | undefined {
  const classes = [...registry.list(group, resource)].filter(({ metadata }) =>
    annotations.some((annotation) => metadata.annotations?.[annotation] === "true")
  );
  classes.sort((a, b) =>
    String(b.metadata.creationTimestamp).localeCompare(String(a.metadata.creationTimestamp)) ||
    (a.metadata.name! < b.metadata.name! ? -1 : 1)
  );
  return classes[0]?.metadata.name;
}

/**
 * The admission plugin that sets the storage class of new PersistentVolumeClaims without a class to
 * the default class of the cluster, if there is one. An empty class name is a class.
 */
export const DEFAULT_STORAGE_CLASS: Admission = onCreate(
  "DefaultStorageClass",
  { group: "", resource: "persistentvolumeclaims" },
  ({ object }, registry) => {
    const spec = specOf(object!);
    const beta = "volume.beta.kubernetes.io/storage-class";
    if (spec["storageClassName"] !== undefined || object!.metadata.annotations?.[beta]) return;
    const name = defaultClass(
      registry,
      { group: "storage.k8s.io", resource: "storageclasses" },
      "storageclass.kubernetes.io/is-default-class",
      "storageclass.beta.kubernetes.io/is-default-class",
    );
    if (name !== undefined) spec["storageClassName"] = name;
  },
);

/**
 * The admission plugin that sets the class of new Ingresses without a class, in the spec or the
 * annotation `kubernetes.io/ingress.class`, to the default class of the cluster, if there is one.
 */
export const DEFAULT_INGRESS_CLASS: Admission = onCreate(
  "DefaultIngressClass",
  { group: "networking.k8s.io", resource: "ingresses" },
  ({ object }, registry) => {
    const spec = specOf(object!);
    const old = object!.metadata.annotations?.["kubernetes.io/ingress.class"];
    if (spec["ingressClassName"] !== undefined || old !== undefined) return;
    const name = defaultClass(
      registry,
      { group: "networking.k8s.io", resource: "ingressclasses" },
      "ingressclass.kubernetes.io/is-default-class",
    );
    if (name !== undefined) spec["ingressClassName"] = name;
  },
);

const NOT_READY = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/**
 * The admission plugin that adds the taint `node.kubernetes.io/not-ready` with the effect
 * `NoSchedule` to new nodes without this taint.
 */
export const TAINT_NODES: Admission = onCreate(
  "TaintNodesByCondition",
  { group: "", resource: "nodes" },
  ({ object }) => {
    const spec = specOf(object!);
    const taints = (spec["taints"] ?? []) as { key: string; effect: string }[];
    const { key, effect } = NOT_READY;
    if (taints.some((taint) => taint.key === key && taint.effect === effect)) return;
    spec["taints"] = [...taints, { ...NOT_READY }];
  },
);
