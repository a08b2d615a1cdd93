import type { CallOptions } from "../calls/options.ts";
import type { RestCalls } from "../calls/rest.ts";
import { expectPlain } from "../typed/expected_answer.ts";

/** The version of an API server; the result of {@linkcode serverVersion}. */
export type ServerVersion = Awaited<ReturnType<typeof serverVersion>>;

/**
 * Requests the version of an API server from its path `/version` and returns it.
 *
 * @throws {ApiError} When the server refuses.
 * @throws {DecodeError} When the response is not a version.
 * @throws {UnreachableError} When there is no connection.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, serverVersion } from "@xca/operator/client";
 *
 * using client = createClient({ server: "https://api.example.org" }, {
 *   fetch: () => Promise.resolve(Response.json({ major: "1", minor: "36", gitVersion: "v1.36.3" })),
 * });
 * assert((await serverVersion(client)).gitVersion === "v1.36.3");
 * ```
 */
export async function serverVersion(
  client: RestCalls,
  options: CallOptions = {},
): Promise<{
  /** The major version of the server, such as `1`. */
  readonly major: string;
  /** The minor version of the server, such as `36`; some providers write `36+`. */
  readonly minor: string;
  /** The full version of the server, such as `v1.36.3` or `v1.35.1-eks-abc`. */
  readonly gitVersion: string;
  /** The git commit that the server was built from. */
  readonly gitCommit?: string;
  /** The state of the source tree that the server was built from, such as `clean`. */
  readonly gitTreeState?: string;
  /** The time when the server was built (RFC 3339). */
  readonly buildDate?: string;
  /** The version of Go that built the server, such as `go1.26`. */
  readonly goVersion?: string;
  /** The compiler that built the server, such as `gc`. */
  readonly compiler?: string;
  /** The platform of the server, such as `linux/amd64`. */
  readonly platform?: string;
}> {
  const path = "/version";
  const answer = await client.requestJson({ ...options, path });
  return expectPlain<ServerVersion>(
    answer,
    { wanted: "the version of the server", field: "gitVersion" },
    { path },
  );
}
