import { ApiError, type Client, DecodeError, isNotFound } from "../lib/client/mod.ts";
import type { ResourceType } from "@xca/apimachinery/meta";
import { UsageError } from "./usage_error.ts";

/**
 * Returns the {@linkcode MissingResourceError} of a command whose resource the server does not
 * serve.
 *
 * @param install The advice on the definition in the message, such as the command that installs it.
 * @default the one for Xca
 * @throws {UsageError} When the server is not a Kubernetes API server.
 */
export async function missingResource(
  client: Client,
  type: ResourceType,
  cause: unknown,
  install = "kubectl xca run --install-crds",
): Promise<Error> {
  await refuseOtherServers(client);
  return new MissingResourceError(
    `the server does not have the resource ${resourceName(type)} in version ${type.version}; ` +
      `install it first: ${install}`,
    { cause },
  );
}

/**
 * Reports whether an error is about a response that no API server sends, such as a page of a proxy.
 */
export function isForeignAnswer(error: unknown): boolean {
  return error instanceof DecodeError ||
    error instanceof ApiError && error.code === 404 && !isNotFound(error);
}

/**
 * Checks, after an unexpected response, that the server is a Kubernetes API server. Ignores a check
 * that fails, since an API server may refuse the request.
 *
 * @throws {UsageError} When the server is not a Kubernetes API server.
 */
export async function refuseOtherServers(client: Client): Promise<void> {
  const { checkKubernetes } = await import("./check_kubernetes.ts"); // Seldom needed.
  await checkKubernetes(client).catch((error) => {
    if (error instanceof UsageError) throw error; // An API server may refuse the request.
  });
}

/**
 * Returns the name of a resource in the form of the name of a CustomResourceDefinition:
 * `xcas.apps.xca.k8s.kb.cx`; `pods` in the core group.
 */
export function resourceName(type: ResourceType): string {
  return type.group === "" ? type.plural : `${type.plural}.${type.group}`;
}

/**
 * The error about a resource that a command needs and the server does not serve, or a
 * CustomResourceDefinition that the command line names and the cluster lacks.
 */
export class MissingResourceError extends Error {
  override readonly name: string = "MissingResourceError";
}
