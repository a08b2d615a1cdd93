import { ignoreRejection } from "@xca/apimachinery/internal/base";
import type { Clock, Random } from "@xca/apimachinery/base";
import { type ObjectKey, parseKey } from "@xca/apimachinery/meta";
import {
  type MetricsProvider,
  RateLimitingQueue,
  RecoveringLimiter,
} from "@xca/apimachinery/workqueue";
import type { ControllerOptions } from "../definition/controller_definition.ts";
import type { LoggerLike } from "../ports/logger_like.ts";
import { GuardedLimiter } from "./guarded_limiter.ts";

/** Options of {@linkcode controllerQueue}, which creates the work queue of a controller. */
export interface ControllerQueueOptions {
  /** The name of the controller that the queue is for. */
  readonly name: string;
  /** The options of the controller that the queue is for, checked but without defaults. */
  readonly options: ControllerOptions;
  /** The provider of the queue's metrics; `undefined` for none. */
  readonly metrics: MetricsProvider | undefined;
  /** The log of errors of a user's rate limiter or tenant function. */
  readonly log: LoggerLike;
  /** The clock of the queue. */
  readonly clock: Clock;
  /** The random number source of the queue's rate limiter. */
  readonly random: Random;
}

/**
 * Returns a new work queue for a controller, with the user's rate limiter (guarded) or a {@linkcode
 * RecoveringLimiter}, and with tenants by `fairBy`.
 */
export function controllerQueue(options: ControllerQueueOptions): RateLimitingQueue<ObjectKey> {
  const { name, options: controllerOptions, metrics, log, clock, random } = options;
  const { rateLimiter, fairBy, fairWeights, agingMs } = controllerOptions;
  const own = rateLimiter?.({ clock, random });
  return new RateLimitingQueue<ObjectKey>({
    name,
    clock,
    metrics,
    agingMs,
    tenantOf: fairBy === "namespace" ? namespaceOf : fairBy && guarded(fairBy, log),
    tenantWeights: fairWeights && new Map(Object.entries(fairWeights)),
    rateLimiter: own ? new GuardedLimiter(own, log) : new RecoveringLimiter({ clock }),
  });
}

function namespaceOf(key: ObjectKey): string {
  return parseKey(key).namespace ?? "";
}

/**
 * Returns a wrapper of a user's tenant function: a key for which the function throws belongs to no
 * tenant (`undefined`), and the first error is logged.
 */
function guarded(
  tenantOf: (key: ObjectKey) => string,
  log: LoggerLike,
): (key: ObjectKey) => unknown {
  let isLogged = false;
  return (key) => {
    try {
      return ignoreRejection(tenantOf(key));
    } catch (error) {
      if (!isLogged) {
        log.error("fairBy failed for {key}, which gets no tenant: {error}", { key, error });
      }
      isLogged = true;
      return undefined;
    }
  };
}
