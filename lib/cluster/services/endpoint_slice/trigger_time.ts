// Mirrors `endpointslice/util/trigger_time_tracker.go, TriggerTimeTracker`.
import type { ObjectKey } from "@xca/apimachinery/meta";
import { podCondition, type ReadPod } from "../../pods/pod_state.ts";
import type { ReadService } from "./pod_endpoints.ts";

/** The annotation with the time of the change that an EndpointSlice or Endpoints object is the first to show. */
export const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** The times of the changes of one Service and its pods that were seen last. */
interface Seen {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

/**
 * Finds the time of the oldest change that a write of EndpointSlices is the first to show; consumers
 * measure by it how long a change takes to reach them. The times are those of the API, in seconds.
 */
export class TriggerTimes {
  readonly #seen = new Map<ObjectKey, Seen>();

  /**
   * Returns the time of the oldest change of a Service or its pods since the last call; `undefined`
   * when nothing has changed. For a Service that is new to this process it is that of its creation.
   */
  next(key: ObjectKey, service: ReadService, pods: readonly ReadPod[]): string | undefined {
    const before = this.#seen.get(key);
    const created = service.metadata.creationTimestamp ?? "";
    const times = new Map(pods.map((pod) => [
      pod.metadata.name ?? "",
      podCondition(pod, "Ready")?.lastTransitionTime ?? "",
    ]));
    this.#seen.set(key, { service: created, pods: times });
    if (!before) return created;
    const changed = [...times].filter(([name, time]) => time > (before.pods.get(name) ?? ""))
      .map(([, time]) => time);
    if (created > before.service) changed.push(created);
    return changed.sort()[0];
  }

  /** Forgets a Service that was deleted. */
  forget(key: ObjectKey): void {
    this.#seen.delete(key);
  }
}
