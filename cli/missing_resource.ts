import type { Client } from "../lib/client/mod.ts";
import type { ResourceType } from "@xca/apimachinery/meta";
import { UsageError } from "./usage_error.ts";

/**
 * The error of a resource that the server does not serve.
 *
 * @param install What installs its definition; by default what installs that of Xca.
 * @throws {UsageError} When the server serves nothing of Kubernetes.
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
 * Asks again, after an answer that makes no sense, whether it is Kubernetes that answers.
 *
 * @throws {UsageError} When it is not.
 */
export async function refuseOtherServers(client: Client): Promise<void> {
  const { checkKubernetes } = await import("./check_kubernetes.ts"); // Seldom needed.
  await checkKubernetes(client).catch((error) => {
    if (error instanceof UsageError) throw error; // Who may not ask has still met a server that can refuse.
  });
}

/** As its CustomResourceDefinition is named: `xcas.apps.xca.k8s.kb.cx`; of the core group `pods`. */
export function resourceName(type: ResourceType): string {
  return type.group === "" ? type.plural : `${type.plural}.${type.group}`;
}

/** The server does not serve a resource that a command needs. */
export class MissingResourceError extends Error {
  override readonly name: string = "MissingResourceError";
}
