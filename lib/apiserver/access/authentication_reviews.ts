// Mirrors `registry/authentication/tokenreview/storage.go, REST.Create` and
// `registry/authentication/selfsubjectreview/rest.go, REST.Create`.
import type { RequestUser } from "@xca/apimachinery/internal/access";
import { badRequest } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { formatTime } from "@xca/apimachinery/meta";
import type { Endpoints } from "../machinery/endpoint.ts";
import { bearerToken } from "./tokens/bearer_token.ts";
import type { TokenAnswer } from "./tokens/token_issuer.ts";

const GROUP = "authentication.k8s.io";

/** Returns the endpoints of group `authentication.k8s.io`: TokenReview and SelfSubjectReview. */
export function authenticationReviews(
  byToken: (token: string, audiences?: readonly string[]) => TokenAnswer,
): Endpoints {
  return {
    [`tokenreviews.${GROUP}`]: {
      create(body, context) {
        const { token, audiences } = (body["spec"] ?? {}) as {
          token?: string;
          audiences?: readonly string[];
        };
        if (!token) throw badRequest("token is required for TokenReview in authentication");
        const sent = bearerToken(`Bearer ${token}`);
        const found: TokenAnswer = sent === undefined
          ? {}
          : byToken(sent, audiences?.length ? audiences : undefined);
        if (found.warning !== undefined) context.warn(found.warning);
        return { ...body, status: tokenStatus(found) };
      },
    },
    [`selfsubjectreviews.${GROUP}`]: {
      create(body, context): ApiObject {
        const { apiVersion, kind } = body;
        return {
          ...(apiVersion && { apiVersion }),
          ...(kind && { kind }),
          metadata: { creationTimestamp: formatTime(context.now) },
          status: { userInfo: userInfo(context.user) },
        };
      },
    },
  };
}

function tokenStatus({ user, audiences, error }: TokenAnswer): unknown {
  if (!user) return { user: {}, ...(error && { error }) };
  return { authenticated: true, user: userInfo(user), audiences };
}

function userInfo({ name, uid, groups, extra }: RequestUser): unknown {
  return {
    ...(name && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}
