// Mirrors `pod-security-admission/admission/admission.go, DefaultPodSpecExtractor.ExtractPodSpec`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";

/** The `spec` of a pod. */
export type PodSpec = NonNullable<V1Pod["spec"]>;

type OwnContainer = PodSpec["containers"][number];
type EphemeralContainer = NonNullable<PodSpec["ephemeralContainers"]>[number];

/** A regular, init or ephemeral container of a pod: the fields that all of them share. */
export type Container = Pick<OwnContainer, keyof OwnContainer & keyof EphemeralContainer>;

/** The security context of a container. */
export type SecurityContext = NonNullable<Container["securityContext"]>;

/** The fields of a pod, or of a pod template, that the pod security standards check. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** All containers of the pod, in the order of kube-apiserver's messages. */
  readonly containers: readonly Container[];
}

/** Returns all containers of a pod: init, regular and ephemeral ones. */
export function containersOf(spec: PodSpec): readonly Container[] {
  return [
    ...spec.initContainers ?? [],
    ...spec.containers ?? [],
    ...spec.ephemeralContainers ?? [],
  ];
}

/** Returns the fields of a pod or a pod template that the pod security standards check. */
export function checkedPod(pod: Partial<ApiObject>): CheckedPod {
  const spec = (pod["spec"] ?? {}) as PodSpec;
  return { annotations: pod.metadata?.annotations ?? {}, spec, containers: containersOf(spec) };
}

interface WithTemplate {
  readonly template?: Partial<ApiObject>;
}

interface Workload extends WithTemplate {
  readonly spec?: WithTemplate & {
    readonly jobTemplate?: { readonly spec?: WithTemplate };
  };
}

type TemplateOf = (object: Workload) => Partial<ApiObject> | undefined;

const ofSpec: TemplateOf = ({ spec }) => spec?.template;

/**
 * Functions that return the pod template of an object, for the resources that have one, by
 * `group/plural`.
 */
const TEMPLATES: ReadonlyMap<string, TemplateOf> = new Map([
  ["/podtemplates", ({ template }) => template],
  ["/replicationcontrollers", ofSpec],
  ["apps/replicasets", ofSpec],
  ["apps/deployments", ofSpec],
  ["apps/statefulsets", ofSpec],
  ["apps/daemonsets", ofSpec],
  ["batch/jobs", ofSpec],
  ["batch/cronjobs", ({ spec }) => spec?.jobTemplate?.spec?.template],
]);

/** Reports whether the objects of a resource have a pod template. */
export function makesPods(group: string, plural: string): boolean {
  return TEMPLATES.has(`${group}/${plural}`);
}

/**
 * Returns the checked fields of an object's pod template, or `undefined` if the object has none.
 * The resource of the object must be one that {@linkcode makesPods} accepts.
 */
export function templateOf(
  group: string,
  plural: string,
  object: ApiObject,
): CheckedPod | undefined {
  const template = TEMPLATES.get(`${group}/${plural}`)!(object as Workload);
  return template && checkedPod(template);
}
