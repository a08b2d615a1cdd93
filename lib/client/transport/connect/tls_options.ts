import type { ClientConfig } from "../../config/config.ts";
import { certificateTexts, privateKeyText } from "../../config/pem.ts";
import { withoutBrackets } from "../../config/ip_address.ts";

/** The part of `node:tls`'s options that a cluster needs. */
export interface TlsOptions {
  /** The only roots trusted; absent means the machine's. */
  readonly ca?: string[];
  /** The client certificate. */
  readonly cert?: string;
  /** Its private key. */
  readonly key?: string;
  /** Whether the server's certificate must prove the server. */
  readonly rejectUnauthorized: boolean;
  /** The name to ask for and to check, or an address to check; absent means the server's host. */
  readonly servername?: string;
  /** HTTP/1.1 and nothing else. */
  readonly ALPNProtocols: string[];
}

/**
 * How to speak TLS to a cluster.
 *
 * Given a certificate authority, `node:tls` trusts it *instead of* the machine's roots, where this
 * runtime's own `fetch` trusts it *beside* them: docs/decisions/0002-one-root-per-cluster.md.
 */
export function tlsOptions(tls: NonNullable<ClientConfig["tls"]>): TlsOptions {
  const { caData, certData, keyData, insecureSkipVerify = false, serverName } = tls;
  return {
    // Without verification no root is needed; loading the machine's would ask for a permission.
    ...(caData ? { ca: certificates(caData) } : insecureSkipVerify ? { ca: [] } : {}),
    ...(certData ? { cert: certificates(certData).join("") } : {}),
    ...(keyData ? { key: privateKeyText(keyData) } : {}),
    ...(serverName ? { servername: withoutBrackets(serverName) } : {}),
    rejectUnauthorized: !insecureSkipVerify,
    ALPNProtocols: ["http/1.1"],
  };
}

/** A text without a whole certificate goes on as it is: the runtime says what it thinks of it. */
function certificates(pem: string): string[] {
  const texts = certificateTexts(pem);
  return texts.length === 0 ? [pem] : texts;
}
