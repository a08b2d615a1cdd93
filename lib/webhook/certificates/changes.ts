import { getLogger } from "@logtape/logtape";
import { Backoff, type Clock, delay, errorText, type Random } from "@xca/apimachinery/base";
import type { ResourceType } from "@xca/apimachinery/meta";
import { isBadRequest, isInvalid } from "../../client/errors/api_error.ts";
import type { Client } from "../../client/typed/client.ts";

const logger = getLogger(["xca", "webhook", "certificate"]);

/** The timeout of a watch without data, in milliseconds: the server ends each watch before it. */
const IDLE_TIMEOUT_MS = 330_000;

/** The time after which the API server ends the watch of an object, in seconds. */
const TIMEOUT_SECONDS = 300;

/** The options of a watch that begins with the present object and a bookmark after it. */
const INITIAL_EVENTS = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } as const;

/** An object that is watched by its name. */
export interface WatchedObject {
  /** The resource type of the watched object. */
  readonly type: ResourceType;
  /** The name of the watched object. */
  readonly name: string;
  /** The namespace of the watched object. @default none: it is cluster-scoped */
  readonly namespace?: string | undefined;
}

/** The dependencies of {@linkcode watchObject}, which watches one object by its name. */
export interface WatchPorts {
  /** The client that watches the object. */
  readonly client: Pick<Client, "watch">;
  /** The signal that ends the watch of the object. */
  readonly signal: AbortSignal;
  /** The clock of the delays between retries of the watch. */
  readonly clock: Clock;
  /** The random number source of the delays between retries of the watch. */
  readonly random: Random;
}

/**
 * Calls `onChange` at each change of one object, and whenever a watch has begun, until the signal is
 * aborted. A watch that ends or fails is restarted after a backoff of 1 to 60 seconds, up to twice
 * as long by jitter. No change is missed, since each watch begins with the present object, or with
 * a bookmark if the object does not exist. Never rejects.
 *
 * A server that cannot stream initial events sends that bookmark a minute later at most, or ends the
 * watch.
 */
export async function watchObject(
  { type, name, namespace }: WatchedObject,
  onChange: () => void,
  { client, signal, clock, random }: WatchPorts,
): Promise<void> {
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 60_000, clock, random });
  let streamsInitialEvents = true;
  while (!signal.aborted) {
    let hasBegun = false;
    try {
      const events = client.watch(type, {
        ...(namespace !== undefined && { namespace }),
        fieldSelector: `metadata.name=${name}`,
        allowWatchBookmarks: true,
        ...(streamsInitialEvents && INITIAL_EVENTS),
        timeoutSeconds: TIMEOUT_SECONDS,
        idleTimeoutMs: IDLE_TIMEOUT_MS,
        signal,
      });
      for await (const event of events) {
        // The object is missing if a bookmark comes before any other event.
        if (event.type !== "BOOKMARK" || !hasBegun) onChange();
        hasBegun = true;
      }
      if (!hasBegun && !signal.aborted) onChange();
    } catch (error) {
      if (signal.aborted) return;
      if (isInvalid(error) || isBadRequest(error)) streamsInitialEvents = false;
      logger.debug("The watch of {kind} {name} ended: {reason}", {
        kind: type.kind,
        name,
        reason: errorText(error),
      });
    }
    await delay(backoff.nextMs(), { clock, signal }).catch(() => {});
  }
}
