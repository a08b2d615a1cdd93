import { APIService, Service } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import { isAlreadyExists } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import type { MetricsApi } from "./adapter_requests.ts";

const NAMESPACE = "kube-system";
const NAME = "metrics-server";

/**
 * Registers metrics APIs with an API server by a Service and APIServices, so that the API server
 * forwards the requests of these APIs to a port of its own machine (`localhost`), without verifying
 * the certificate of the server there. Updates existing APIServices of the APIs; leaves an existing
 * Service unchanged.
 *
 * @throws {ApiError} When the server refuses an object.
 */
export async function registerMetrics(
  client: Client,
  port: number,
  apis: readonly MetricsApi[],
): Promise<void> {
  await client.create(Service, {
    metadata: { name: NAME, namespace: NAMESPACE },
    spec: { type: "ExternalName", externalName: "localhost" },
  }).catch(ignoreKnown);
  for (const { group, version } of apis) {
    const name = `${version}.${group}`;
    const spec = {
      group,
      version,
      service: { name: NAME, namespace: NAMESPACE, port },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    };
    try {
      await client.create(APIService, { metadata: { name }, spec });
    } catch (error) {
      ignoreKnown(error);
      await client.patch(APIService, name, mergePatch({ spec }));
    }
  }
}

function ignoreKnown(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
