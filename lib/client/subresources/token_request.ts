import { type ObjectKey, parseKey, ServiceAccount } from "@xca/apimachinery/meta";
import type { CallOptions } from "../calls/options.ts";
import { objectPath } from "../calls/paths.ts";
import type { RestDoor } from "../calls/rest.ts";
import { expectField } from "../typed/expected_answer.ts";

/** Options of {@linkcode requestToken}. */
export interface TokenRequestOptions extends CallOptions {
  /** Whom the token is for. @default the API server */
  readonly audiences?: readonly string[] | undefined;
  /** For how long it is asked for, in seconds (600 at least); the server may give another time. */
  readonly expirationSeconds?: number | undefined;
  /** The token ends with this object. */
  readonly boundTo?:
    | {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid?: string;
    }
    | undefined;
}

/** A token of a service account. It is a secret: nothing in this package prints it. */
export type IssuedToken = Awaited<ReturnType<typeof requestToken>>;

/**
 * Asks for a token of a service account.
 *
 * @throws {ApiError} `isNotFound` when there is no such account.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, requestToken } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(Response.json({ status: { token: "abc", expirationTimestamp: "2026-01-01T00:00:00Z" } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const { token } = await requestToken(client, "default/builder", { audiences: ["vault"] });
 * assert.equal(token, "abc");
 * ```
 */
export async function requestToken(
  client: RestDoor,
  key: ObjectKey,
  options: TokenRequestOptions = {},
): Promise<{
  /** The bearer token. */
  readonly token: string;
  /** When it ends, RFC 3339. */
  readonly expirationTimestamp: string;
}> {
  const { audiences, expirationSeconds, boundTo: boundObjectRef, signal, timeoutMs } = options;
  const call = { method: "POST", path: objectPath(ServiceAccount, key, "token") };
  const answer = await client.requestJson({
    ...call,
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: parseKey(key),
      spec: { audiences: audiences ?? [], expirationSeconds, boundObjectRef },
    },
    signal,
    timeoutMs,
  });
  const status = expectField<IssuedToken>(answer, { kind: "TokenRequest", field: "status" }, call);
  return { token: status.token, expirationTimestamp: status.expirationTimestamp };
}

/** Who somebody is, for the server. */
export interface UserInfo {
  /** The name. */
  readonly username?: string;
  /** The UID. */
  readonly uid?: string;
  /** The groups. */
  readonly groups?: readonly string[];
  /** Whatever else is known. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What the server says of a token. */
export type TokenReviewStatus = Awaited<ReturnType<typeof reviewToken>>;

/**
 * Asks the server whose a token is. A bad token is an answer, not an error.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, reviewToken } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(Response.json({ status: { authenticated: true, user: { username: "jane" } } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const { authenticated, user } = await reviewToken(client, "abc");
 * assert(authenticated && user?.username === "jane");
 * ```
 */
export async function reviewToken(
  client: RestDoor,
  token: string,
  options: CallOptions & {
    /** One of them the token must be for. @default the API server */
    readonly audiences?: readonly string[] | undefined;
  } = {},
): Promise<{
  /** Whether it is good, for the audiences asked about. */
  readonly authenticated?: boolean;
  /** Whose it is. */
  readonly user?: UserInfo;
  /** Those of the audiences asked about that it is for. */
  readonly audiences?: readonly string[];
  /** Why it could not be checked. */
  readonly error?: string;
}> {
  const { audiences, signal, timeoutMs } = options;
  const call = { method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews" };
  const answer = await client.requestJson({
    ...call,
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token, audiences },
    },
    signal,
    timeoutMs,
  });
  const status = expectField<TokenReviewStatus>(
    answer,
    { kind: "TokenReview", field: "status" },
    call,
  );
  return status;
}

/**
 * Asks the server who we are to it: what `kubectl auth whoami` prints.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, whoAmI } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(Response.json({ status: { userInfo: { username: "jane", groups: ["developers"] } } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * assert.equal((await whoAmI(client)).username, "jane");
 * ```
 */
export async function whoAmI(client: RestDoor, options: CallOptions = {}): Promise<UserInfo> {
  const call = { method: "POST", path: "/apis/authentication.k8s.io/v1/selfsubjectreviews" };
  const answer = await client.requestJson({
    ...options,
    ...call,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  const status = expectField<{ userInfo: UserInfo }>(answer, {
    kind: "SelfSubjectReview",
    field: "status",
  }, call);
  return status.userInfo;
}
