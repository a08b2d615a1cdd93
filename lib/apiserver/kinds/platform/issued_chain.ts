import { Buffer } from "node:buffer";
import { X509Certificate } from "node:crypto";
import {
  type FieldError,
  FieldPath,
  invalid,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import { byteLength } from "@xca/apimachinery/internal/validation";
import type { V1PodCertificateRequest } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import { requestedKey } from "@xca/apimachinery/internal/pki";

type Status = NonNullable<V1PodCertificateRequest["status"]>;

const STATUS = FieldPath.of("status");
const CHAIN = STATUS.child("certificateChain");
const MAX_CHAIN = 100 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Validates the certificates issued for a PodCertificateRequest, and the times that its status
 * states. Returns the errors of the first rule that they violate
 * (`certificates/validation/validation.go`, `ValidatePodCertificateRequestStatusUpdate`).
 */
export function validateIssuedChain(
  status: Status,
  spec: V1PodCertificateRequest["spec"],
  now: Date,
): FieldError[] {
  const { certificateChain: chain = "" } = status;
  if (byteLength(chain) > MAX_CHAIN) return [tooLong(CHAIN, MAX_CHAIN)];
  const refuse = (detail: string): FieldError[] => [invalid(CHAIN, chain, detail)];
  const blocks = [...chain.matchAll(/-----BEGIN ([^-\n]+)-----\r?\n[\s\S]*?-----END \1-----/g)];
  const [first, ...others] = blocks;
  if (!first) return refuse("issued certificate chain must contain at least one certificate");
  if (first[1] !== "CERTIFICATE") {
    return refuse("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
  }
  const leaf = certificateOf(first[0]);
  if (!leaf) return refuse("leaf certificate does not parse as valid X.509");
  const asked = Buffer.from(requestedKey(Buffer.from(spec.stubPKCS10Request, "base64")));
  if (!asked.equals(Buffer.from(leaf.publicKey.export({ format: "der", type: "spki" })))) {
    return refuse("leaf certificate was not issued to the requested public key");
  }
  const errors = validateTimes(status, spec.maxExpirationSeconds ?? 0, leaf, now);
  if (errors.length > 0) return errors;
  for (const [text, type] of others) {
    // The misspelled word is kube-apiserver's.
    if (type !== "CERTIFICATE") {
      return refuse("issued certificate chain must consist entirely of CERTFICATE PEM blocks");
    }
    if (!certificateOf(text)) {
      return refuse("intermediate certificate does not parse as valid X.509");
    }
  }
  return [];
}

function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function validateTimes(
  { notBefore, notAfter, beginRefreshAt }: Status,
  maxSeconds: number,
  leaf: X509Certificate,
  now: Date,
): FieldError[] {
  const missing = (field: string, detail: string): FieldError =>
    required(STATUS.child(field), detail);
  const consistent = "must be present and consistent with the issued certificate";
  const absent = [
    ...notBefore ? [] : [missing("notBefore", consistent)],
    ...notAfter ? [] : [missing("notAfter", consistent)],
    ...beginRefreshAt ? [] : [
      missing(
        "beginRefreshAt",
        "must be present and in the range [notbefore+10min, notafter-10min]",
      ),
    ],
  ];
  if (absent.length > 0) return absent;
  const [start, end, refresh] = [notBefore, notAfter, beginRefreshAt].map((time) =>
    Date.parse(time!)
  );
  const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const refuse = (field: string, ms: number, detail: string): FieldError[] => [
    invalid(STATUS.child(field), formatTime(new Date(ms)), detail),
  ];
  if (start !== from) {
    return refuse(
      "notBefore",
      start!,
      "must be set to the NotBefore time encoded in the leaf certificate",
    );
  }
  if (Math.abs(start - now.getTime()) >= 5 * MINUTE_MS) {
    return refuse(
      "notBefore",
      start,
      "must be set to within 5 minutes of kube-apiserver's current time",
    );
  }
  if (end !== to) {
    return refuse(
      "notAfter",
      end!,
      "must be set to the NotAfter time encoded in the leaf certificate",
    );
  }
  const lifetime = to - from;
  if (lifetime < HOUR_MS) {
    return [invalid(CHAIN, lifetime * 1e6, "leaf certificate lifetime must be >= 1 hour")];
  }
  if (lifetime > maxSeconds * 1000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`;
    return [invalid(CHAIN, lifetime * 1e6, detail)];
  }
  if (refresh! < start + 10 * MINUTE_MS) {
    return refuse("beginRefreshAt", refresh!, "must be at least 10 minutes after status.notBefore");
  }
  if (refresh! > end - 10 * MINUTE_MS) {
    return refuse("beginRefreshAt", refresh!, "must be at least 10 minutes before status.notAfter");
  }
  return [];
}
