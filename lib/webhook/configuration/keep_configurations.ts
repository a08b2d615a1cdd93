import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  errorText,
  linkedAbort,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import {
  MutatingWebhookConfiguration,
  type ResourceType,
  ValidatingWebhookConfiguration,
} from "@xca/apimachinery/meta";
import { ApiError, ignoreNotFound, isConflict } from "../../client/errors/api_error.ts";
import type { Client } from "../../client/typed/client.ts";
import type { ResourceUse } from "../../controller/definition/resource_use.ts";
import { watchObject } from "../certificates/changes.ts";
import { Wake } from "../certificates/wake.ts";
import type { WebhookConfiguration } from "./webhook_configurations.ts";

const logger = getLogger(["xca", "webhook", "configuration"]);

/** The name of the field manager that applies webhook configurations. */
const FIELD_MANAGER = "xca-webhook-configuration";

/** The longest interval between two writes of all webhook configurations, in milliseconds. */
const SYNC_MS = 600_000;

/** The delay before a failed write of a webhook configuration is repeated, in milliseconds. */
const RETRY_MS = 5_000;

/** The time limit for the deletion of each webhook configuration, in milliseconds. */
const REMOVAL_MS = 10_000;

/**
 * Options of {@linkcode keepConfigurations}, which keeps webhook configurations equal to generated
 * ones.
 */
export interface KeepConfigurationsOptions {
  /** The client that writes the webhook configurations. */
  readonly client: Pick<Client, "apply" | "delete" | "watch">;
  /** The webhook configurations, as `webhookConfigurationsOf` generates them. */
  readonly configurations: readonly WebhookConfiguration[];
  /**
   * Sets whether the runnable deletes the webhook configurations at its end, so that the API server
   * does not call a stopped server. For a program that runs outside of the cluster during
   * development.
   *
   * @default {false}
   */
  readonly removeAtEnd?: boolean | undefined;
  /** The clock of the configuration writes. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /**
   * The random number source of the delays between retries of the watches of the configurations.
   *
   * @default {systemRandom}
   */
  readonly random?: Random | undefined;
}

/**
 * The runnable that {@linkcode keepConfigurations} returns, for `manager.add`: it keeps the webhook
 * configurations as generated, and leaves a `caBundle` that these lack unchanged.
 */
export interface KeptConfigurations {
  /** The name of the runnable that keeps the webhook configurations. */
  readonly name: "webhook configurations";
  /** The runnable group of the runnable, which starts after the webhook server listens. */
  readonly group: "webhooks";
  /**
   * A promise that resolves when all webhook configurations have been written once.
   *
   * It rejects when the runnable ends before: with the error of `run`, or the reason of the signal.
   */
  readonly ready: Promise<void>;
  /**
   * Writes the webhook configurations, and again after each change in the cluster and every ten
   * minutes, until the signal is aborted; then deletes them if `removeAtEnd` is set. The runnable
   * logs and retries a failed write after the first write of all.
   *
   * @throws {ApiError} When the server refuses the first write, for example for lack of permission.
   * @throws {UnreachableError} When the server cannot be reached for the first write.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The names of all options of {@linkcode keepConfigurations}. */
const KEEP_OPTIONS: OptionNames<KeepConfigurationsOptions> = {
  client: true,
  configurations: true,
  removeAtEnd: true,
  clock: true,
  random: true,
};

/**
 * Returns a runnable that keeps the webhook configurations in a cluster equal to generated ones, by
 * server-side apply with a separate field manager. The runnable takes over fields that other
 * clients wrote, and recreates a deleted configuration; fields that the generated one lacks, such
 * as `caBundle`, are left unchanged.
 *
 * @throws {TypeError} When an option is unknown.
 *
 * @example
 * ```ts
 * import { createManager } from "@xca/operator/manager";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 * import { keepConfigurations, webhookConfigurationsOf, webhookFor } from "@xca/operator/webhook";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const webhooks = [webhookFor(ConfigMap).validator({ create: () => {} })];
 * const url = "https://127.0.0.1:9443";
 * const configurations = webhookConfigurationsOf({ name: "guard", webhooks }, { url });
 * const manager = createManager({ client });
 * manager.add(keepConfigurations({ client, configurations, removeAtEnd: true }));
 * await using running = manager.start();
 * await running.ready;
 * ```
 */
export function keepConfigurations(options: KeepConfigurationsOptions): KeptConfigurations {
  checkOptionNames("Cannot keep the configurations of webhooks", options, KEEP_OPTIONS);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {}); // Without a caller of `ready`, the rejection must not count as unhandled.
  return {
    name: "webhook configurations",
    group: "webhooks",
    ready: promise,
    run(signal) {
      const running = keep(options, { signal, onWritten: resolve });
      void running.then(() => reject(signal.reason), reject);
      return running;
    },
  };
}

