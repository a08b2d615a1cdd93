/**
 * Mirrors sigs.k8s.io/controller-runtime/pkg/metrics/filters/filters.go,
 * WithAuthenticationAndAuthorization.
 */
import { createHash } from "node:crypto";
import { getLogger } from "@logtape/logtape";
import { type Clock, errorText } from "@xca/apimachinery/base";
import type { RestCalls } from "../../client/calls/rest.ts";
import { isForbidden } from "../../client/errors/api_error.ts";
import { reviewAccess, reviewOwnAccess } from "../../client/subresources/access_review.ts";
import { reviewToken, type UserInfo } from "../../client/subresources/token_request.ts";
import { metricsNeeds } from "../../rbac/rules_of.ts";
import { DecisionCache } from "./decision_cache.ts";
import { type Endpoint, plain } from "./routes.ts";

const logger = getLogger(["xca", "manager", "access"]);

/**
 * The times for which decisions are cached, in milliseconds: for a token, for a granted permission
 * and for a denied one. A revoked permission ends within one minute, with controller-runtime within
 * five.
 */
const TOKEN_MS = 60_000;
const ALLOWED_MS = 60_000;
const DENIED_MS = 30_000;
/**
 * The time limit of a TokenReview or SubjectAccessReview, in milliseconds; then the request gets a
 * 503 response.
 */
const REVIEW_MS = 10_000;

const ADVICE = "bind its service account to the ClusterRole system:auth-delegator, which allows " +
  "create of tokenreviews.authentication.k8s.io and subjectaccessreviews.authorization.k8s.io";

/**
 * A check that admits the requests whose bearer token the API server authenticates, and whose user
 * may use the verb of the request on its path (`nonResourceURLs`). Decisions are cached for 30
 * seconds (denied permissions) or one minute (others).
 *
 * The check differs from controller-runtime in the status: a token that is not valid is answered
 * with 401, and a review that fails with 503; both have the status 500 in controller-runtime. No
 * token is logged or stored: decisions are stored by the token's hash.
 */
export class AccessCheck {
  readonly #client: RestCalls;
  readonly #users: DecisionCache<UserInfo | undefined>;
  readonly #permissions: DecisionCache<boolean>;

  /** Creates an access check that sends TokenReviews and SubjectAccessReviews by a client. */
  constructor(client: RestCalls, clock: Clock) {
    this.#client = client;
    this.#users = new DecisionCache(clock);
    this.#permissions = new DecisionCache(clock);
  }

  /**
   * Rejects if the API server says that this process may not send access reviews. A check that
   * fails otherwise, such as without a connection, is ignored.
   *
   * @throws {Error} When this process may not send them; the message names the missing permission.
   * @throws {unknown} The reason of `signal`.
   */
  async checkOwnRights(signal: AbortSignal): Promise<void> {
    for (const { verb, group, resource } of metricsNeeds()) {
      const access = { verb, type: { group, version: "v1", plural: resource } };
      const decision = await reviewOwnAccess(this.#client, access, { signal, timeoutMs: REVIEW_MS })
        .catch((error) => {
          signal.throwIfAborted();
          logger.debug("Cannot check the rights of this process: {reason}", {
            reason: errorText(error),
          });
        });
      if (decision?.allowed === false) {
        throw new Error(
          `Cannot authorize readers of the metrics: this process may not ${verb} ${resource}.${group}; ` +
            `${ADVICE}; or serve the metrics without TLS and access check (insecure)`,
        );
      }
    }
  }

  /**
   * Returns an endpoint that passes on only the requests that the access check admits, and answers
   * the others with 401 (without a valid token), 403 (not allowed) or 503 (the review failed).
   */
  guard(endpoint: Endpoint): Endpoint {
    return async (request) => await this.#refusal(request) ?? await endpoint(request);
  }

  async #refusal(request: Request): Promise<Response | undefined> {
    const token = bearerToken(request.headers.get("authorization"));
    if (token === undefined) return unauthorized("send a bearer token");
    const path = new URL(request.url).pathname;
    const verb = request.method.toLowerCase();
    try {
      const user = await this.#userOf(token);
      if (!user) return unauthorized("the token is not valid");
      if (await this.#isAllowed(user, verb, path)) return undefined;
      return plain(
        403,
        `Authorization denied for user ${user.username}: grant it ${verb} of the nonResourceURL ${path}`,
      );
    } catch (error) {
      const reason = errorText(error).replaceAll(token, "<token>");
      const advice = isForbidden(error) ? `; ${ADVICE}` : "";
      logger.error(`Cannot check the access to {path}: {reason}${advice}`, { path, reason });
      return plain(503, "the API server could not check the access; the log has the reason", {
        "retry-after": "5",
      });
    }
  }

  /** Returns the user of a bearer token; `undefined` when the token is not valid. */
  #userOf(token: string): Promise<UserInfo | undefined> {
    const key = createHash("sha256").update(token).digest("hex");
    return this.#users.of(key, async () => {
      const review = await reviewToken(this.#client, token, { timeoutMs: REVIEW_MS });
      return { value: review.authenticated ? review.user ?? {} : undefined, holdsMs: TOKEN_MS };
    });
  }

  #isAllowed(user: UserInfo, verb: string, path: string): Promise<boolean> {
    const { username, groups, uid, extra } = user;
    const key = JSON.stringify([verb, path, username, uid, groups, extra]);
    return this.#permissions.of(key, async () => {
      const subject = { user: username, groups, uid, extra };
      const options = { timeoutMs: REVIEW_MS };
      const { allowed } = await reviewAccess(this.#client, subject, { verb, path }, options);
      return { value: allowed, holdsMs: allowed ? ALLOWED_MS : DENIED_MS };
    });
  }
}

/**
 * Returns the bearer token of an `Authorization` header; `undefined` without a header, with another
 * scheme, and unless one word follows the scheme (request/bearertoken/bearertoken.go,
 * AuthenticateRequest).
 */
function bearerToken(header: string | null): string | undefined {
  const [scheme, token, ...rest] = (header ?? "").trim().split(" ");
  const isBearer = scheme?.toLowerCase() === "bearer" && token && rest.length === 0;
  return isBearer ? token : undefined;
}

function unauthorized(reason: string): Response {
  return plain(401, `Unauthorized: ${reason}`, { "www-authenticate": "Bearer" });
}
