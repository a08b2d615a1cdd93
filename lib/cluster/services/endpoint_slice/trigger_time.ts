// Mirrors `endpointslice/util/trigger_time_tracker.go, TriggerTimeTracker`.
import type { ObjectKey } from "@xca/apimachinery/meta";
import { podCondition, type ReadPod } from "../../pods/pod_state.ts";
import type { ReadService } from "./pod_endpoints.ts";

/**
 * The key of the annotation of an EndpointSlice or Endpoints object with the time of the oldest
 * change that its previous version did not contain.
 */
export const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** The last observed change times of one Service and its pods. */
interface Seen {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

/**
 * A tracker of trigger times: for each Service the time of the oldest change that the next write of
 * its EndpointSlices or Endpoints publishes, by which consumers measure the propagation delay. The
 * times have the API's resolution of seconds.
 */
export class TriggerTimes {
  readonly #seen = new Map<ObjectKey, Seen>();

  /**
   * Returns the time, as RFC 3339 text, of the oldest change since the previous call for the key:
   * of the readiness of a Service's pod, or by a new Service of the same name. Returns `undefined`
   * when nothing has changed. For a Service that is new to this process, returns the creation time
   * of the Service.
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

  /** Removes the change times of a deleted Service. */
  forget(key: ObjectKey): void {
    this.#seen.delete(key);
  }
}
