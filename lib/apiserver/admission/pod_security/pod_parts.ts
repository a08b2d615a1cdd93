import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";

/** The specification of a pod. */
export type PodSpec = NonNullable<V1Pod["spec"]>;

type OwnContainer = PodSpec["containers"][number];
type EphemeralContainer = NonNullable<PodSpec["ephemeralContainers"]>[number];

/** A container of whichever kind. */
export type Container = Pick<OwnContainer, keyof OwnContainer & keyof EphemeralContainer>;

/** What a container says of its security. */
export type SecurityContext = NonNullable<Container["securityContext"]>;

/** A pod as the standards look at it, or the pods that a template makes. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** All of them, in the order in which messages name them. */
  readonly containers: readonly Container[];
}

/** The containers of a pod. */
export function containersOf(spec: PodSpec): readonly Container[] {
  return [
    ...spec.initContainers ?? [],
    ...spec.containers ?? [],
    ...spec.ephemeralContainers ?? [],
  ];
}

/** What is checked of a pod, or of a template. */
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

/** Where the kinds that make pods say what pods they make, by group and plural. */
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

/** Whether objects of a resource make pods. */
export function makesPods(group: string, plural: string): boolean {
  return TEMPLATES.has(`${group}/${plural}`);
}

/** The template of an object that makes pods; `undefined` when it has none. */
export function templateOf(
  group: string,
  plural: string,
  object: ApiObject,
): CheckedPod | undefined {
  const template = TEMPLATES.get(`${group}/${plural}`)!(object as Workload);
  return template && checkedPod(template);
}
