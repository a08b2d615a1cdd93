import type { Clock, Random } from "@xca/apimachinery/base";
import type { UserInfo } from "@xca/apimachinery/internal/access";
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import type { ServerState } from "../machinery/server_state.ts";
import { type JsonWebKey, parseToken, TokenKey } from "./jwt.ts";
import { quotedList } from "./policy_rule.ts";

/** Who issues the tokens of service accounts, and for whom they are meant where nothing is said. */
export const ISSUER = "https://kubernetes.default.svc";

/** A name with the identity of the object that bore it. */
interface Ref {
  readonly name: string;
  readonly uid?: string;
}

/** What is particular to these tokens, under `kubernetes.io`. */
interface KubernetesClaims {
  readonly namespace?: string;
  readonly serviceaccount?: Ref;
  readonly pod?: Ref;
  readonly secret?: Ref;
  readonly node?: Ref;
  readonly warnafter?: number;
}

/** What a token is issued for. */
export interface TokenOrder {
  readonly serviceAccount: ApiObject;
  /** Each binds the token to this object: it ends with it. */
  readonly pod?: ApiObject;
  readonly secret?: ApiObject;
  /** The node itself, or that of the pod. */
  readonly node?: Ref;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** From when on its use is noted as stale, in seconds from now. */
  readonly warnAfterSeconds?: number;
}

/** Options of {@linkcode TokenIssuer}. */
export interface TokenIssuerInit {
  readonly state: ServerState;
  readonly clock: Clock;
  readonly random: Random;
  /** The signing key as PEM text, called when the first token is issued or verified. */
  readonly key: () => string;
}

/** Whose a token is, and which of the wanted audiences it is for. */
export interface VerifiedToken {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
}

/** What a bearer token says of its bearer. */
export interface TokenAnswer {
  readonly user?: UserInfo;
  readonly audiences?: readonly string[];
  /** Why it says nothing, in the real server's words. */
  readonly error?: string;
}

/** A token that the issuer signed, or says so, and that does not hold. The message says why. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

/** Clocks may differ, as may what a client takes for now. */
const LEEWAY_SECONDS = 60;

/** Issues and verifies the tokens of service accounts. */
export class TokenIssuer {
  /** For whom a token is meant where nothing is said. */
  readonly audiences: readonly string[] = [ISSUER];
  readonly #init: TokenIssuerInit;
  #key: TokenKey | undefined;

  constructor(init: TokenIssuerInit) {
    this.#init = init;
  }

  /** Signs a token. */
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
   * Whose a token is; `undefined` when another issued it, or it is no such token at all.
   *
   * @throws {TokenRefused} When it does not hold.
   */
  verify(token: string, wanted: readonly string[] = this.audiences): VerifiedToken | undefined {
    const parsed = parseToken(token);
    if (parsed?.claims["iss"] !== ISSUER) return undefined;
    const key = this.#signingKey();
    const kid = parsed.header["kid"];
    if (kid !== undefined && kid !== key.id) {
      throw new TokenRefused("invalid signature, no keys found");
    }
    if (!key.verifies(parsed)) {
      throw new TokenRefused("go-jose/go-jose: error in cryptographic primitive");
    }
    const { claims } = parsed;
    const meant = claims["aud"] as readonly string[];
    const audiences = meant.filter((each) => wanted.includes(each));
    if (audiences.length === 0) {
      throw new TokenRefused(
        `token audiences ${quotedList(meant)} is invalid for the target audiences ${
          quotedList(wanted)
        }`,
      );
    }
    this.#checkTime(claims as { exp: number; nbf: number; iat: number });
    const user = this.#userOf(claims["kubernetes.io"] as KubernetesClaims, claims["jti"] as string);
    return { user, audiences };
  }

  /** The public keys, as `/openid/v1/jwks` shows them. */
  get keys(): readonly JsonWebKey[] {
    return [this.#signingKey().jwk];
  }

  /** The algorithm of the signatures. */
  get algorithm(): string {
    return this.#signingKey().algorithm;
  }

  #signingKey(): TokenKey {
    return this.#key ??= TokenKey.fromPem(this.#init.key());
  }

  #nowSeconds(): number {
    return Math.floor(this.#init.clock.now().getTime() / 1000);
  }

  #checkTime({ exp, nbf, iat }: { exp: number; nbf: number; iat: number }): void {
    const now = this.#nowSeconds();
    if (now > exp + LEEWAY_SECONDS) throw new TokenRefused("service account token has expired");
    if (now < nbf - LEEWAY_SECONDS) {
      throw new TokenRefused("service account token is not valid yet");
    }
    if (now < iat - LEEWAY_SECONDS) {
      throw new TokenRefused("service account token is issued in the future");
    }
  }

  /** The account must be there still, and so must what the token is bound to. */
  #userOf(claims: KubernetesClaims, jti: string): UserInfo {
    const { namespace = "", serviceaccount, pod, secret, node } = claims;
    const { name, uid } = serviceaccount!;
    this.#checkAccount(namespace, serviceaccount!);
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
    const account = this.#init.state.get("", "serviceaccounts", namespace, name);
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
    const object = this.#init.state.get("", resource, namespace, name);
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

const BOUND = {
  secrets: ["secret", "secret"],
  pods: ["pod", "pod"],
  nodes: ["node", "node"],
} as const;

/** The groups that a service account is in by its nature. */
export function serviceAccountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

function refOf({ metadata: { name, uid } }: ApiObject): Ref {
  return { name: name!, ...(uid !== undefined && { uid }) };
}
