import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { serviceNames } from "../certificates/files_certificate.ts";
import type { WebhookService } from "./webhook_address.ts";

/**
 * Options of {@linkcode certManagerManifests}, which generates the cert-manager objects of a
 * webhook server.
 */
export interface CertManagerOptions {
  /** The Service in front of the webhook server; the cert-manager objects are in its namespace. */
  readonly service: WebhookService;
  /** The prefix of the names of the generated cert-manager objects. */
  readonly name: string;
  /**
   * The name of the Secret with the certificate that cert-manager writes, which the operator's pods
   * mount.
   * @default `<name>-webhook-certificate`
   */
  readonly secretName?: string | undefined;
  /** The labels of the generated cert-manager objects. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** An object of cert-manager. */
export interface CertManagerManifest {
  /** The API version of the cert-manager object, `cert-manager.io/v1`. */
  readonly apiVersion: "cert-manager.io/v1";
  /** The kind of the cert-manager object. */
  readonly kind: "Issuer" | "Certificate";
  /** The metadata of the cert-manager object. */
  readonly metadata: {
    /** The name of the cert-manager object. */
    readonly name: string;
    /** The namespace of the cert-manager object. */
    readonly namespace: string;
    /** The labels of the cert-manager object. */
    readonly labels?: Readonly<Record<string, string>>;
  };
  /** The specification of the cert-manager object. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The names of all options of {@linkcode certManagerManifests}. */
const CERT_MANAGER_OPTIONS: OptionNames<CertManagerOptions> = {
  service: { namespace: true, name: true, port: true },
  name: true,
  secretName: true,
  labels: true,
};

/**
 * Returns the objects by which cert-manager issues the certificate of a webhook server: those of a
 * certificate authority, and those of a serving certificate that the authority signs. The last
 * object is the Certificate, whose name {@linkcode WebhookAddress.certManager} takes.
 *
 * Unlike kubebuilder's, the serving certificate is not self-signed: the authority outlasts its
 * renewals, so that `caBundle` does not change with each of them, and no review fails in between.
 *
 * @throws {TypeError} When an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { certManagerManifests } from "@xca/operator/webhook";
 *
 * const service = { namespace: "guard-system", name: "guard-webhooks" };
 * const manifests = certManagerManifests({ service, name: "guard" });
 * assert.deepEqual(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`), [
 *   "Issuer guard-self-signed-issuer",
 *   "Certificate guard-webhook-ca",
 *   "Issuer guard-webhook-issuer",
 *   "Certificate guard-serving-cert",
 * ]);
 * ```
 */
export function certManagerManifests(options: CertManagerOptions): CertManagerManifest[] {
  checkOptionNames("Cannot make cert-manager objects", options, CERT_MANAGER_OPTIONS);
  const { name, service: { name: service, namespace }, labels } = options;
  const { secretName = `${name}-webhook-certificate` } = options;
  const authority = `${name}-webhook-ca`;
  const selfSigned = `${name}-self-signed-issuer`;
  const issuer = `${name}-webhook-issuer`;
  const of = (
    kind: CertManagerManifest["kind"],
    ownName: string,
    spec: CertManagerManifest["spec"],
  ): CertManagerManifest => ({
    apiVersion: "cert-manager.io/v1",
    kind,
    metadata: { name: ownName, namespace, ...(labels && { labels: { ...labels } }) },
    spec,
  });
  return [
    of("Issuer", selfSigned, { selfSigned: {} }),
    of("Certificate", authority, {
      isCA: true,
      commonName: authority,
      secretName: authority,
      duration: "87600h0m0s",
      privateKey: { algorithm: "ECDSA", size: 256 },
      issuerRef: { group: "cert-manager.io", kind: "Issuer", name: selfSigned },
    }),
    of("Issuer", issuer, { ca: { secretName: authority } }),
    of("Certificate", `${name}-serving-cert`, {
      dnsNames: serviceNames({ name: service, namespace }),
      secretName,
      duration: "2160h0m0s",
      privateKey: { algorithm: "ECDSA", rotationPolicy: "Always", size: 256 },
      usages: ["digital signature", "server auth"],
      issuerRef: { group: "cert-manager.io", kind: "Issuer", name: issuer },
    }),
  ];
}
