import type { CacheReader } from "../cache/readers/cache_reader.ts";
import type { Client } from "../client/typed/client.ts";
import { type ObjectKey, parseKey } from "@xca/apimachinery/meta";
import { ReconcileClient } from "./reconcile_client.ts";
import type { ReconcileContext } from "./reconciler.ts";
import type { WriteLedger } from "./write_ledger.ts";

/** Options for {@linkcode reconcileContext}: what a context takes over, and what its client is made of. */
export interface ReconcileContextOptions
  extends
    Pick<ReconcileContext, "signal" | "log" | "reconcileID" | "attempt" | "clock" | "random"> {
  /** The object to reconcile. */
  readonly key: ObjectKey;
  /** The operator's client. */
  readonly client: Client;
  /** The ledger of the run's writes. */
  readonly ledger: WriteLedger;
  /** The controller's cache. */
  readonly cache: CacheReader;
}

/** Makes what one run of a reconciler is given. */
export function reconcileContext(options: ReconcileContextOptions): ReconcileContext {
  const { key, client, ledger, cache, signal, log, reconcileID, attempt, clock, random } = options;
  const { namespace = "", name } = parseKey(key);
  return {
    key,
    namespace,
    name,
    client: new ReconcileClient({ client, ledger, key, signal }),
    cache,
    signal,
    log,
    reconcileID,
    attempt,
    clock,
    random,
  };
}
