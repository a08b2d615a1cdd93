import type { Client } from "../client/typed/client.ts";
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

/** The objects of one view on the server at one moment. */
export interface ServerState {
  /** The view. */
  readonly view: View;
  /** The version of the whole list. */
  readonly resourceVersion: string;
  /** The objects' versions. */
  readonly objects: ReadonlyMap<ObjectKey, Version>;
}

/** Lists what a view should hold. */
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

/** Reports whether a view's store is as new as that state of the server, or newer. */
export function hasCaughtUp({ view, resourceVersion, objects }: ServerState): boolean {
  const store = view.informer.indexer;
  for (const [key, written] of objects) {
    const shown = store.getPacked(key);
    // An object that a newer store lacks was deleted after the list.
    const at = shown?.resourceVersion ?? store.resourceVersion;
    if (shown === undefined && written.resourceVersion === at) return false;
    if (!isAtLeast(at, written.resourceVersion)) return false;
  }
  return store.keys().every((key) =>
    objects.has(key) || !isAtLeast(resourceVersion, store.getPacked(key)?.resourceVersion ?? "")
  );
}

function isAtLeast(shown: string, written: string): boolean {
  return (compareResourceVersions(shown, written) ?? 0) >= 0;
}
