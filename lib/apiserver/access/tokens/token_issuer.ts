// Mirrors `pkg/serviceaccount/jwt.go, jwtTokenAuthenticator.AuthenticateToken` and
// `pkg/serviceaccount/claims.go, Claims`.
import type { Clock, Random } from "@xca/apimachinery/base";
import type { RequestUser } from "@xca/apimachinery/internal/access";
import {
  type JsonWebKey,
  LEGACY_ISSUER,
  parseToken,
  TokenKey,
} from "@xca/apimachinery/internal/pki";
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import { legacyUser } from "./legacy_tokens.ts";
import { quotedList } from "../policy_rule.ts";
import { serviceAccountGroups } from "./service_account_groups.ts";
import { TokenRefused } from "./token_refused.ts";

/** The issuer (`iss`) of service account tokens, and their audience where a request names none. */
export const ISSUER = "https://kubernetes.default.svc";

/** A reference to an object in the claims of a service account token, by name and UID. */
interface Ref {
  readonly name: string;
  readonly uid?: string;
}

/** The claims of a service account token under `kubernetes.io` (`serviceaccount.privateClaims`). */
interface KubernetesClaims {
  readonly namespace?: string;
  readonly serviceaccount?: Ref;
  readonly pod?: Ref;
  readonly secret?: Ref;
  readonly node?: Ref;
  readonly warnafter?: number;
}

/** The contents of a service account token to issue, for {@linkcode TokenIssuer.issue}. */
export interface TokenOrder {
  readonly serviceAccount: ApiObject;
  /**
   * The pod that the service account token is bound to: the token becomes invalid when the pod is
   * deleted.
   */
  readonly pod?: ApiObject;
  /**
   * The Secret that the service account token is bound to: the token becomes invalid when the
   * Secret is deleted.
   */
  readonly secret?: ApiObject;
  /**
   * The node that the service account token is bound to, or the node of the pod to which the token
   * is bound.
   */
  readonly node?: Ref;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /**
   * The number of seconds from the issue of the service account token to the time from which its
   * use counts as stale (the claim `warnafter`, which this server does not check). Absent or 0: no
   * claim.
   */
  readonly warnAfterSeconds?: number;
}

/**
 * Options of the class {@linkcode TokenIssuer}, which issues and verifies service account tokens.
 */
export interface TokenIssuerInit {
  readonly registry: RegistryReader;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Returns the private key that signs service account tokens, as PEM text; called when the first
   * token is issued or verified.
   */
  readonly key: () => string;
  /**
   * A function that {@linkcode TokenIssuer.verify} calls with the Secret of each verified token
   * that is stored in a Secret, also if the Secret marks the token as invalid.
   */
  readonly noteUse: (secret: ApiObject) => void;
}

/**
 * The result of {@linkcode TokenIssuer.verify} for a valid service account token: its user, and
 * those of the required audiences that the token has.
 */
export interface VerifiedToken {
  readonly user: RequestUser;
  readonly audiences: readonly string[];
  /**
   * The warning to the client about the use of the verified token; absent unless its service
   * account lists the Secret that stores the token.
   */
  readonly warning?: string;
}

/**
 * The result of authenticating a bearer token, by `Access.byToken`: a user, or the reason why there
 * is none; empty for a request without a token.
 */
export interface TokenAnswer {
  readonly user?: RequestUser;
  readonly audiences?: readonly string[];
  /** The reason why the bearer token authenticates no user, in kube-apiserver's wording. */
  readonly error?: string;
  /** The warning to the client about the use of the bearer token. */
  readonly warning?: string;
}

/**
 * The difference of clocks that is tolerated when a service account token's times are checked, in
 * seconds (`jwt.DefaultLeeway`).
 */
const LEEWAY_SECONDS = 60;

/** The issuer and verifier of an API server's service account tokens. */
export class TokenIssuer {
  /** The audiences of a service account token whose request names none. */
  readonly audiences: readonly string[] = [ISSUER];
  readonly #init: TokenIssuerInit;
  #key: TokenKey | undefined;

  constructor(init: TokenIssuerInit) {
    this.#init = init;
  }

