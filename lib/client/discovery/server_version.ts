import type { CallOptions } from "../calls/options.ts";
import type { RestCalls } from "../calls/rest.ts";

/** The version of a server. */
export type ServerVersion = Awaited<ReturnType<typeof serverVersion>>;

/**
 * Requests the version of a server.
 *
 * @throws {ApiError} When the server refuses.
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
  /** The major version, as `1`. */
  readonly major: string;
  /** The minor version, as `36`; some providers write `36+`. */
  readonly minor: string;
  /** The version, as `v1.36.3` or `v1.35.1-eks-abc`. */
  readonly gitVersion: string;
  /** The commit of the build. */
  readonly gitCommit?: string;
  /** The state of the source tree, as `clean`. */
  readonly gitTreeState?: string;
  /** The date of the build. */
  readonly buildDate?: string;
  /** The version of Go, as `go1.26`. */
  readonly goVersion?: string;
  /** The compiler, as `gc`. */
  readonly compiler?: string;
  /** The platform, as `linux/amd64`. */
  readonly platform?: string;
}> {
  return await client.requestJson<ServerVersion>({ ...options, path: "/version" });
}
