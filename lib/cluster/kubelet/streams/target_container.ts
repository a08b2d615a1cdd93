// Mirrors `kubelet/kubelet_pods.go, validateContainerLogStatus`.
import type { V1ContainerState, V1ContainerStatus } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatKey, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../../client/errors/api_error.ts";
import type { Client } from "../../../client/typed/client.ts";
import type { ReadPod } from "../../pods/pod_state.ts";

/** An error about a request to the kubelet, with the status code of its response. */
export class KubeletError extends Error {
  override readonly name = "KubeletError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the pod that a request to the kubelet names.
 *
 * @throws {KubeletError} 404 when the pod does not exist.
 */
export async function podNamed(client: Client, namespace: string, name: string): Promise<ReadPod> {
  const pod = await ignoreNotFound(client.get(Pod, formatKey({ namespace, name })));
  if (!pod) throw new KubeletError(404, `pod "${name}" not found`);
  return pod as ReadPod;
}

/**
 * Returns the status of a container of a pod, by the container's name.
 *
 * @throws {KubeletError} 400 when the pod's status has no container of the name.
 */
export function statusOf(pod: ReadPod, container: string): DeepReadonly<V1ContainerStatus> {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } =
    pod.status ?? {};
  const found = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses]
    .find(({ name }) => name === container);
  if (found) return found;
  const { name } = pod.metadata;
  throw new KubeletError(
    400,
    `container "${container}" in pod "${name}" is not available`,
  );
}

/**
 * Throws an error unless a container of a pod is running.
 *
 * @throws {KubeletError} 500 when the container is not running, 400 when the pod's status has no
 *   container of the name.
 */
export function checkRunning(pod: ReadPod, container: string): void {
  const { state } = statusOf(pod, container);
  if (!state?.running) throw new KubeletError(500, `container not found ("${container}")`);
}

/**
 * Returns the state of the container run whose log is requested: of the previous run, or of the
 * current one, which for a container that waits for its restart is the last run.
 *
 * @throws {KubeletError} 400 when there is no such run.
 */
export function loggedState(
  pod: ReadPod,
  container: string,
  previous: boolean,
): DeepReadonly<V1ContainerState> {
  const { state = {}, lastState } = statusOf(pod, container);
  const where = `container "${container}" in pod "${pod.metadata.name}"`;
  if (previous) {
    if (lastState?.terminated) return lastState;
    throw new KubeletError(400, `previous terminated ${where} not found`);
  }
  if (state.running || state.terminated) return state;
  if (lastState?.terminated) return lastState;
  const reason = state.waiting?.reason ?? "";
  const why = reason === "ErrImagePull"
    ? "image can't be pulled"
    : reason === "ImagePullBackOff"
    ? "trying and failing to pull image"
    : reason;
  throw new KubeletError(400, `${where} is waiting to start: ${why}`);
}
