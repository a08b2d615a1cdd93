import assert from "node:assert/strict";
import { ConfigMap, keyOf } from "@xca/apimachinery/meta";
import { createPacker } from "../../cache/packed/packer.ts";
import { Indexer } from "../../cache/store/indexer.ts";
import { hasCaughtUp, type ServerState } from "./cache_lag.ts";
import type { View } from "./view.ts";

interface Shown {
  /** The resourceVersion of the store. */
  readonly version: string;
  /** The resourceVersion of the object in the store; absent if the store lacks it. */
  readonly object?: string;
  /** Sets whether the store notes the object as lost. */
  readonly lost?: boolean;
}

/** Reports whether a store has caught up with a server whose object has the resourceVersion 5. */
function caughtUp({ version, object, lost }: Shown, exists = true): boolean {
  const packer = createPacker({ type: ConfigMap });
  const metadata = { name: "a", namespace: "default", uid: "1" };
  const stored = object === undefined
    ? []
    : [packer.packObject({ metadata: { ...metadata, resourceVersion: object } })];
  const indexer = new Indexer();
  indexer.replace(stored, version);
  if (lost) indexer.noteLost(keyOf({ metadata }));
  const entry = [keyOf({ metadata }), { uid: "1", resourceVersion: "5" }] as const;
  const state: ServerState = {
    view: { informer: { indexer } } as unknown as View,
    resourceVersion: "7",
    objects: new Map(exists ? [entry] : []),
  };
  return hasCaughtUp(state);
}

Deno.test("a store has caught up when it shows an object, or is newer than it", () => {
  const shown: [boolean, Shown][] = [
    [true, { version: "7", object: "5" }],
    [true, { version: "7", object: "6" }],
    [false, { version: "7", object: "4" }],
    [false, { version: "5" }],
    [false, { version: "4" }],
    [true, { version: "7" }],
    [true, { version: "5", lost: true }],
    [false, { version: "4", lost: true }], // its last event may be on the way, and decodable
    [false, { version: "" }], // a store before its first list, or of lists without a version
  ];
  for (const [expected, each] of shown) {
    assert.equal(caughtUp(each), expected, JSON.stringify(each));
  }
  assert.equal(caughtUp({ version: "4", object: "4" }, false), false, "the deletion is not shown");
  assert.equal(caughtUp({ version: "8", object: "8" }, false), true, "a newer object");
});