  /**
   * Returns a new signed service account token, a JSON Web Token. Does not check that the objects
   * of the order exist.
   */
  issue(order: TokenOrder): string {
    const { serviceAccount: { metadata }, pod, secret, node, warnAfterSeconds } = order;
    const now = this.#nowSeconds();
    const kubernetes: KubernetesClaims = {
      namespace: metadata.namespace!,
      ...(node && { node }),
      ...(pod && { pod: refOf(pod) }),
      ...(secret && { secret: refOf(secret) }),
      serviceaccount: refOf(order.serviceAccount),
      ...(warnAfterSeconds && { warnafter: now + warnAfterSeconds }),
    };
    return this.#signingKey().sign({
      aud: order.audiences,
      exp: now + order.expirationSeconds,
      iat: now,
      iss: ISSUER,
      jti: this.#init.random.uuid(),
      "kubernetes.io": kubernetes,
      nbf: now,
      sub: `system:serviceaccount:${metadata.namespace}:${metadata.name}`,
    });
  }

  /**
   * Verifies a service account token: its signature, audiences, times (not of a token that is
   * stored in a Secret), account and the objects that it is bound to. Returns its user and those of
   * the wanted audiences that it has.
   *
   * @returns `undefined` when the token names another issuer, or is not a JSON Web Token.
   *
   * @throws {TokenRefused} When the token is not valid, or has none of the wanted audiences.
   */
  verify(token: string, wanted: readonly string[] = this.audiences): VerifiedToken | undefined {
    const parsed = parseToken(token);
    const isLegacy = parsed?.claims["iss"] === LEGACY_ISSUER;
    if (!parsed || !isLegacy && parsed.claims["iss"] !== ISSUER) return undefined;
    const key = this.#signingKey();
    const kid = parsed.header["kid"];
    if (kid !== undefined && kid !== key.id) {
      throw new TokenRefused("invalid signature, no keys found");
    }
    if (!key.verifies(parsed)) {
      throw new TokenRefused("go-jose/go-jose: error in cryptographic primitive");
    }
    const claims = checkedClaims(parsed.claims);
    const { aud = [] } = claims;
    const named = typeof aud === "string" ? [aud] : aud;
    const meant = named.length > 0 ? named : this.audiences;
    const audiences = meant.filter((each) => wanted.includes(each));
    if (audiences.length === 0) {
      throw new TokenRefused(
        `token audiences ${quotedList(meant)} is invalid for the target audiences ${
          quotedList(wanted)
        }`,
      );
    }
    if (isLegacy) return { ...legacyUser(token, parsed.claims, this.#init), audiences };
    this.#checkTime(claims);
    return { user: this.#userOf(claims["kubernetes.io"] ?? {}, claims.jti ?? ""), audiences };
  }

  /** The public keys that verify service account tokens, as `/openid/v1/jwks` serves them. */
  get keys(): readonly JsonWebKey[] {
    return [this.#signingKey().jwk];
  }

  /** The algorithm by which service account tokens are signed, such as `ES256`. */
  get algorithm(): string {
    return this.#signingKey().algorithm;
  }

  #signingKey(): TokenKey {
    return this.#key ??= TokenKey.fromPem(this.#init.key());
  }

  #nowSeconds(): number {
    return Math.floor(this.#init.clock.now().getTime() / 1000);
  }

  /**
   * Checks the current time against the times in a service account token's claims, with a tolerance
   * of {@linkcode LEEWAY_SECONDS} (`jwt.Claims.ValidateWithLeeway`). Absent times are not checked.
   *
   * @throws {TokenRefused} When the token has expired or is not valid yet.
   */
  #checkTime({ exp, nbf, iat }: VerifiedClaims): void {
    const now = this.#nowSeconds();
    if (exp !== undefined && now > exp + LEEWAY_SECONDS) {
      throw new TokenRefused("service account token has expired");
    }
    if (nbf !== undefined && now < nbf - LEEWAY_SECONDS) {
      throw new TokenRefused("service account token is not valid yet");
    }
    if (iat !== undefined && now < iat - LEEWAY_SECONDS) {
      throw new TokenRefused("service account token is issued in the future");
    }
  }

  /**
   * Returns the user of a service account token, after checking that the account and the objects
   * that the token is bound to exist. The node of a pod is not checked.
   *
   * @throws {TokenRefused} When one of them does not exist, has another uid than the token names,
   * or should have been deleted more than {@linkcode LEEWAY_SECONDS} seconds ago.
   */
  #userOf(claims: KubernetesClaims, jti: string): RequestUser {
    const { namespace = "", serviceaccount = { name: "" }, pod, secret, node } = claims;
    const { name, uid } = serviceaccount;
    this.#checkAccount(namespace, serviceaccount);
    if (secret) this.#checkBound("secrets", namespace, secret);
    if (pod) this.#checkBound("pods", namespace, pod);
    else if (node) this.#checkBound("nodes", "", node);
    const extra: [string, string | undefined][] = [
      ["credential-id", `JTI=${jti}`],
      ["node-name", node?.name],
      ["node-uid", node?.uid],
      ["pod-name", pod?.name],
      ["pod-uid", pod?.uid],
    ];
    return {
      name: `system:serviceaccount:${namespace}:${name}`,
      ...(uid !== undefined && { uid }),
      groups: serviceAccountGroups(namespace),
      extra: Object.fromEntries(
        extra.flatMap(([key, value]) =>
          value ? [[`authentication.kubernetes.io/${key}`, [value]]] : []
        ),
      ),
    };
  }

  #checkAccount(namespace: string, { name, uid }: Ref): void {
    const account = this.#init.registry.get("", "serviceaccounts", namespace, name);
    if (!account) throw new TokenRefused(`serviceaccounts ${goQuote(name)} not found`);
    if (account.metadata.uid !== uid) {
      throw new TokenRefused(
        `service account UID (${account.metadata.uid}) does not match claim (${uid})`,
      );
    }
    if (this.#isDeleted(account)) {
      throw new TokenRefused(`service account ${namespace}/${name} has been deleted`);
    }
  }

  #checkBound(resource: keyof typeof BOUND, namespace: string, { name, uid }: Ref): void {
    const object = this.#init.registry.get("", resource, namespace, name);
    if (object && object.metadata.uid !== uid) {
      const [kind, ref] = BOUND[resource];
      throw new TokenRefused(
        `${kind} UID (${object.metadata.uid}) does not match service account ${ref} ref claim (${uid})`,
      );
    }
    if (!object || this.#isDeleted(object)) {
      throw new TokenRefused("service account token has been invalidated");
    }
  }

  #isDeleted({ metadata: { deletionTimestamp } }: ApiObject): boolean {
    return deletionTimestamp !== undefined &&
      Date.parse(deletionTimestamp) / 1000 < this.#nowSeconds() - LEEWAY_SECONDS;
  }
}

