import type { CallOptions } from "../calls/options.ts";
import type { RestDoor } from "../calls/rest.ts";

/** What a server is. */
export type ServerVersion = Awaited<ReturnType<typeof serverVersion>>;

/**
 * Asks a server for its version.
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
  door: RestDoor,
  options: CallOptions = {},
): Promise<{
  /** The major version, as `1`. */
  readonly major: string;
  /** The minor version, as `36`; some providers write `36+`. */
  readonly minor: string;
  /** The whole version, as `v1.36.3` or `v1.35.1-eks-abc`. */
  readonly gitVersion: string;
  /** The commit that it was built from. */
  readonly gitCommit?: string;
  /** Whether there was more than that commit, as `clean`. */
  readonly gitTreeState?: string;
  /** When it was built. */
  readonly buildDate?: string;
  /** What it was built by, as `go1.26`. */
  readonly goVersion?: string;
  /** What compiled it, as `gc`. */
  readonly compiler?: string;
  /** What it runs on, as `linux/amd64`. */
  readonly platform?: string;
}> {
  return await door.requestJson<ServerVersion>({ ...options, path: "/version" });
}
