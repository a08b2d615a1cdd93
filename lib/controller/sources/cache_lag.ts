import type { Client } from "../../client/typed/client.ts";
import {
  compareResourceVersions,
  formatLabelSelector,
  keyOf,
  type ObjectKey,
} from "@xca/apimachinery/meta";
import type { View } from "./view.ts";

interface Version {
  readonly uid: string | undefined;
  readonly resourceVersion: string;
}

/**
 * A record of the objects that the API server has for one informer of a controller at one moment.
 */
export interface ServerState {
  /** The informer whose store should have the objects. */
  readonly view: View;
  /** The resourceVersion of the server's whole list. */
  readonly resourceVersion: string;
  /**
   * The UIDs and resourceVersions of all objects that match the informer's scope on the server, by
   * key.
   */
  readonly objects: ReadonlyMap<ObjectKey, Version>;
}

/**
 * Lists the objects in the scope of a controller's informer from the server, at the newest version,
 * and resolves to their versions. Rejects with the error of the list.
 */
export async function serverStateOf(
  client: Pick<Client, "list">,
  view: View,
  signal: AbortSignal,
): Promise<ServerState> {
  const { type, namespace, labelSelector, fieldSelector } = view.scope;
  const list = await client.list(type, {
    ...(namespace !== "" && { namespace }),
    labelSelector: formatLabelSelector(labelSelector) || undefined,
    fieldSelector: fieldSelector || undefined,
    signal,
  });
  const objects = new Map(list.items.map((item) => {
    const { uid, resourceVersion = "" } = item.metadata;
    return [keyOf(item), { uid, resourceVersion }] as const;
  }));
  return { view, resourceVersion: list.metadata.resourceVersion ?? "", objects };
}

/**
 * Reports whether an informer's store is at least as new as a state of the server, deletions
 * included. An object that could not be decoded or transformed counts as shown once the store is as
 * new as the object: an older store may receive a version that can be.
 */
export function hasCaughtUp({ view, resourceVersion, objects }: ServerState): boolean {
  const store = view.informer.indexer;
  for (const [key, written] of objects) {
    if (store.lost.has(undefined)) continue; // No wait helps.
    if (store.lost.has(key)) {
      if (!isAtLeast(store.resourceVersion, written.resourceVersion)) return false;
      continue;
    }
    const shown = store.getPacked(key);
    // A newer store without the object has seen its deletion, which came after the list. A store
    // without a version has seen nothing.
    const at = shown?.resourceVersion ?? store.resourceVersion;
    if (shown === undefined && (at === "" || at === written.resourceVersion)) return false;
    if (!isAtLeast(at, written.resourceVersion)) return false;
  }
  return store.keys().every((key) =>
    objects.has(key) || !isAtLeast(resourceVersion, store.getPacked(key)?.resourceVersion ?? "")
  );
}

/**
 * Reports whether a resourceVersion is at least as new as a written one. Versions that cannot be
 * compared count as new enough, since no wait helps.
 */
function isAtLeast(shown: string, written: string): boolean {
  return (compareResourceVersions(shown, written) ?? 0) >= 0;
}
