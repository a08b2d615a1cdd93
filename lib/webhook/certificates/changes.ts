import { getLogger } from "@logtape/logtape";
import { Backoff, type Clock, delay, errorText, type Random } from "@xca/apimachinery/base";
import type { ResourceType } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";

const logger = getLogger(["xca", "webhook", "certificate"]);

/** The longest wait for a byte of a watch, in milliseconds: the server ends each before that. */
const IDLE_TIMEOUT_MS = 330_000;

/** The time after which the server ends a watch, in seconds. */
const TIMEOUT_SECONDS = 300;

/** One object that is watched by its name. */
export interface WatchedObject {
  /** The resource of the object. */
  readonly type: ResourceType;
  /** The name of the object. */
  readonly name: string;
  /** The namespace of the object. @default none: it is cluster-scoped */
  readonly namespace?: string | undefined;
}

/** The dependencies of {@linkcode watchObject}. */
export interface WatchPorts {
  /** The client of the watch. */
  readonly client: Pick<Client, "watch">;
  /** The signal that ends the watch. */
  readonly signal: AbortSignal;
  /** The source of time. */
  readonly clock: Clock;
  /** The source of randomness. */
  readonly random: Random;
}

/**
 * Calls `onChange` at each change of one object, until the signal is aborted. A watch that ends or fails
 * begins again; changes in between are seen, since a watch begins with the object as it is.
 */
export async function watchObject(
  { type, name, namespace }: WatchedObject,
  onChange: () => void,
  { client, signal, clock, random }: WatchPorts,
): Promise<void> {
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 60_000, clock, random });
  while (!signal.aborted) {
    try {
      const events = client.watch(type, {
        ...(namespace !== undefined && { namespace }),
        fieldSelector: `metadata.name=${name}`,
        timeoutSeconds: TIMEOUT_SECONDS,
        idleTimeoutMs: IDLE_TIMEOUT_MS,
        signal,
      });
      for await (const _event of events) onChange();
    } catch (error) {
      if (signal.aborted) return;
      logger.debug("The watch of {kind} {name} ended: {reason}", {
        kind: type.kind,
        name,
        reason: errorText(error),
      });
    }
    await delay(backoff.nextMs(), { clock, signal }).catch(() => {});
  }
}
