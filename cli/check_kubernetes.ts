import { ApiError, type Client } from "../lib/client/mod.ts";
import { UsageError } from "./usage_error.ts";

/**
 * Checks that a server is a Kubernetes API server, by its version, which every user may read.
 *
 * @throws {UsageError} When the server answers `/version` with status 404, or without a
 * `gitVersion`.
 * @throws {ApiError} When the server refuses the request with another status.
 * @throws {UnreachableError} When the server does not answer.
 */
export async function checkKubernetes(client: Client, signal?: AbortSignal): Promise<void> {
  let answer = "";
  try {
    const request = { method: "GET", path: "/version", ...(signal && { signal }) };
    answer = await (await client.request(request)).text();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
  if (hasVersion(answer)) return;
  throw new UsageError(
    `${client.config.server} answers, but not as a Kubernetes API server does: it returns no version ` +
      "at /version; correct --server, or the cluster's server: kubectl config view --minify",
  );
}

function hasVersion(answer: string): boolean {
  try {
    return typeof JSON.parse(answer)?.gitVersion === "string";
  } catch {
    return false;
  }
}
