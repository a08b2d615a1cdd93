import { FieldPath } from "@xca/apimachinery/internal/errors";
import { type Container, containersOf, type PodSpec } from "./common/pod_types.ts";

/**
 * A field of pod specs that a feature gate guards: its name, and the function that returns the
 * objects in a pod spec that can have the field.
 */
interface GatedField {
  readonly field: string;
  holders(spec: PodSpec): (object | undefined)[];
}

/**
 * The fields of pod specs of features that are off by default in Kubernetes 1.37, one list for each
 * feature; without the stop signals of containers, which {@linkcode dropStopSignals} deletes.
 */
const GATED: readonly (readonly GatedField[])[] = [
  [{ field: "schedulingGroup", holders: (spec) => [spec] }], // GenericWorkload
  [{ field: "evictionResponders", holders: (spec) => [spec] }], // EvictionRequestAPI
  [{ field: "protocol", holders: (spec) => containers(spec).flatMap(httpGets) }], // H2CContainerProbe
  [{
    field: "mode", // GRPCContainerProbeTLS
    holders: (spec) => containers(spec).flatMap((each) => probes(each).map((probe) => probe?.grpc)),
  }],
  [{
    field: "mode", // EmptyDirVolumeMode
    holders: ({ volumes = [] }) => volumes.map(({ emptyDir }) => emptyDir),
  }],
  [{
    field: "bindMountOptions", // VolumeBindMountOptions
    holders: (spec) => containers(spec).flatMap(({ volumeMounts = [] }) => volumeMounts),
  }],
  [ // AtomicWriteVolumeUserFields
    { field: "defaultUser", holders: writtenVolumes },
    { field: "user", holders: writtenFiles },
  ],
];

/**
 * Deletes the fields of each disabled feature from a pod spec, in place, unless the stored pod spec
 * sets a field of the feature (`pkg/api/pod/util.go`, `dropDisabledFields`).
 */
export function dropDisabledFields(spec: PodSpec, old: PodSpec | undefined): void {
  for (const fields of GATED) {
    if (old && fields.some((each) => isSet(old, each))) continue;
    for (const { field, holders } of fields) {
      for (const holder of holders(spec)) {
        delete (holder as Record<string, unknown> | undefined)?.[field];
      }
    }
  }
  dropStopSignals(spec, old);
}

function isSet(spec: PodSpec, { field, holders }: GatedField): boolean {
  return holders(spec).some((each) => {
    const value = (each as Record<string, unknown> | undefined)?.[field];
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
}

/**
 * Deletes the stop signals of containers (ContainerStopSignals), and a lifecycle that has no other
 * field, unless a container of the stored pod spec has a stop signal.
 */
function dropStopSignals(spec: PodSpec, old: PodSpec | undefined): void {
  const hasSignal = ({ lifecycle }: Container): boolean => lifecycle?.stopSignal !== undefined;
  if (old && containers(old).some(hasSignal)) return;
  for (const container of containers(spec)) {
    if (!hasSignal(container)) continue;
    delete container.lifecycle!.stopSignal;
    if (Object.keys(container.lifecycle!).length === 0) delete container.lifecycle;
  }
}

function containers(spec: PodSpec): Container[] {
  return [...containersOf(spec, FieldPath.root)].map(([container]) => container);
}

function probes(
  { livenessProbe, readinessProbe, startupProbe }: Container,
): Container["livenessProbe"][] {
  return [livenessProbe, readinessProbe, startupProbe];
}

function httpGets(container: Container): (object | undefined)[] {
  const { postStart, preStop } = container.lifecycle ?? {};
  return [...probes(container), postStart, preStop].map((each) => each?.httpGet);
}

function writtenVolumes({ volumes = [] }: PodSpec): (object | undefined)[] {
  return volumes.flatMap(({ secret, configMap, downwardAPI, projected }) => [
    secret,
    configMap,
    downwardAPI,
    projected,
  ]);
}

function writtenFiles({ volumes = [] }: PodSpec): (object | undefined)[] {
  return volumes.flatMap(({ secret, configMap, downwardAPI, projected }) => [
    ...[secret, configMap, downwardAPI].flatMap((each) => each?.items ?? []),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...[source.secret, source.configMap, source.downwardAPI].flatMap((each) => each?.items ?? []),
      source.serviceAccountToken,
      source.clusterTrustBundle,
      source.podCertificate,
    ]),
  ]);
}
