// Mirrors `endpoints/filters/authentication.go, WithAuthentication` and
// `endpoints/filters/authorization.go, WithAuthorization`.
import type { Clock, Random } from "@xca/apimachinery/base";
import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  RequestUser,
} from "@xca/apimachinery/internal/access";
import { unauthorized } from "@xca/apimachinery/internal/errors";
import { freshSigningKey } from "@xca/apimachinery/internal/pki";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { isPathSegment } from "@xca/apimachinery/meta";
import type { Endpoints } from "../machinery/endpoint.ts";
import type { Registry } from "../machinery/registry.ts";
import type { RegistryReader } from "../machinery/registry_reader.ts";
import { accessReviews } from "./access_reviews.ts";
import { authenticationReviews } from "./authentication_reviews.ts";
import { EscalationCheck } from "./escalation.ts";
import { fieldTermsOf } from "./field_terms.ts";
import { type Flow, FlowSchemas } from "./flow_schemas.ts";
import { impersonate, wantedUser } from "./impersonation.ts";
import { authorizeNode } from "./node_authorizer.ts";
import { authorizeByRoles, forbiddenAccess, MASTERS } from "./role_authorizer.ts";
import { RoleRules } from "./role_rules.ts";
import { StaticTokenBook, type StaticTokens } from "./tokens/static_tokens.ts";
import { labelLastUse } from "./tokens/legacy_tokens.ts";
import { type TokenAnswer, TokenIssuer } from "./tokens/token_issuer.ts";
import { TokenRefused } from "./tokens/token_refused.ts";
import { bearerToken } from "./tokens/bearer_token.ts";
import { webSocketToken } from "./tokens/web_socket_token.ts";

/**
 * Facts about the client connection of a request that its `Request` does not carry. A request with
 * a peer, even an empty one, needs credentials.
 */
export interface PeerInfo {
  /**
   * The user that the client's verified TLS certificate names; absent for a client without a
   * certificate.
   */
  readonly user?: RequestUser;
  /**
   * The headers of the HTTP request as they were sent: alternating names and values. Impersonation
   * reads them; if absent, the headers of the `Request`, which joins repeated headers.
   */
  readonly rawHeaders?: readonly string[];
  /** The IP address of the client that sent the request. */
  readonly address?: string;
}

/**
 * The administrator: the user of `ApiServer.fetch` calls without a peer and without an
 * `Authorization` header.
 */
const ADMINISTRATOR: RequestUser = {
  name: "system:admin",
  groups: [MASTERS, "system:authenticated"],
};

/**
 * The facts that {@linkcode Access.admit} records about a request, for the audit log and the
 * response headers. A field is absent until it is determined, and `impersonated` also without
 * impersonation.
 */
export interface AdmitNotes {
  user?: RequestUser | undefined;
  impersonated?: RequestUser | undefined;
  decision?: AccessDecision | undefined;
  flow?: Flow | undefined;
  /** The warning to the client about the bearer token of the request; `undefined` for none. */
  warning?: string | undefined;
}

/** Options of the class {@linkcode Access}, which authenticates and authorizes requests. */
export interface AccessInit {
  /**
   * Returns the server's registry. The option is a function, since the registry uses the `Access`
   * object and is created after that.
   */
  readonly registry: () => Registry;
  readonly clock: Clock;
  readonly random: Random;
  /** The PEM-encoded private key that signs service account tokens. @default {a new random key} */
  readonly signingKey?: string | undefined;
  /** The users that static bearer tokens authenticate, by token. @default {none} */
  readonly tokens?: StaticTokens | undefined;
}

/**
 * The authenticator and authorizer of the requests to an API server, and the issuer of its service
 * account tokens.
 */
export class Access {
  /** The issuer and verifier of service account tokens. */
  readonly issuer: TokenIssuer;
  /** The lookup of the RBAC rules that the stored roles and bindings grant a user. */
  readonly rules: RoleRules;
  /** Returns the decision whether a user may perform a request, and the reason of the decision. */
  readonly authorize: Authorizer;
  /**
   * The admission plugin that rejects roles and bindings which grant more than the requester holds,
   * unless the requester may `escalate` or `bind` (RBAC privilege escalation check). The plugin
   * runs after all other mutating admission plugins.
   */
  readonly escalation: EscalationCheck;
  /**
   * The endpoints of the review APIs in the groups `authentication.k8s.io` and
   * `authorization.k8s.io`, such as TokenReview.
   */
  readonly endpoints: Endpoints;
  readonly #tokens: StaticTokenBook;
  readonly #flows: FlowSchemas;

  constructor({ registry, clock, random, signingKey, tokens = {} }: AccessInit) {
    const reader = {
      get: (...at: Parameters<Registry["get"]>) => registry().get(...at),
      list: (...at: Parameters<Registry["list"]>) => registry().list(...at),
      get serviceCidr() {
        return registry().serviceCidr;
      },
      get nodePorts() {
        return registry().nodePorts;
      },
    };
    this.rules = new RoleRules(reader);
    this.#flows = new FlowSchemas(reader);
    this.authorize = (asked) => authorizeInOrder(this.rules, reader, asked);
    this.escalation = new EscalationCheck(this.rules, this.authorize);
    const key = (): string => signingKey ?? freshSigningKey();
    const noteUse = (secret: ApiObject) => void labelLastUse(registry(), secret, clock.now());
    this.issuer = new TokenIssuer({ registry: reader, clock, random, key, noteUse });
    this.#tokens = new StaticTokenBook(tokens);
    this.endpoints = {
      ...accessReviews(this.authorize, this.rules),
      ...authenticationReviews((token, audiences) => this.byToken(token, audiences)),
    };
  }

