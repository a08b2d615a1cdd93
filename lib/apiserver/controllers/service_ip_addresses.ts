// Mirrors `service/ipallocator/controller/repairip.go, RepairIPAddress`.
import type { Clock } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { formatIp, parseIp } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1IPAddress, V1Service } from "@xca/apimachinery/kubernetes-types";
import type { ObjectAddress, Registry, StoredChange } from "../machinery/registry.ts";
import { addressOf, keyOf } from "./object_key.ts";
import { Worker } from "./worker.ts";

/** The field manager of the IPAddresses that the controller creates. */
const MANAGER = "kube-apiserver";
const GROUP = "networking.k8s.io";
const MANAGED_BY = "ipaddress.kubernetes.io/managed-by";
const ALLOCATOR = "ipallocator.k8s.io";

/**
 * The controller that maintains an IPAddress for each cluster IP of a Service, for clients to see.
 * The address allocator reads the Services themselves.
 */
export class ServiceIpAddresses implements Disposable {
  /**
   * A promise that resolves once the cluster IPs of the existing Services have an IPAddress, and
   * the IPAddresses of other Services are deleted.
   */
  readonly ready: Promise<void>;
  readonly #registry: Registry;
  readonly #worker: Worker;
  /** The cluster IPs for which an IPAddress object exists, by the key of their Service. */
  readonly #kept = new Map<string, Set<string>>();

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#worker = new Worker(clock, (key) => this.#sync(key));
    this.#worker.follow(registry, (change) => this.#note(change));
    for (const object of registry.list(GROUP, "ipaddresses")) {
      const parent = parentKey(object);
      if (parent) this.#keptOf(parent).add(object.metadata.name!);
    }
    this.ready = this.#syncAll();
  }

  /** Stops the controller of IPAddresses. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  #note(change: StoredChange): void {
    if (change.group === "" && change.resource === "services") {
      if (change.type !== "MODIFIED" || this.#movesAddress(change)) this.#worker.add(keyOf(change));
    } else if (change.group === GROUP && change.resource === "ipaddresses") {
      const parent = parentKey(change.object());
      if (!parent) return;
      if (change.type !== "DELETED") this.#keptOf(parent).add(change.name);
      else if (this.#keptOf(parent).delete(change.name)) this.#worker.add(parent);
    }
  }

  #movesAddress(change: StoredChange): boolean {
    const kept = this.#kept.get(keyOf(change));
    const wanted = addressesOf(change.object());
    return wanted.length !== (kept?.size ?? 0) || wanted.some((address) => !kept?.has(address));
  }

  #keptOf(service: string): Set<string> {
    let kept = this.#kept.get(service);
    if (!kept) this.#kept.set(service, kept = new Set());
    return kept;
  }

  async #syncAll(): Promise<void> {
    const gone = new Set(this.#kept.keys());
    for (const { metadata } of [...this.#registry.list("", "services")]) {
      const { namespace = "", name = "" } = metadata;
      const key = keyOf({ group: "", resource: "services", namespace, name });
      gone.delete(key);
      await this.#sync(key);
    }
    for (const key of gone) await this.#sync(key);
  }

  async #sync(key: string): Promise<void> {
    const { namespace, name } = addressOf(key);
    const service = this.#registry.get("", "services", namespace, name);
    const wanted = service ? addressesOf(service) : [];
    for (const address of [...this.#keptOf(key)]) {
      if (!wanted.includes(address)) await this.#forget(key, address);
    }
    for (const address of wanted) await this.#keep(address, { namespace, name });
    if (this.#keptOf(key).size === 0) this.#kept.delete(key);
  }

  async #forget(key: string, address: string): Promise<void> {
    // Removed first, so that the event of the deletion does not queue the Service again.
    this.#keptOf(key).delete(address);
    try {
      await this.#registry.delete(placeOf(address));
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
  }

  async #keep(address: string, service: Pick<ObjectAddress, "namespace" | "name">): Promise<void> {
    if (this.#registry.get(GROUP, "ipaddresses", "", address)) return;
    const object = ipAddress(address, service);
    try {
      await this.#registry.create(placeOf(address), object, { fieldManager: MANAGER });
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === "AlreadyExists")) throw error;
    }
  }
}

function placeOf(name: string): ObjectAddress {
  return { group: GROUP, resource: "ipaddresses", namespace: "", name };
}

function addressesOf(service: ApiObject): string[] {
  const { clusterIPs = [] } = (service as unknown as V1Service).spec ?? {};
  return clusterIPs.map(parseIp).filter((ip) => ip !== undefined).map(formatIp);
}

/**
 * Returns the key of the Service that an IPAddress belongs to; `undefined` for an IPAddress without
 * the label of the allocator, or of another parent.
 */
function parentKey(object: ApiObject): string | undefined {
  if (object.metadata.labels?.[MANAGED_BY] !== ALLOCATOR) return undefined;
  const { resource, namespace = "", name = "" } =
    (object as unknown as V1IPAddress).spec?.parentRef ?? {};
  return resource === "services"
    ? keyOf({ group: "", resource: "services", namespace, name })
    : undefined;
}

function ipAddress(
  address: string,
  { namespace, name }: Pick<ObjectAddress, "namespace" | "name">,
): ApiObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: "IPAddress",
    metadata: {
      name: address,
      labels: {
        "ipaddress.kubernetes.io/ip-family": address.includes(":") ? "IPv6" : "IPv4",
        [MANAGED_BY]: ALLOCATOR,
      },
    },
    spec: { parentRef: { resource: "services", namespace, name } },
  };
}