/**
 * The claims of a service account token whose signature is valid, with the types that {@linkcode
 * checkedClaims} has checked, since another program may have signed the token with the same key.
 */
interface VerifiedClaims {
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly iat?: number;
  readonly jti?: string;
  readonly "kubernetes.io"?: KubernetesClaims;
}

/**
 * Returns the claims of a service account token, unchanged, after checking their types.
 *
 * @throws {TokenRefused} When a claim has another type.
 */
function checkedClaims(claims: Readonly<Record<string, unknown>>): VerifiedClaims {
  for (const [path, isRight] of CLAIM_TYPES) {
    const value = path.split("/").reduce<unknown>(
      (inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name],
      claims,
    );
    if (value !== undefined && !isRight(value)) {
      throw new TokenRefused(`the claim ${path.replaceAll("/", ".")} has another type`);
    }
  }
  return claims;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The type of each claim that the verification of a service account token reads; an object is
 * listed before its fields.
 */
const CLAIM_TYPES: readonly (readonly [path: string, isRight: (value: unknown) => boolean])[] = [
  ["aud", (value) => isText(value) || Array.isArray(value) && value.every(isText)],
  ["exp", isNumber],
  ["nbf", isNumber],
  ["iat", isNumber],
  ["jti", isText],
  ["kubernetes.io", isObject],
  ["kubernetes.io/namespace", isText],
  ...["serviceaccount", "pod", "secret", "node"].flatMap((name) =>
    [
      [`kubernetes.io/${name}`, isObject],
      [`kubernetes.io/${name}/name`, isText],
      [`kubernetes.io/${name}/uid`, isText],
    ] as const
  ),
];

const BOUND = {
  secrets: ["secret", "secret"],
  pods: ["pod", "pod"],
  nodes: ["node", "node"],
} as const;

function refOf({ metadata: { name, uid } }: ApiObject): Ref {
  return { name: name!, ...(uid !== undefined && { uid }) };
}
