import { type ObjectKey, parseKey, ServiceAccount } from "@xca/apimachinery/meta";
import type { CallOptions } from "../calls/options.ts";
import { objectPath } from "../calls/paths.ts";
import type { RestCalls } from "../calls/rest.ts";
import { expectField } from "../typed/expected_answer.ts";
import { callOptions } from "../typed/write_body.ts";

/** Options of {@linkcode requestToken}, which requests a token of a service account. */
export interface TokenRequestOptions extends CallOptions {
  /** The audiences of the requested token. @default the API server */
  readonly audiences?: readonly string[] | undefined;
  /**
   * The requested lifetime of the token in seconds, at least 600; the server may grant another.
   *
   * @default chosen by the server
   */
  readonly expirationSeconds?: number | undefined;
  /**
   * The object, such as a pod, to which the token is bound: the deletion of the object invalidates
   * the token.
   *
   * @default none
   */
  readonly boundTo?:
    | {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid?: string;
    }
    | undefined;
}

/**
 * A service account token that the server issued, with its time of expiry. The token is a secret;
 * this package never prints it.
 */
export type IssuedToken = Awaited<ReturnType<typeof requestToken>>;

/**
 * Requests a token of a service account from the server and returns it. The client needs `create`
 * of serviceaccounts/token.
 *
 * @throws {ApiError} `isNotFound` when there is no such account.
 * @throws {DecodeError} When the response has no token.
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
  client: RestCalls,
  key: ObjectKey,
  options: TokenRequestOptions = {},
): Promise<{
  /** The bearer token that the server issued. */
  readonly token: string;
  /** The time at which the issued token expires (RFC 3339). */
  readonly expirationTimestamp: string;
}> {
  const { audiences, expirationSeconds, boundTo: boundObjectRef } = options;
  const call = { method: "POST", path: objectPath(ServiceAccount, key, "token") };
  const answer = await client.requestJson({
    ...callOptions(options),
    ...call,
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: parseKey(key),
      spec: { audiences: audiences ?? [], expirationSeconds, boundObjectRef },
    },
  });
  const wanted = { kind: "TokenRequest", field: "status", has: ["token", "string"] } as const;
  const status = expectField<IssuedToken>(answer, wanted, call);
  return { token: status.token, expirationTimestamp: status.expirationTimestamp };
}

/** A user as the API server knows it. */
export interface UserInfo {
  /** The name of the user, as the API server knows it. */
  readonly username?: string;
  /** The UID of the user. */
  readonly uid?: string;
  /** The groups of the user. */
  readonly groups?: readonly string[];
  /** The extra fields of the user: the values by name. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The result of a token review. */
export type TokenReviewStatus = Awaited<ReturnType<typeof reviewToken>>;

/**
 * Returns the server's answer on whether a token is valid, and which user the token belongs to. An
 * invalid token is a result, not an error. The client needs `create` of tokenreviews.
 *
 * @throws {DecodeError} When the response has no result.
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
  client: RestCalls,
  token: string,
  options: CallOptions & {
    /**
     * The audiences that the reviewed token may have; a valid token has at least one of them.
     *
     * @default the API server
     */
    readonly audiences?: readonly string[] | undefined;
  } = {},
): Promise<{
  /**
   * Reports whether the reviewed token is valid for one of the audiences; absent counts as `false`.
   */
  readonly authenticated?: boolean;
  /** The user of the reviewed token; absent or without fields when the token is invalid. */
  readonly user?: UserInfo;
  /** The accepted audiences that the reviewed token has. */
  readonly audiences?: readonly string[];
  /** The error that prevented the token review; absent when there was none. */
  readonly error?: string;
}> {
  const call = { method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews" };
  const answer = await client.requestJson({
    ...callOptions(options),
    ...call,
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token, audiences: options.audiences },
    },
  });
  const status = expectField<TokenReviewStatus>(
    answer,
    { kind: "TokenReview", field: "status" },
    call,
  );
  return status;
}

/**
 * Returns the user of the client as the server knows it, as `kubectl auth whoami` does.
 *
 * @throws {DecodeError} When the response has no user.
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
export async function whoAmI(client: RestCalls, options: CallOptions = {}): Promise<UserInfo> {
  const call = { method: "POST", path: "/apis/authentication.k8s.io/v1/selfsubjectreviews" };
  const answer = await client.requestJson({
    ...options,
    ...call,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  const status = expectField<{ userInfo: UserInfo }>(answer, {
    kind: "SelfSubjectReview",
    field: "status",
    has: ["userInfo", "object"],
  }, call);
  return status.userInfo;
}
