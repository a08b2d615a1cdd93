import { errorText } from "@xca/apimachinery/base";
import { Lease, type ObjectKey, parseKey } from "@xca/apimachinery/meta";
import { type Client, ConfigError, isForbidden, isNotFound } from "../../lib/client/mod.ts";
import {
  checkResources as compareResources,
  type Operator,
  ResourceMismatchError,
} from "../../lib/controller/mod.ts";
import { shellWord } from "../arguments.ts";
import { missingResource, resourceName } from "../missing_resource.ts";

/**
 * Options of {@linkcode checkResources}, which compares the resources of an operator with those
 * that the server serves.
 */
export interface CheckResourcesOptions {
  /** The module of the operator, as the command line names it; `undefined` for the Xca operator. */
  readonly module: string | undefined;
  /** The namespaces that a controller's sources without a namespace watch; `undefined` for all. */
  readonly namespaces: readonly string[] | undefined;
  /**
   * Sets whether the API server is embedded in this process, so that a message about a missing
   * definition advises `--seed`.
   */
  readonly embeds: boolean;
  /** The signal that aborts the requests of the check. */
  readonly signal: AbortSignal;
}

/**
 * Checks that the server serves the resources of an operator as the operator describes them. A
 * missing resource is an error, whereas a running operator would wait for the resource. Missing
 * rights are not reported here, since the manager reports all of them.
 *
 * @throws {ConfigError} When the server serves a resource differently.
 * @throws {MissingResourceError} When the server lacks a resource.
 */
export async function checkResources(
  client: Client,
  operator: Operator,
  { module, namespaces, embeds, signal }: CheckResourcesOptions,
): Promise<void> {
  const types = new Map(
    operator.controllers.flatMap(({ sources }) => sources.map(({ type }) => [type.id, type])),
  );
  await compareResources(client, [...types.values()], { signal }).catch((error: unknown) => {
    if (!(error instanceof ResourceMismatchError)) throw error;
    throw new ConfigError(error.message, { cause: error }); // The module is wrong, and not the cluster.
  });
  for (const type of types.values()) {
    for (const namespace of type.scope === "Cluster" ? [""] : namespaces ?? [""]) {
      const where = namespace === "" ? {} : { namespace };
      try {
        await client.raw(type, where).list({ limit: 1 }, () => {}, { signal });
      } catch (error) {
        if (isForbidden(error)) continue; // The manager names all missing rights at once.
        if (!isNotFound(error)) throw error;
        const brought = operator.crds.some(({ metadata }) => metadata.name === resourceName(type));
        const install = ["kubectl xca run", ...module ? [shellWord(module)] : [], "--install-crds"];
        const other = embeds ? "give a file with one by --seed" : "kubectl apply one";
        throw await missingResource(
          client,
          type,
          error,
          brought ? install.join(" ") : `the operator brings no definition of it, so ${other}`,
        );
      }
    }
  }
}

/**
 * Checks that a Lease of leader election, named as `namespace/name`, can be read, or created by a
 * dry run, whereas an elector would retry forever. Missing rights are not reported here, since the
 * manager reports all of them.
 *
 * @throws {Error} When the namespace of the Lease is missing.
 * @throws {ApiError} When the server refuses for another reason.
 */
export async function checkLease(
  client: Client,
  lease: ObjectKey,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = "", name } = parseKey(lease);
  try {
    await client.get(Lease, lease, { signal }).catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await client.create(Lease, { metadata: { namespace, name } }, { dryRun: true, signal });
    });
  } catch (error) {
    if (isForbidden(error)) return;
    if (!isNotFound(error)) throw error;
    throw new Error(
      `Cannot elect a leader by the Lease ${lease}: ${
        errorText(error)
      }; kubectl create namespace ` +
        `${namespace}, or name another one by --leader-election-namespace`,
    );
  }
}
