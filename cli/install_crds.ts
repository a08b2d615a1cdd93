import { type Clock, delay } from "@xca/apimachinery/base";
import {
  CustomResourceDefinition,
  type KubeObject,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import { applyPatch, type Client } from "../lib/client/mod.ts";

/**
 * The time limit for the server to serve each applied CustomResourceDefinition, in milliseconds.
 */
const ESTABLISH_TIMEOUT_MS = 30_000;
const POLL_MS = 200;

/**
 * Options for {@linkcode installCrds}, which applies CustomResourceDefinitions and waits until they
 * are served.
 */
export interface InstallCrdsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * A function that is called with the name of each CustomResourceDefinition when the server serves
   * it.
   */
  readonly onInstalled: (name: string) => void;
}

/**
 * Applies CustomResourceDefinitions and waits until the server serves each.
 *
 * The definitions are applied by server-side apply as `kubectl-xca`, with `force`: applying the
 * same definition again changes nothing, and fields that only other field managers set are kept.
 *
 * @throws {ApiError} When the server refuses a definition.
 * @throws {Error} When a definition is not served within 30 seconds; the message has the server's
 * reason.
 */
export async function installCrds(
  client: Client,
  crds: readonly KubeObject[],
  options: InstallCrdsOptions,
): Promise<void> {
  for (const crd of crds) {
    const name = crd.metadata.name!;
    const patch = applyPatch(crd, { fieldManager: "kubectl-xca", force: true });
    await client.patch(CustomResourceDefinition, name, patch, { signal: options.signal });
  }
  for (const crd of crds) {
    await untilEstablished(client, crd.metadata.name!, options);
    options.onInstalled(crd.metadata.name!);
  }
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

async function untilEstablished(
  client: Client,
  name: string,
  { clock, signal }: InstallCrdsOptions,
): Promise<void> {
  const deadline = clock.monotonicMs() + ESTABLISH_TIMEOUT_MS;
  while (true) {
    const crd = await client.get(CustomResourceDefinition, name, { signal });
    const conditions = conditionsOf(crd);
    const isTrue = (type: string): boolean =>
      conditions.some((each) => each.type === type && each.status === "True");
    if (isTrue("Established") && isTrue("NamesAccepted")) return;
    if (clock.monotonicMs() > deadline) {
      const why = conditions.find((each) => each.status === "False")?.message ?? "no reason given";
      throw new Error(
        `Cannot install ${name}: not established within ${
          ESTABLISH_TIMEOUT_MS / 1000
        } s: ${why}; ` +
          `see: kubectl describe crd ${name}`,
      );
    }
    await delay(POLL_MS, { clock, signal });
  }
}

function conditionsOf(crd: UnstructuredObject): readonly Condition[] {
  const status = crd["status"] as { conditions?: Condition[] } | undefined;
  return status?.conditions ?? [];
}
