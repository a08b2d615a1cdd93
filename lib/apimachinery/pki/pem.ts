/** A certificate and its private key, both as PEM text. */
export interface PemPair {
  /** The certificate, as PEM text; its intermediate certificates may follow. */
  readonly cert: string;
  /** The private key of the certificate, as PEM text; PKCS #8 if this library generated it. */
  readonly key: string;
}

/** Encodes bytes as PEM text with a label such as `CERTIFICATE`. */
export function pemText(label: string, der: Uint8Array): string {
  const lines = der.toBase64().match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