/**
 * Returns the API calls of {@linkcode keepConfigurations}, for the option `uses` of `rulesOf` in
 * `@xca/operator/rbac`, which derives RBAC rules from them.
 *
 * @throws {TypeError} When an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { keepConfigurationsUses, webhookConfigurationsOf, webhookFor } from "@xca/operator/webhook";
 *
 * const webhooks = [webhookFor(ConfigMap).validator({ create: () => {} })];
 * const url = "https://127.0.0.1:9443";
 * const configurations = webhookConfigurationsOf({ name: "guard", webhooks }, { url });
 * const uses = keepConfigurationsUses({ configurations });
 * assert.deepEqual(uses.map(({ calls }) => calls), [["create"], ["patch", "watch"]]);
 * ```
 */
export function keepConfigurationsUses(
  options: Pick<KeepConfigurationsOptions, "configurations" | "removeAtEnd">,
): readonly ResourceUse[] {
  checkOptionNames("Cannot list the uses of webhook configurations", options, KEEP_OPTIONS);
  const { configurations, removeAtEnd = false } = options;
  const grouped = Map.groupBy(configurations, typeOf);
  return [...grouped].flatMap(([type, each]): ResourceUse[] => [
    // RBAC cannot restrict `create` to a name.
    { type, calls: ["create"] },
    {
      type,
      calls: ["patch", "watch", ...(removeAtEnd ? ["delete"] as const : [])],
      names: each.map(({ metadata }) => metadata.name!),
    },
  ]);
}

/**
 * The UIDs of the written webhook configurations; `undefined` for one whose first write had no
 * response.
 */
type Written = Map<WebhookConfiguration, string | undefined>;

async function keep(
  options: KeepConfigurationsOptions,
  { signal, onWritten }: { readonly signal: AbortSignal; readonly onWritten: () => void },
): Promise<void> {
  const { client, configurations, clock = systemClock, random = systemRandom } = options;
  const written: Written = new Map();
  using own = linkedAbort({ signals: [signal], clock });
  try {
    await writeAll(options, signal, written);
    onWritten();
    const run = { signal: own.signal, clock };
    const wake = new Wake(run);
    for (const configuration of configurations) {
      const object = { type: typeOf(configuration), name: configuration.metadata.name! };
      void watchObject(object, () => wake.now(), { client, random, ...run });
    }
    let waitMs = SYNC_MS;
    while (!signal.aborted) {
      await wake.wait(waitMs);
      if (signal.aborted) break;
      waitMs = await writeAll(options, signal, written).then(() => SYNC_MS, (error: unknown) => {
        if (!signal.aborted) {
          logger.error("Cannot write the configuration of webhooks: {reason}", {
            reason: errorText(error),
            error,
          });
        }
        return RETRY_MS;
      });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    own.abort();
    if (options.removeAtEnd) await removeAll(options, written);
  }
}

async function writeAll(
  { client, configurations }: KeepConfigurationsOptions,
  signal: AbortSignal,
  written: Written,
): Promise<void> {
  for (const configuration of configurations) {
    // The configuration is generated, so that other field managers may not own its fields.
    const options = { fieldManager: FIELD_MANAGER, force: true, signal };
    const { metadata, ...fields } = configuration;
    const named = { ...fields, metadata: { ...metadata, name: metadata.name! } };
    const known = written.get(configuration);
    // The write may have happened without a response, or with one of 500 or above.
    written.set(configuration, known);
    try {
      const { metadata: { uid } } = await client.apply(typeOf(configuration), named, options);
      written.set(configuration, uid);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code < 500;
      if (known === undefined && isRefused) written.delete(configuration);
      throw error;
    }
  }
}

/**
 * Deletes the webhook configurations that were written. A configuration that another program has
 * deleted and created again since, so that its UID differs, is left unchanged; one whose UID is
 * unknown is deleted by its name. Logs a failed deletion.
 */
async function removeAll(
  { client, configurations }: KeepConfigurationsOptions,
  written: Written,
): Promise<void> {
  for (const configuration of configurations.filter((each) => written.has(each))) {
    const { name } = configuration.metadata;
    const uid = written.get(configuration);
    const options = { timeoutMs: REMOVAL_MS, ...uid !== undefined && { preconditions: { uid } } };
    try {
      await ignoreNotFound(client.delete(typeOf(configuration), name!, options));
    } catch (error) {
      if (isConflict(error)) continue;
      logger.error(
        "Cannot delete {kind} {name}, whose webhooks are not served any more: {reason}; delete it",
        { kind: configuration.kind, name, reason: errorText(error) },
      );
    }
  }
}

function typeOf({ kind }: WebhookConfiguration): ResourceType {
  return kind === "MutatingWebhookConfiguration"
    ? MutatingWebhookConfiguration
    : ValidatingWebhookConfiguration;
}
