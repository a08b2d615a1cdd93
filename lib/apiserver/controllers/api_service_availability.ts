// Mirrors `controllers/status/remote/remote_available_controller.go, AvailableConditionController`.
import type { Clock, Timer } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type {
  V1APIService,
  V1APIServiceCondition,
  V1EndpointSlice,
  V1Service,
} from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import { type Availability, availabilityOf } from "../aggregation/availability.ts";
import { probeService } from "../aggregation/probe_service.ts";
import type { Registry, StoredChange } from "../machinery/registry.ts";
import { Worker } from "./worker.ts";

const GROUP = "apiregistration.k8s.io";
const DISCOVERY = "discovery.k8s.io";
const SERVICE_NAME = "kubernetes.io/service-name";
/** The field manager that writes the conditions of APIServices. */
const MANAGER = "kube-apiserver";
/**
 * The time from the first queuing of an APIService to the first probes, in milliseconds, so that
 * they do not slow the start of a cluster.
 */
const FIRST_PROBE_MS = 1000;
/**
 * The time from the queuing of an APIService to the next probes of all extension API servers, in
 * milliseconds.
 */
const RESYNC_MS = 30_000;

/** The controller that sets the condition `Available` of each APIService with a Service. */
export class ApiServiceAvailability implements Disposable {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #worker: Worker;
  readonly #stop = new AbortController();
  /** A promise that resolves when the last started probe has ended; it never rejects. */
  #probe: Promise<void> = Promise.resolve();
  /** The timer of the next probes, while there is an APIService with a Service. */
  #next: Timer | undefined;
  /** The names of the APIServices to probe first; `undefined` once the first probes have begun. */
  #early: Set<string> | undefined = new Set();

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    this.#worker = new Worker(clock, (name) => this.#sync(name));
    this.#worker.follow(registry, (change) => this.#note(change));
    this.#addAll(() => true);
  }

  /** Stops the controller of the availability of APIServices. */
  [Symbol.dispose](): void {
    this.#next?.[Symbol.dispose]();
    this.#worker[Symbol.dispose]();
    this.#stop.abort();
  }

  /** Resolves once the last started probe of an extension API server has ended. */
  async ended(): Promise<void> {
    await this.#probe;
  }

  #note({ group, resource, namespace, name, type, object, previous }: StoredChange): void {
    if (group === GROUP && resource === "apiservices" && type !== "DELETED") {
      const after = object() as V1APIService;
      const before = previous() as V1APIService | undefined;
      if (after.spec?.service || before?.spec?.service) this.#add(name);
    } else if (group === "" && resource === "services") {
      this.#addAll((service) => service.namespace === namespace && service.name === name);
    } else if (group === DISCOVERY && resource === "endpointslices") {
      const labels = (object() ?? previous())?.metadata.labels;
      const of = labels?.[SERVICE_NAME];
      this.#addAll((service) => service.namespace === namespace && service.name === of);
    }
  }

  /** Queues the APIServices whose reference to a Service meets the condition `isMeant`. */
  #addAll(
    isMeant: (service: { readonly namespace?: string; readonly name?: string }) => boolean,
  ): void {
    for (const each of this.#registry.list(GROUP, "apiservices")) {
      const { service } = (each as V1APIService).spec ?? {};
      if (service && isMeant(service)) this.#add(each.metadata.name!);
    }
  }

  /**
   * Queues an APIService, or notes it for the first probes if they have not begun. Starts the timer
   * of the probes unless it is running.
   */
  #add(name: string): void {
    if (this.#early) this.#early.add(name);
    else this.#worker.add(name);
    this.#next ??= this.#clock.after(this.#early ? FIRST_PROBE_MS : RESYNC_MS, () => {
      const early = this.#early ?? [];
      this.#early = undefined;
      this.#next = undefined;
      for (const each of early) this.#worker.add(each);
      this.#addAll(() => true);
    }).unref();
  }

  async #sync(name: string): Promise<void> {
    const found = this.#registry.get(GROUP, "apiservices", "", name) as V1APIService | undefined;
    if (!found) return;
    const { service } = found.spec ?? {};
    const { namespace = "", name: of = "" } = service ?? {};
    const availability = await availabilityOf(found, {
      service: this.#registry.get("", "services", namespace, of) as V1Service | undefined,
      slices: [...this.#registry.list(DISCOVERY, "endpointslices", namespace)].filter((slice) =>
        slice.metadata.labels?.[SERVICE_NAME] === of
      ) as V1EndpointSlice[],
      probe: (target, port, path) => this.#probed(target, port, path),
    });
    if (this.#stop.signal.aborted) return;
    await this.#write(found, availability);
    // The worker probes again, with back-off.
    if (availability.reason === "FailedDiscoveryCheck") throw new Error(availability.message);
  }

  #probed(service: V1Service, port: number, path: string): Promise<void> {
    const probe = probeService(service, port, path, {
      clock: this.#clock,
      reach: this.#registry.reach ?? ((named) => named),
      signal: this.#stop.signal,
    });
    this.#probe = probe.catch(() => {});
    return probe;
  }

  async #write(found: V1APIService, availability: Availability): Promise<void> {
    const now = formatTime(this.#clock.now());
    if (isSaid(conditionOf(found), availability)) return;
    const change = (current: ApiObject): ApiObject => {
      const service = current as V1APIService;
      const old = conditionOf(service);
      const lastTransitionTime = old?.status === availability.status ? old.lastTransitionTime : now;
      const condition = { type: "Available", ...availability, lastTransitionTime };
      const others = (service.status?.conditions ?? []).filter(({ type }) => type !== "Available");
      return { ...current, status: { conditions: [...others, condition] } } as ApiObject;
    };
    const address = { group: GROUP, resource: "apiservices", namespace: "" };
    try {
      await this.#registry.update({ ...address, name: found.metadata.name! }, change, {
        subresource: "status",
        fieldManager: MANAGER,
      });
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
  }
}

function conditionOf({ status }: V1APIService): V1APIServiceCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Available");
}

function isSaid(old: V1APIServiceCondition | undefined, availability: Availability): boolean {
  return old?.status === availability.status && old.reason === availability.reason &&
    old.message === availability.message;
}
