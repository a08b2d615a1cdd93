// Mirrors `controller/serviceaccount/legacy_serviceaccount_token_cleaner.go, LegacySATokenCleaner`.
import type { Clock } from "@xca/apimachinery/base";
import { podSecretNames } from "@xca/apimachinery/internal/meta";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap, formatTime, Pod, Secret, ServiceAccount } from "@xca/apimachinery/meta";
import { ignoreNotFound, isConflict, isNotFound } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import {
  accountOf,
  isNamed,
  isTokenSecret,
  ofTokenSecrets,
  type ReadSecret,
} from "./token_secrets.ts";

const LAST_USED = "kubernetes.io/legacy-token-last-used";
const INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
/**
 * The key of the ConfigMap with the date since which the API server labels the Secrets of used
 * tokens.
 */
const TRACKING = "kube-system/kube-apiserver-legacy-service-account-token-tracking";
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

/**
 * Options of {@linkcode tokenCleaner}, which creates the controller that deletes unused tokens in
 * Secrets.
 */
export interface TokenCleanerOptions {
  /**
   * The number of days without use after which a token is marked as invalid, and then of days until
   * its Secret is deleted.
   *
   * @default {365}
   */
  readonly cleanUpDays?: number;
}

/**
 * Creates the controller that cleans up unused service account tokens in Secrets, once a day: it
 * marks a token as invalid, and deletes its Secret later, if the service account lists the Secret
 * and neither a request nor a pod uses the token.
 */
export function tokenCleaner(
  { cleanUpDays = YEAR_DAYS }: TokenCleanerOptions = {},
): ControllerDefinition {
  const cacheOnly = { predicates: [(): boolean => false] };
  return controllerFor(Secret)
    .named("legacy-serviceaccount-token-cleaner-controller")
    .withPredicates(ofTokenSecrets)
    .watches(ServiceAccount, () => [], cacheOnly)
    .watches(Pod, () => [], cacheOnly)
    .options({ hotLoopRuns: Infinity })
    .reconcile(async (context): Promise<RequeueAfter | void> => {
      const secret = context.cache.shared.get(Secret, context.key);
      if (!secret || !isTokenSecret(secret) || secret.metadata.deletionTimestamp) return;
      const { clock } = context;
      const limit = new Date(clock.now().getTime() - cleanUpDays * DAY_MS);
      if (await isUnused(context, secret, limit) && await isTracked(context, limit)) {
        await cleanUp(context, secret, limit);
      }
      return { requeueAfterMs: DAY_MS };
    });
}

/** Returns the day of a date in UTC as `2026-01-31`, which sorts by time. */
function dayOf(date: Date): string {
  return formatTime(date).slice(0, 10);
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !isNaN(Date.parse(text));
}

/**
 * Reports whether a token Secret is unused: it was created before a date, its token was not used
 * from that date on, its service account lists it, and no pod refers to it. Logs a warning about an
 * invalid date of the last use, which counts as used.
 */
async function isUnused(
  { cache, log }: ReconcileContext,
  secret: ReadSecret,
  limit: Date,
): Promise<boolean> {
  const { creationTimestamp = "", labels = {}, namespace, name } = secret.metadata;
  if (Date.parse(creationTimestamp) >= limit.getTime()) return false;
  const lastUsed = labels[LAST_USED];
  if (lastUsed !== undefined && !isDay(lastUsed)) {
    log.warn("The last use of a token is no day: {lastUsed}", { lastUsed });
    return false;
  }
  if (lastUsed !== undefined && lastUsed >= dayOf(limit)) return false;
  const named = accountOf(secret);
  const account = named.name === "" ? undefined : cache.shared.get(ServiceAccount, named.key);
  const isListed = account && isNamed(account, named) &&
    account.secrets?.some((reference) => reference.name === name);
  if (!isListed) return false;
  const pods = await cache.shared.list(Pod, { namespace: namespace! });
  return !pods.some((pod) => podSecretNames(pod as V1Pod).includes(name!));
}

/**
 * Reports whether the day on which the API server began to label the Secrets of used tokens ended
 * by the given date. kube-apiserver stores this day in a ConfigMap; if the ConfigMap does not
 * exist, creates it with the day of today and returns `false`.
 */
async function isTracked({ client, clock }: ReconcileContext, limit: Date): Promise<boolean> {
  const found = await ignoreNotFound(client.get(ConfigMap, TRACKING));
  if (!found) {
    await beginTracking(client, clock);
    return false;
  }
  const since = found.data?.["since"];
  return isDay(since) && Date.parse(since) + DAY_MS <= limit.getTime();
}

async function beginTracking(client: ReconcileContext["client"], clock: Clock): Promise<void> {
  const [namespace, name] = TRACKING.split("/");
  const data = { since: dayOf(clock.now()) };
  await client.create(ConfigMap, { metadata: { namespace: namespace!, name: name! }, data });
}

/**
 * Labels an unused token Secret as invalid since today, or deletes the Secret if it was labelled
 * before the day of `limit`. A Secret that is gone or has changed is no error.
 */
async function cleanUp(
  { client, clock, key }: ReconcileContext,
  { metadata }: ReadSecret,
  limit: Date,
): Promise<void> {
  const { uid, resourceVersion } = metadata;
  const since = metadata.labels?.[INVALID_SINCE];
  try {
    if (!isDay(since)) {
      const labels = { [INVALID_SINCE]: dayOf(clock.now()) };
      await client.patch(Secret, key, mergePatch({ metadata: { uid, labels } } as never));
    } else if (since < dayOf(limit)) {
      await client.delete(Secret, key, { preconditions: { resourceVersion: resourceVersion! } });
    }
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
