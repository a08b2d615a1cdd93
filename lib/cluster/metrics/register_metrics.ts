import { APIService, Service } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import { isAlreadyExists } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import { METRICS_GROUP, METRICS_VERSION } from "./metrics_requests.ts";

const NAMESPACE = "kube-system";
const NAME = "metrics-server";

/**
 * Registers the metrics API of the pretended kubelet on an API server, which forwards requests for it
 * to a port of this machine. An earlier registration is replaced.
 *
 * @throws {ApiError} When the server refuses an object.
 */
export async function registerMetrics(client: Client, port: number): Promise<void> {
  await client.create(Service, {
    metadata: { name: NAME, namespace: NAMESPACE },
    spec: { type: "ExternalName", externalName: "localhost" },
  }).catch(ignoreKnown);
  const name = `${METRICS_VERSION}.${METRICS_GROUP}`;
  const spec = {
    group: METRICS_GROUP,
    version: METRICS_VERSION,
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

function ignoreKnown(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
