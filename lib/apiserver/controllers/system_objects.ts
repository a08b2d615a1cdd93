// Mirrors `controller/systemnamespaces/system_namespaces_controller.go, Controller` and
// `controller/kubernetesservice/controller.go, Controller`.
import type { Clock } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { firstServiceAddress } from "../kinds/services/service_addresses.ts";
import type { ObjectAddress, Registry } from "../machinery/registry.ts";
import { addressOf, keyOf } from "./object_key.ts";
import { Worker } from "./worker.ts";

/** The field manager of the system objects. */
const MANAGER = "kube-apiserver";

/**
 * The port of the API server in the endpoints of the Service `kubernetes`: the usual port of API
 * servers.
 */
const SECURE_PORT = 6443;
/**
 * The address in the endpoints of the Service `kubernetes`. Endpoints may not be loopback
 * addresses, and this server has no other address; the used address is reserved for documentation
 * (RFC 5737).
 */
const ADVERTISED_ADDRESS = "192.0.2.1";

/**
 * The controller that creates the objects that every cluster has, and recreates them after a
 * deletion, but does not revert changes: the system namespaces, the Service `kubernetes` with its
 * endpoints, the system priority classes.
 */
export class SystemObjects implements Disposable {
  /** A promise that resolves once the system objects exist. */
  readonly ready: Promise<void>;
  readonly #registry: Registry;
  readonly #objects: ReadonlyMap<string, ApiObject>;
  readonly #worker: Worker;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#objects = systemObjects(registry.serviceCidr);
    this.#worker = new Worker(clock, (key) => this.#ensure(key));
    this.#worker.follow(registry, (change) => {
      if (change.type === "DELETED" && this.#objects.has(keyOf(change))) {
        this.#worker.add(keyOf(change));
      }
    });
    this.ready = this.#ensureAll();
  }

  /** Stops the controller of system objects. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  async #ensureAll(): Promise<void> {
    for (const key of this.#objects.keys()) await this.#ensure(key);
  }

  async #ensure(key: string): Promise<void> {
    const address = addressOf(key);
    const { group, resource, namespace, name } = address;
    if (this.#registry.get(group, resource, namespace, name)) return;
    const object = structuredClone(this.#objects.get(key)!);
    try {
      await this.#registry.create(address, object, { fieldManager: MANAGER });
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === "AlreadyExists")) throw error;
    }
  }
}

function systemObjects(serviceCidr: string): Map<string, ApiObject> {
  const objects = new Map<string, ApiObject>();
  const add = (address: Partial<ObjectAddress>, object: ApiObject): void => {
    const whole = { group: "", resource: "", namespace: "", name: "", ...address };
    objects.set(keyOf(whole), object);
  };
  for (const name of ["kube-system", "kube-node-lease", "kube-public", "default"]) {
    add({ resource: "namespaces", name }, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name },
    });
  }
  add({ resource: "services", namespace: "default", name: "kubernetes" }, kubernetes(serviceCidr));
  add({ resource: "endpoints", namespace: "default", name: "kubernetes" }, endpoints());
  add(
    {
      group: "discovery.k8s.io",
      resource: "endpointslices",
      namespace: "default",
      name: "kubernetes",
    },
    endpointSlice(),
  );
  for (const { name, value, description } of PRIORITY_CLASSES) {
    add({ group: "scheduling.k8s.io", resource: "priorityclasses", name }, {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name },
      value,
      description,
    });
  }
  return objects;
}

function kubernetes(serviceCidr: string): ApiObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { component: "apiserver", provider: "kubernetes" },
    },
    spec: {
      clusterIP: firstServiceAddress(serviceCidr),
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: SECURE_PORT }],
    },
  };
}

const ENDPOINT_PORT = { name: "https", port: SECURE_PORT, protocol: "TCP" };

/** Returns the Endpoints object of the Service `kubernetes` (`pkg/controlplane/reconcilers`). */
function endpoints(): ApiObject {
  return {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { "endpointslice.kubernetes.io/skip-mirror": "true" },
    },
    subsets: [{ addresses: [{ ip: ADVERTISED_ADDRESS }], ports: [ENDPOINT_PORT] }],
  };
}

function endpointSlice(): ApiObject {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { "kubernetes.io/service-name": "kubernetes" },
    },
    addressType: "IPv4",
    endpoints: [{ addresses: [ADVERTISED_ADDRESS], conditions: { ready: true } }],
    ports: [ENDPOINT_PORT],
  };
}

const PRIORITY_CLASSES = [
  {
    name: "system-node-critical",
    value: 2_000_001_000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
  {
    name: "system-cluster-critical",
    value: 2_000_000_000,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to " +
      "another node if necessary.",
  },
] as const;
