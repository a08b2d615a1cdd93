import { defaultPullPolicy } from "./common/image_name.ts";
import type { Container, EnvVar, Pod, PodSpec, PodTemplate, Probe } from "./common/pod_types.ts";
import { defaultVolume } from "./volumes/volume_defaults.ts";

type HttpGet = NonNullable<Probe["httpGet"]>;

/**
 * The names of the annotations that held init containers and their statuses before the fields
 * existed. The functions {@linkcode defaultPod} and {@linkcode defaultPodTemplate} delete these
 * annotations.
 */
const DROPPED_ANNOTATIONS = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];

/**
 * Sets the defaults of a pod, in place and in the order of kube-apiserver, on which the result
 * depends (`apis/core/v1/defaults.go`, `SetDefaults_Pod`).
 */
export function defaultPod(pod: Pod): void {
  const spec = pod.spec ??= {};
  for (const container of [...spec.containers ?? [], ...spec.initContainers ?? []]) {
    defaultRequests(container);
  }
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) {
    for (const container of [...spec.containers ?? [], ...spec.initContainers ?? []]) {
      for (const port of container.ports ?? []) {
        if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort;
      }
    }
  }
  defaultPodSpec(spec);
  if (spec.terminationGracePeriodSeconds! < 0) spec.terminationGracePeriodSeconds = 1;
  dropOldAnnotations(pod.metadata);
  alignPodIps(pod);
  pod.status ??= {};
}

/**
 * Sets the defaults of a pod template, in place. Unlike {@linkcode defaultPod}, sets no requests
 * from limits and no host ports.
 */
export function defaultPodTemplate(template: PodTemplate): void {
  template.metadata ??= {};
  template.spec ??= {};
  defaultPodSpec(template.spec);
  dropOldAnnotations(template.metadata);
}

function dropOldAnnotations(metadata: PodTemplate["metadata"]): void {
  const annotations = metadata?.annotations;
  if (!annotations) return;
  for (const name of DROPPED_ANNOTATIONS) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
}

/**
 * Aligns the `podIP` and the `podIPs` of a pod's status: a `podIP` that is not the first of
 * `podIPs` replaces the whole list; an absent `podIP` is set to the first of `podIPs`.
 */
function alignPodIps(pod: Pod): void {
  const status = pod.status;
  if (!status) return;
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) {
    status.podIPs = [{ ip: status.podIP }];
  }
  const first = status.podIPs?.[0]?.ip;
  if (first) status.podIP = first;
}

function defaultRequests({ resources }: Container): void {
  if (!resources?.limits) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** Sets the defaults of a pod spec that pods and pod templates share, in place. */
function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) spec.serviceAccountName = spec.serviceAccount = account;
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const container of list ?? []) defaultContainer(container);
  }
}

function defaultContainer(container: Container): void {
  container.resources ??= {};
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? "");
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  for (const port of container.ports ?? []) port.protocol ||= "TCP";
  for (const variable of container.env ?? []) defaultVariable(variable);
  defaultProbe(container.livenessProbe);
  defaultProbe(container.readinessProbe);
  defaultProbe(container.startupProbe);
  defaultHttpGet(container.lifecycle?.postStart?.httpGet);
  defaultHttpGet(container.lifecycle?.preStop?.httpGet);
}

function defaultVariable({ valueFrom }: EnvVar): void {
  if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ||= "v1";
  if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
  if (valueFrom?.resourceFieldRef) valueFrom.resourceFieldRef.divisor ??= "0";
}

function defaultProbe(probe: Probe | undefined): void {
  if (!probe) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHttpGet(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= "";
}

function defaultHttpGet(get: HttpGet | undefined): void {
  if (!get) return;
  get.path ||= "/";
  get.scheme ||= "HTTP";
}
