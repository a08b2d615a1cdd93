import type { ClientConfig } from "../../config/config.ts";
import { certificateTexts, privateKeyText } from "../../config/pem.ts";
import { withoutBrackets } from "../../config/ip_address.ts";

/** The TLS options (of `node:tls`) for connections to a cluster. */
export interface TlsOptions {
  /**
   * The certificate authorities that are trusted for the cluster, and no others, each as PEM text;
   * empty when none is given and nothing is verified.
   *
   * @default those that the runtime trusts by default
   */
  readonly ca?: string[];
  /** The client certificate of the TLS connection, as PEM text; a chain may follow. */
  readonly cert?: string;
  /** The private key of the client certificate, as PEM text. */
  readonly key?: string;
  /** Sets whether the TLS connection verifies the certificate of the server. */
  readonly rejectUnauthorized: boolean;
  /**
   * The host name or address that TLS verifies in the server's certificate; a host name is also
   * sent (SNI).
   *
   * @default the host of the server
   */
  readonly servername?: string;
  /** The protocols that TLS negotiates (ALPN): HTTP/1.1 only. */
  readonly ALPNProtocols: string[];
}

/**
 * Returns the TLS options for the TLS settings of a client configuration. Reads no files: only the
 * certificates and the key in `caData`, `certData` and `keyData` count.
 *
 * With a certificate authority, `node:tls` trusts it *instead of* the default roots, whereas the
 * runtime's `fetch` trusts it *in addition*; see docs/decisions/0002-one-root-per-cluster.md.
 */
export function tlsOptions(tls: NonNullable<ClientConfig["tls"]>): TlsOptions {
  const { caData, certData, keyData, insecureSkipVerify = false, serverName } = tls;
  return {
    // Without verification no root is needed; loading the default ones would require a permission.
    ...(caData ? { ca: certificates(caData) } : insecureSkipVerify ? { ca: [] } : {}),
    ...(certData ? { cert: certificates(certData).join("") } : {}),
    ...(keyData ? { key: privateKeyText(keyData) } : {}),
    ...(serverName ? { servername: withoutBrackets(serverName) } : {}),
    rejectUnauthorized: !insecureSkipVerify,
    ALPNProtocols: ["http/1.1"],
  };
}

/**
 * Returns the certificates of a PEM text, each as a PEM text. A text without a complete certificate
 * is passed on, so that the runtime reports its fault.
 */
function certificates(pem: string): string[] {
  const texts = certificateTexts(pem);
  return texts.length === 0 ? [pem] : texts;
}
