import {
  Deployment,
  Job,
  type KubeObject,
  Pod,
  ReplicaSet,
  type ResourceType,
} from "../../../lib/apimachinery/meta/mod.ts";
import type { Client } from "../../../lib/client/mod.ts";

/** The resource types whose changes are recorded. */
const TYPES = [Deployment, ReplicaSet, Pod, Job] as readonly ResourceType[];

/** A change of an object, as observed by a watch. */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: KubeObject;
}

/** Records the changes of the workloads of a namespace, in the order of their resource versions. */
export class History implements AsyncDisposable {
  readonly #ending = new AbortController();
  readonly #watches: Promise<void>[] = [];
  readonly #changes: { readonly version: number; readonly change: Change }[] = [];

  private constructor() {}

  /** Starts the watches of a namespace. */
  static async start(client: Client, namespace: string): Promise<History> {
    const history = new History();
    for (const type of TYPES) {
      const { metadata } = await client.list(type, { namespace });
      const { resourceVersion = "" } = metadata ?? {};
      history.#watches.push(history.#watch(client, namespace, type, resourceVersion));
    }
    return history;
  }

  /** Returns the changes since the previous call. */
  take(): Change[] {
    const sorted = this.#changes.splice(0).sort((a, b) => a.version - b.version);
    return sorted.map(({ change }) => change);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#watches);
  }

  async #watch(
    client: Client,
    namespace: string,
    type: ResourceType,
    resourceVersion: string,
  ): Promise<void> {
    const { signal } = this.#ending;
    const { kind } = type;
    try {
      for await (const event of client.watch(type, { namespace, resourceVersion, signal })) {
        if (event.type === "BOOKMARK") continue;
        const version = Number(event.object.metadata.resourceVersion);
        this.#changes.push({ version, change: { type: event.type, kind, object: event.object } });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
