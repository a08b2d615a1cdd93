import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { alternativeNames } from "@xca/apimachinery/internal/pki";
import {
  CertificateAuthority,
  checkPair,
  parseCertificate,
  type PemPair,
} from "@xca/apimachinery/pki";
import { bundleOf, inOrder, type OwnMaterial } from "./own_material.ts";

const DAY_MS = 86_400_000;

/**
 * The fraction of a certificate's validity after which the certificate is renewed, less the jitter
 * of the replica, which is at most {@linkcode JITTER}.
 */
const RENEW_AFTER = 2 / 3;

/**
 * The largest fraction of the validity by which a replica renews a certificate earlier, at random,
 * so that usually one replica writes and the others read the result.
 */
const JITTER = 0.05;

/**
 * The time after its expiry for which an authority is still published, in milliseconds, since the
 * clocks of machines differ.
 */
const CLOCK_SKEW_MS = 3_600_000;

/**
 * The time by which a new serving certificate must outlast the present one, in milliseconds.
 * Otherwise a certificate that expires together with its authority would be replaced by one that
 * expires at the same time.
 */
const MIN_GAIN_MS = 60_000;

/** The rules by which certificates are created and renewed. */
export interface RotationRules {
  /**
   * The host names and IP addresses for which the serving certificate is valid; the first 64
   * characters of the first are also its common name.
   */
  readonly names: readonly string[];
  /** The validity of a certificate authority, in days. */
  readonly caDays: number;
  /** The validity of a serving certificate, in days; it never outlasts its authority. */
  readonly servingDays: number;
  /**
   * The time for which all webhook configurations must have contained an authority before it signs,
   * in milliseconds: every API server has observed it by then.
   */
  readonly propagationMs: number;
  /**
   * A random number in [0, 1) of this replica, by which the replicas renew certificates at
   * different times.
   */
  readonly jitter: number;
}

/**
 * The facts, in addition to the certificates and keys, that determine the next step of the
 * rotation.
 */
export interface RotationMoment {
  /** The current time, by which validity and renewals are computed. */
  readonly now: Date;
  /**
   * The time for which all authorities have been in all webhook configurations, in milliseconds; 0
   * while a configuration lacks one, or this replica does not know that all have them.
   */
  readonly publishedForMs: number;
}

/**
 * Returns the certificates and keys after the next step of the rotation; `undefined` when nothing
 * is due. The caller stores the result, unless another replica was faster, and calls again until
 * nothing is due.
 *
 * The order of the steps keeps every certificate in use verifiable:
 *
 * 1. A new authority is published, and signs nothing.
 * 2. The new authority signs once it has been published for
 *    {@linkcode RotationRules.propagationMs}. The key of the earlier authority is deleted.
 * 3. The earlier authority stays published until it expires. Its last certificates expire not later
 *    than itself, so that replicas may take over new certificates arbitrarily late.
 *
 * Without a usable certificate the waits are skipped, since no client can reject a certificate that
 * no server uses.
 */
export async function nextMaterial(
  material: OwnMaterial,
  rules: RotationRules,
  moment: RotationMoment,
): Promise<OwnMaterial | undefined> {
  const { now } = moment;
  const trusted = material.trusted.filter((each) => !isPast(each, now));
  const signing = usable(material.signing, now);
  const next = usable(material.next, now);
  const { serving } = material;
  // A certificate for other names, whose authority cannot sign another, belongs to another program.
  const isServed = isVerified({ serving, trusted }, now) &&
    (signing !== undefined || !lacksNames(serving!, rules));
  if (!serving || !isServed) {
    const authority = signing ?? next ?? await newAuthority(rules, now);
    return await signed(authority, { trusted, next: signing && next }, rules, now);
  }
  if (next && moment.publishedForMs >= rules.propagationMs) {
    return await signed(next, { trusted, next: undefined }, rules, now);
  }
  if (!next && (!signing || isDue(signing, rules, now))) {
    const { cert, key } = await newAuthority(rules, now);
    return { trusted: inOrder([...trusted, cert]), signing, next: { cert, key }, serving };
  }
  if (signing && (isRenewable(serving, signing, rules, now) || lacksNames(serving, rules))) {
    return await signed(signing, { trusted, next }, withOtherNames(serving, rules, now), now);
  }
  const isClean = trusted.length === material.trusted.length && signing === material.signing &&
    next === material.next;
  return isClean ? undefined : { trusted, signing, next, serving };
}

/**
 * Returns the time until a renewal, the use of a published authority or the removal of an expired
 * one is due, in milliseconds; 0 when one is due already, `Infinity` when none will be. To be
 * called when {@linkcode nextMaterial} finds nothing due: missing or invalid certificates do not
 * count.
 */
