import type { Clock, Random } from "@xca/apimachinery/base";
import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  RequestUser,
} from "@xca/apimachinery/internal/access";
import { unauthorized } from "@xca/apimachinery/internal/errors";
import { freshSigningKey } from "@xca/apimachinery/internal/pki";
import { isPathSegment } from "@xca/apimachinery/meta";
import type { Endpoints } from "../machinery/endpoint.ts";
import type { Registry } from "../machinery/registry.ts";
import { accessReviews } from "./access_reviews.ts";
import { authenticationReviews } from "./authentication_reviews.ts";
import { EscalationCheck } from "./escalation.ts";
import { type Flow, FlowSchemas } from "./flow_schemas.ts";
import { impersonate, wantedUser } from "./impersonation.ts";
import { authorizeByRoles, forbiddenAccess, MASTERS } from "./role_authorizer.ts";
import { RoleRules } from "./role_rules.ts";
import { StaticTokenBook, type StaticTokens } from "./static_tokens.ts";
import { type TokenAnswer, TokenIssuer, TokenRefused } from "./token_issuer.ts";
import { bearerToken } from "./bearer_token.ts";
import { webSocketToken } from "./web_socket_token.ts";

/** What is known of the caller beside the request. */
export interface PeerInfo {
  /** The user of the verified client certificate. */
  readonly user?: RequestUser;
  /** The request's headers as they came, names and values in turn. */
  readonly rawHeaders?: readonly string[];
  /** The client's IP address. */
  readonly address?: string;
}

/** Whoever holds the server object itself. */
const ADMINISTRATOR: RequestUser = {
  name: "system:admin",
  groups: [MASTERS, "system:authenticated"],
};

/** What {@linkcode Access.admit} finds out on the way. */
export interface AdmitNotes {
  user?: RequestUser | undefined;
  impersonated?: RequestUser | undefined;
  decision?: AccessDecision | undefined;
  flow?: Flow | undefined;
}

/** Options of {@linkcode Access}. */
export interface AccessInit {
  /** Called when it is needed: the registry and this know each other. */
  readonly registry: () => Registry;
  readonly clock: Clock;
  readonly random: Random;
  /** The key that signs the tokens of service accounts, as PEM text. @default {a fresh one} */
  readonly signingKey?: string | undefined;
  /** Users by bearer token. @default {none} */
  readonly tokens?: StaticTokens | undefined;
}

/** Who asks, and whether they may. */
export class Access {
  /** Issues the tokens of service accounts. */
  readonly issuer: TokenIssuer;
  /** What roles allow. */
  readonly rules: RoleRules;
  /** Whether a user may do something. */
  readonly authorize: Authorizer;
  /** Nobody gives away what is not theirs: the last plugin of admission. */
  readonly escalation: EscalationCheck;
  /** The reviews that say who is who and may do what. */
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
    this.authorize = (asked) => authorizeByRoles(this.rules, asked);
    this.escalation = new EscalationCheck(this.rules, this.authorize);
    const key = (): string => signingKey ?? freshSigningKey();
    this.issuer = new TokenIssuer({ registry: reader, clock, random, key });
    this.#tokens = new StaticTokenBook(tokens);
    this.endpoints = {
      ...accessReviews(this.authorize, this.rules),
      ...authenticationReviews((token, audiences) => this.byToken(token, audiences)),
    };
  }

  /** Hears of writes, so that rules are those in storage. */
  follow(registry: Registry): Disposable {
    return registry.subscribe((change) => {
      this.rules.forget(change);
      this.#flows.forget(change);
    });
  }

  /**
   * Who asks: by certificate, by bearer token, or as the holder of the server object.
   *
   * @throws {StatusError} 401 when nothing vouches for the caller.
   */
  authenticate(request: Request, peer: PeerInfo | undefined): RequestUser {
    if (peer?.user) return peer.user;
    const header = request.headers.get("authorization");
    if (header === null && peer === undefined) return ADMINISTRATOR;
    const token = bearerToken(header ?? "") ?? webSocketToken(request.headers);
    const { user } = token === undefined ? {} : this.byToken(token);
    if (!user) throw unauthorized();
    return user;
  }

  /** What a bearer token says, for the given audiences. */
  byToken(token: string, audiences: readonly string[] = this.issuer.audiences): TokenAnswer {
    const known = this.#tokens.find(token);
    if (known) return { user: authenticated(known), audiences };
    try {
      const verified = this.issuer.verify(token, audiences);
      if (!verified) return { error: "invalid bearer token" };
      return { user: authenticated(verified.user), audiences: verified.audiences };
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      return { error: `[invalid bearer token, ${error.message}]` };
    }
  }

  /**
   * For whom a request is made, now that it is known who makes it: themselves, or whom they
   * impersonate.
   *
   * @throws {StatusError} 400 or 403 when they may not.
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
   * Lets a request in: who makes it, for whom, in which flow, and whether they may; noted.
   *
   * @throws {StatusError} 400, 401 or 403 when it is refused.
   */
  admit(
    request: Request,
    asked: Omit<AccessAttributes, "user">,
    peer: PeerInfo | undefined,
    notes: AdmitNotes = {},
  ): RequestUser {
    notes.user = this.authenticate(request, peer);
    const user = this.actingUser(notes.user, asked, request, peer);
    if (user !== notes.user) notes.impersonated = user;
    const { verb, isResource, path, group, version, resource, subresource } = asked;
    const { namespace } = asked;
    const name = asked.name || selectedName(verb, request.url);
    const about = { group, version, resource, subresource, namespace, name };
    const attributes = { user, verb, isResource, path, ...about };
    notes.flow = this.#flows.of(attributes);
    notes.decision = this.authorize(attributes);
    if (!notes.decision.allowed) throw forbiddenAccess(attributes, notes.decision.reason);
    return user;
  }
}

/** A list or a watch that selects one object by its name is about that one. */
function selectedName(verb: string, url: string): string {
  if (verb !== "list" && verb !== "watch" || !url.includes("fieldSelector=")) return "";
  const selector = new URL(url).searchParams.get("fieldSelector") ?? "";
  for (const term of selector.split(",")) {
    const [, name] = /^\s*metadata\.name\s*==?\s*([^=!\s]*)\s*$/.exec(term) ?? [];
    if (name && isPathSegment(name)) return name;
  }
  return "";
}

/** Everyone who is known is in one group. */
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