  /** Subscribes to the registry's writes, so that changed roles and flow schemas take effect. */
  follow(registry: Registry): Disposable {
    return registry.subscribe((change) => {
      this.rules.forget(change);
      this.#flows.forget(change);
    });
  }

  /**
   * Returns the user that a request is authenticated as: by client certificate, otherwise by bearer
   * token; without a peer and an `Authorization` header, as the administrator. Where neither a
   * client certificate nor the administrator is taken, sets `notes.warning` to the warning about
   * the bearer token, `undefined` for none.
   *
   * @throws {StatusError} 401 if no credential is valid.
   */
  authenticate(
    request: Request,
    peer: PeerInfo | undefined,
    notes: AdmitNotes = {},
  ): RequestUser {
    if (peer?.user) return peer.user;
    const header = request.headers.get("authorization");
    if (header === null && peer === undefined) return ADMINISTRATOR;
    const token = bearerToken(header ?? "") ?? webSocketToken(request.headers);
    const { user, warning }: TokenAnswer = token === undefined ? {} : this.byToken(token);
    notes.warning = warning;
    if (!user) throw unauthorized();
    return user;
  }

  /**
   * Authenticates a bearer token, a static one or one of a service account, for the given
   * audiences, by default those of the API server. Returns the user and those of the audiences that
   * the token is valid for (all of them for a static token), or the reason why there is no user.
   */
  byToken(token: string, audiences: readonly string[] = this.issuer.audiences): TokenAnswer {
    const known = this.#tokens.find(token);
    if (known) return { user: authenticated(known), audiences };
    try {
      const verified = this.issuer.verify(token, audiences);
      if (!verified) return { error: "invalid bearer token" };
      return { ...verified, user: authenticated(verified.user) };
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      return { error: `[invalid bearer token, ${error.message}]` };
    }
  }

  /**
   * Returns the user that an authenticated request acts as: its own user, or the one that it
   * impersonates.
   *
   * @throws {StatusError} 400 or 403 if the impersonation is not allowed.
   */
  actingUser(
    user: RequestUser,
    asked: Omit<AccessAttributes, "user">,
    request: Request,
    peer: PeerInfo | undefined,
  ): RequestUser {
    const wanted = wantedUser(headerLines(request, peer));
    return wanted ? impersonate(wanted, { ...asked, user }, this.authorize) : user;
  }

  /**
   * Authenticates and authorizes a request, and returns the user that the request acts as: the
   * impersonated user, if any. Sets the fields of `notes` as far as they are determined, also when
   * the request is refused.
   *
   * @throws {StatusError} 400, 401 or 403 if the request is refused.
   */
  admit(
    request: Request,
    asked: Omit<AccessAttributes, "user">,
    peer: PeerInfo | undefined,
    notes: AdmitNotes = {},
  ): RequestUser {
    notes.user = this.authenticate(request, peer, notes);
    const user = this.actingUser(notes.user, asked, request, peer);
    if (user !== notes.user) notes.impersonated = user;
    const { verb, isResource, path, group, version, resource, subresource } = asked;
    const { namespace } = asked;
    const name = asked.name || selectedName(verb, request.url);
    const about = { group, version, resource, subresource, namespace, name };
    const fieldSelector = selectorOf(verb, request.url);
    const attributes = { user, verb, isResource, path, ...about, fieldSelector };
    notes.flow = this.#flows.of(attributes);
    notes.decision = this.authorize(attributes);
    if (!notes.decision.allowed) throw forbiddenAccess(attributes, notes.decision.reason);
    return user;
  }
}

/**
 * Returns the `fieldSelector` parameter of a list, watch or deletecollection request; an empty
 * string if the parameter is absent, and for other requests.
 */
function selectorOf(verb: string, url: string): string {
  const isOfMany = verb === "list" || verb === "watch" || verb === "deletecollection";
  if (!isOfMany || !url.includes("fieldSelector=")) return "";
  return new URL(url).searchParams.get("fieldSelector") ?? "";
}

/**
 * Authorizes a request as kube-apiserver does with `--authorization-mode=Node,RBAC`: members of
 * `system:masters` first, then nodes, then roles.
 */
function authorizeInOrder(
  rules: RoleRules,
  registry: RegistryReader,
  asked: AccessAttributes,
): AccessDecision {
  if (asked.user.groups.includes(MASTERS)) return { allowed: true, reason: "" };
  const verdict = authorizeNode(registry, asked);
  if (verdict === true) return { allowed: true, reason: "" };
  const decision = authorizeByRoles(rules, asked);
  if (decision.allowed || verdict === "") return decision;
  return { ...decision, reason: [verdict, decision.reason].filter((text) => text).join("\n") };
}

/**
 * Returns the name to which the field selector of a list or a watch restricts the request
 * (`metadata.name=...`), and which authorization treats as the name of the requested object; an
 * empty string if there is none.
 */
function selectedName(verb: string, url: string): string {
  if (verb !== "list" && verb !== "watch") return "";
  const name = fieldTermsOf(selectorOf(verb, url))
    .find(({ field, equal }) => equal && field === "metadata.name")?.value;
  return name && isPathSegment(name) ? name : "";
}

/**
 * Returns the user with the group `system:authenticated` added; the user itself if it has the
 * group.
 */
function authenticated(user: RequestUser): RequestUser {
  const group = "system:authenticated";
  return user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };
}

function* headerLines(
  request: Request,
  peer: PeerInfo | undefined,
): Iterable<readonly [string, string]> {
  const raw = peer?.rawHeaders;
  if (raw === undefined) return yield* request.headers;
  for (let at = 0; at < raw.length; at += 2) yield [raw[at]!, raw[at + 1]!];
}