export function nextStepInMs(
  material: OwnMaterial,
  rules: RotationRules,
  { now, publishedForMs }: RotationMoment,
): number {
  const { signing, next, serving, trusted } = material;
  const renewed = [
    ...(serving && signing && outlasts(signing, serving) ? [serving] : []),
    ...(signing && !next ? [signing] : []),
  ];
  const due = renewed.map((pair) => renewalOf(pair, rules).getTime() - now.getTime());
  const ends = trusted.map((cert) =>
    parseCertificate(cert).notAfter.getTime() + CLOCK_SKEW_MS - now.getTime() + 1
  );
  const publishing = next ? [rules.propagationMs - publishedForMs] : [];
  return Math.max(0, Math.min(...due, ...ends, ...publishing));
}

/**
 * Reports whether clients that trust the stored authorities accept the serving certificate at
 * `now`, whatever its host names; false without a serving certificate or an authority.
 */
export function isVerified(
  { serving, trusted }: Pick<OwnMaterial, "serving" | "trusted">,
  now: Date,
): boolean {
  return serving !== undefined && trusted.length > 0 &&
    checkPair(serving, { at: now, ca: bundleOf({ trusted }) }) === undefined;
}

/**
 * Reports whether a certificate authority expired more than an hour ago, so that it is invalid by
 * every clock.
 */
function isPast(cert: string, now: Date): boolean {
  return now.getTime() > parseCertificate(cert).notAfter.getTime() + CLOCK_SKEW_MS;
}

/**
 * Returns an authority if it can sign; `undefined` when it is missing, damaged, expired or not
 * valid yet, since clients would refuse its certificates.
 */
function usable(authority: PemPair | undefined, now: Date): PemPair | undefined {
  if (!authority) return undefined;
  try {
    CertificateAuthority.load(authority, now);
    const { notBefore, notAfter } = parseCertificate(authority.cert);
    return notBefore <= now && now < notAfter ? authority : undefined;
  } catch {
    return undefined;
  }
}

async function newAuthority({ names, caDays }: RotationRules, now: Date): Promise<PemPair> {
  const name = `${names[0]}-ca@${Math.floor(now.getTime() / 1000)}`;
  return (await CertificateAuthority.create(name, now, { days: caDays })).pair;
}

/**
 * Returns the certificates and keys with a new serving certificate from a certificate authority
 * that signs from then on.
 */
async function signed(
  authority: PemPair,
  { trusted, next }: Pick<OwnMaterial, "trusted" | "next">,
  { names, servingDays }: Pick<RotationRules, "names" | "servingDays">,
  now: Date,
): Promise<OwnMaterial> {
  const ends = parseCertificate(authority.cert).notAfter;
  const days = Math.min(servingDays, (ends.getTime() - now.getTime()) / DAY_MS);
  const serving = await CertificateAuthority.load(authority, now).serving(
    names[0]!.slice(0, 64),
    names.filter((name) => isIP(name) === 0),
    names.filter((name) => isIP(name) !== 0),
    { now, days },
  );
  return { trusted: inOrder([...trusted, authority.cert]), signing: authority, next, serving };
}

function renewalOf({ cert }: PemPair, { jitter }: Pick<RotationRules, "jitter">): Date {
  const { notBefore, notAfter } = parseCertificate(cert);
  const validMs = notAfter.getTime() - notBefore.getTime();
  return new Date(notBefore.getTime() + validMs * (RENEW_AFTER - JITTER * jitter));
}

function isDue(pair: PemPair, rules: RotationRules, now: Date): boolean {
  return now >= renewalOf(pair, rules);
}

/**
 * Reports whether a serving certificate is due for renewal, and its authority can sign one that is
 * valid for longer.
 */
function isRenewable(serving: PemPair, signing: PemPair, rules: RotationRules, now: Date): boolean {
  return isDue(serving, rules, now) && outlasts(signing, serving);
}

function outlasts(authority: PemPair, serving: PemPair): boolean {
  const [last, end] = [authority, serving].map(({ cert }) =>
    parseCertificate(cert).notAfter.getTime()
  );
  return last! - end! > MIN_GAIN_MS;
}

function lacksNames({ cert }: PemPair, { names }: RotationRules): boolean {
  const known = alternativeNames(new X509Certificate(cert));
  return names.some((name) => !known.includes(name));
}

/**
 * Returns the rotation rules, with the host names of the present certificate added if its renewal
 * is not due, so that it is renewed only because it lacks names: replicas of two releases that need
 * different names then agree on all of them.
 */
function withOtherNames(serving: PemPair, rules: RotationRules, now: Date): RotationRules {
  if (isDue(serving, rules, now)) return rules;
  const known = alternativeNames(new X509Certificate(serving.cert));
  return { ...rules, names: [...new Set([...rules.names, ...known])] };
}
