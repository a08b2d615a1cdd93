// Mirrors `flowcontrol/bootstrap/default.go, MandatoryFlowSchemas`.
import type { Clock, Random } from "@xca/apimachinery/base";
import { formatTime } from "@xca/apimachinery/meta";

/** The members of the server's storage with which the first objects of a new cluster are stored. */
export interface EmptyStore<C extends { get(key: string): unknown }> {
  readonly nextRevision: number;
  collection(name: string): C;
  put(collection: C, key: string, text: string): unknown;
}

/** The parameters of {@linkcode firstObjects}, which fills the storage of a new cluster. */
export interface FirstObjectsInit {
  readonly clock: Clock;
  readonly random: Random;
  /** The address range of Services of the cluster, as CIDR. */
  readonly serviceCidr: string;
}

/**
 * Stores the objects that kube-apiserver creates at its start, from the generated `facts` and
 * without validation: flow schemas and priority levels, the address range of Services, and an
 * APIService per served group version. Existing objects are kept.
 */
export function firstObjects<C extends { get(key: string): unknown }>(
  store: EmptyStore<C>,
  facts: string,
  { clock, random, serviceCidr }: FirstObjectsInit,
): void {
  const time = formatTime(clock.now());
  for (const line of facts.trim().split("\n")) {
    const [name, key] = line.split(" ", 2) as [string, string];
    const collection = store.collection(name);
    if (collection.get(key)) continue;
    const text = line.slice(name.length + key.length + 2)
      .replaceAll("@time", time)
      .replace("@uid", random.uuid())
      .replace("@version", String(store.nextRevision))
      .replace("@serviceCidr", serviceCidr);
    store.put(collection, key, text);
  }
}
