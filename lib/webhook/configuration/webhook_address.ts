import type { AdmissionregistrationV1WebhookClientConfig } from "@xca/apimachinery/kubernetes-types";
import { encoded } from "../certificates/own_material.ts";

/** The Service in front of a webhook server. */
export interface WebhookService {
  /** The namespace of the webhook server's Service. */
  readonly namespace: string;
  /** The name of the webhook server's Service. */
  readonly name: string;
  /** The port of the webhook server's Service. @default {443} */
  readonly port?: number | undefined;
}

/**
 * The address at which the API server calls a webhook server, and the certificate authorities that
 * the API server trusts for it.
 */
export interface WebhookAddress {
  /** The Service in front of the webhook server; the address has either a Service or a URL. */
  readonly service?: WebhookService | undefined;
  /**
   * The URL of the webhook server, for a server outside of the cluster, such as
   * `https://192.168.1.7:9443`. The path of each webhook is appended to the path of the URL.
   */
  readonly url?: string | undefined;
  /**
   * The certificate authorities of the webhook server's certificate, as PEM text.
   *
   * @default none: `ownCertificates` or cert-manager writes them
   */
  readonly caBundle?: string | undefined;
  /**
   * The namespace and name of the cert-manager Certificate whose authority cert-manager writes into
   * `caBundle`.
   *
   * @default none
   */
  readonly certManager?:
    | {
      /** The namespace of the cert-manager Certificate. */
      readonly namespace: string;
      /** The name of the cert-manager Certificate. */
      readonly certificate: string;
    }
    | undefined;
}

/**
 * Returns the `clientConfig` of the webhook at a path.
 *
 * @throws {TypeError} When the address has not exactly one of Service and URL, or the URL is not
 * `https` or has a user, query or fragment.
 */
export function clientConfigOf(
  address: WebhookAddress,
  path: string,
): AdmissionregistrationV1WebhookClientConfig {
  const { service, url, caBundle } = address;
  const failure = "Cannot generate the configuration of webhooks";
  if ((service === undefined) === (url === undefined)) {
    throw new TypeError(`${failure}: pass either { service } or { url }`);
  }
  const trusted = caBundle === undefined ? {} : { caBundle: encoded(caBundle) };
  if (service) {
    const { name, namespace, port = 443 } = service;
    return { service: { name, namespace, path, port }, ...trusted };
  }
  const base = URL.parse(url!);
  const isPlain = base?.protocol === "https:" && base.username === "" && base.password === "" &&
    base.search === "" && base.hash === "";
  if (!isPlain) {
    throw new TypeError(
      `${failure}: ${JSON.stringify(url)} must be an https URL without user, query and fragment`,
    );
  }
  return { url: `${base.origin}${base.pathname.replace(/\/$/, "")}${path}`, ...trusted };
}

/** The annotation of cert-manager that names a certificate as `<namespace>/<name>`. */
export const CERTIFICATE_ANNOTATION = "cert-manager.io/inject-ca-from";

/**
 * Returns metadata with only the annotation by which cert-manager writes the authorities into
 * `caBundle`; an empty object if no cert-manager Certificate is used.
 */
export function injectionOf(
  { certManager }: Pick<WebhookAddress, "certManager">,
): { annotations?: Record<string, string> } {
  if (!certManager) return {};
  const { namespace, certificate } = certManager;
  return { annotations: { [CERTIFICATE_ANNOTATION]: `${namespace}/${certificate}` } };
}
