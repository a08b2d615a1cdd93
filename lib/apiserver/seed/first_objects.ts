import type { Clock, Random } from "@xca/apimachinery/base";
import { formatTime } from "@xca/apimachinery/meta";

/** The store, as far as the first objects need it. */
export interface EmptyStore<C extends { get(key: string): unknown }> {
  readonly nextRevision: number;
  collection(name: string): C;
  put(collection: C, key: string, text: string): unknown;
}

/** What the first objects are made with. */
export interface FirstObjectsInit {
  readonly clock: Clock;
  readonly random: Random;
  /** The addresses of Services. */
  readonly serviceCidr: string;
}

/**
 * Puts what a kube-apiserver makes for itself at its start into a store, by the lines of the facts, as
 * it is: what orders requests, the range of addresses, and the groups that are served.
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
