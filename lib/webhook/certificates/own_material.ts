import { X509Certificate } from "node:crypto";
import type { V1Secret } from "@xca/apimachinery/kubernetes-types";
import { certificatesIn } from "@xca/apimachinery/internal/pki";
import type { PemPair } from "@xca/apimachinery/pki";

/** The certificates and keys of a webhook server that signs its own, as a Secret stores them. */
export interface OwnMaterial {
  /**
   * The certificate authorities that clients should trust, as PEM texts in the order in which they
   * become valid: earlier ones until they expire, the one that signs, and the next one.
   */
  readonly trusted: readonly string[];
  /**
   * The certificate authority that signs the serving certificate; `undefined` when its certificate
   * or its key is missing in the Secret.
   */
  readonly signing: PemPair | undefined;
  /**
   * The certificate authority that will sign once every client trusts it; `undefined` for none, and
   * when its certificate or its key is missing in the Secret.
   */
  readonly next: PemPair | undefined;
  /**
   * The serving certificate in the Secret; `undefined` when the certificate or its key is missing.
   */
  readonly serving: PemPair | undefined;
}

/**
 * The keys of the Secret's data. The keys that Secrets of type `kubernetes.io/tls` and cert-manager
 * also have are named as there.
 */
const KEYS = {
  serving: "tls.crt",
  servingKey: "tls.key",
  trusted: "ca.crt",
  signing: "ca-signing.crt",
  signingKey: "ca-signing.key",
  next: "ca-next.crt",
  nextKey: "ca-next.key",
} as const;

/**
 * The certificates and keys of a webhook server whose Secret does not exist or has no data: none.
 */
export const NO_MATERIAL: OwnMaterial = {
  trusted: [],
  signing: undefined,
  next: undefined,
  serving: undefined,
};

/**
 * Returns the certificates and keys in a Secret; a value that is not base64 counts as missing, and
 * damaged authorities are left out of `trusted`. The certificates of the present and the next
 * signing authority count as trusted.
 */
export function materialOf({ data = {} }: Pick<V1Secret, "data">): OwnMaterial {
  const text = (key: string): string => decoded(data[key] ?? "");
  const pair = (cert: string, key: string): PemPair | undefined =>
    text(cert) !== "" && text(key) !== "" ? { cert: text(cert), key: text(key) } : undefined;
  const signing = pair(KEYS.signing, KEYS.signingKey);
  const next = pair(KEYS.next, KEYS.nextKey);
  const trusted = [...certificatesIn(text(KEYS.trusted)), signing?.cert, next?.cert];
  return {
    trusted: inOrder(trusted.filter((each) => each !== undefined).flatMap(certificatesIn)),
    signing,
    next,
    serving: pair(KEYS.serving, KEYS.servingKey),
  };
}

/**
 * Returns a copy of a Secret's data with the certificates and keys replaced, and absent ones
 * removed; data of other keys is kept.
 */
export function withMaterial(
  data: Readonly<Record<string, string>>,
  { trusted, signing, next, serving }: OwnMaterial,
): Record<string, string> {
  const own: readonly string[] = Object.values(KEYS);
  const kept = Object.entries(data).filter(([key]) => !own.includes(key));
  const texts = {
    [KEYS.serving]: serving?.cert,
    [KEYS.servingKey]: serving?.key,
    [KEYS.trusted]: bundleOf({ trusted }),
    [KEYS.signing]: signing?.cert,
    [KEYS.signingKey]: signing?.key,
    [KEYS.next]: next?.cert,
    [KEYS.nextKey]: next?.key,
  };
  const present = Object.entries(texts).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  );
  return Object.fromEntries([...kept, ...present.map(([key, text]) => [key, encoded(text)])]);
}

/**
 * Returns the certificate authorities that clients should trust as one PEM text, the value of
 * `caBundle`.
 */
export function bundleOf({ trusted }: Pick<OwnMaterial, "trusted">): string {
  return trusted.join("");
}

/**
 * Returns the certificates that can be parsed, without duplicates and in the order in which they
 * become valid, so that the `caBundle` changes only when its certificates change.
 */
export function inOrder(certificates: readonly string[]): string[] {
  const known = new Map<string, number>();
  for (const text of certificates) {
    try {
      known.set(text, new Date(new X509Certificate(text).validFrom).getTime());
    } catch {
      continue; // A damaged certificate helps no client.
    }
  }
  return [...known.entries()]
    .sort(([a, from], [b, to]) => from - to || (a < b ? -1 : 1))
    .map(([text]) => text);
}

/** Decodes base64 text of Kubernetes' JSON; returns an empty text when it is invalid. */
export function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(base64));
  } catch {
    return "";
  }
}

/** Encodes a text as base64, the form of bytes in Kubernetes' JSON. */
export function encoded(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
