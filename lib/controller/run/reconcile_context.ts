import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { Client } from "../../client/typed/client.ts";
import { type ObjectKey, parseKey } from "@xca/apimachinery/meta";
import { ReconcileClient } from "./reconcile_client.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import type { WriteGate } from "../ports/write_gate.ts";
import type { WriteLedger } from "../writes/write_ledger.ts";

/**
 * Options of {@linkcode reconcileContext}: members of the reconcile context, and the dependencies
 * of its client.
 */
export interface ReconcileContextOptions extends
  Pick<
    ReconcileContext,
    "events" | "signal" | "log" | "reconcileID" | "attempt" | "clock" | "random"
  > {
  /** The key of the object to reconcile. */
  readonly key: ObjectKey;
  /** The operator's client. */
  readonly client: Client;
  /** The ledger in which the client records the objects that the run writes. */
  readonly ledger: WriteLedger;
  /** The name of the controller. @default {none} */
  readonly controller?: string | undefined;
  /** The gate that may refuse the run's writes. @default {none} */
  readonly gate?: WriteGate | undefined;
  /** The reader of the controller's cache. */
  readonly cache: CacheReader;
}

/**
 * Returns the context of one reconcile run, the argument of the reconciler, with a new {@linkcode
 * ReconcileClient}.
 */
export function reconcileContext(options: ReconcileContextOptions): ReconcileContext {
  const { key, controller, client, ledger, gate, cache, ...members } = options;
  const { namespace = "", name } = parseKey(key);
  return {
    key,
    namespace,
    name,
    client: new ReconcileClient({ client, ledger, key, controller, signal: members.signal, gate }),
    cache,
    outsideOf: (type, object) => ledger.outsideOf(type, object),
    ...members,
  };
}
