import type { Buffer } from "node:buffer";
import { derValues, TAG } from "./der_reader.ts";

/**
 * The alternative names of a subject (RFC 5280, 4.2.1.6), of the kinds that Go's `crypto/x509`
 * parses.
 */
export interface GeneralNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  /** The IP addresses of the certificate's subject, of 4 or 16 bytes each. */
  readonly ips: readonly Uint8Array[];
}

/** The context-specific tags of general names in DER. */
const NAME_TAG = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

/**
 * Returns the subject alternative names in the content (DER) of a certificate extension; none for
 * an absent one.
 *
 * @throws {Error} When the content is damaged, or an IP address has a wrong length.
 */
export function generalNames(content: Buffer | undefined): GeneralNames {
  const [sequence] = content ? derValues(content) : [];
  if (sequence && sequence.tag !== TAG.sequence) {
    throw new Error("x509: invalid subject alternative names");
  }
  const values = sequence ? derValues(sequence.content) : [];
  const texts = (wanted: number): string[] =>
    values.filter(({ tag }) => tag === wanted).map(({ content }) => content.toString("latin1"));
  const ips = values.filter(({ tag }) => tag === NAME_TAG.ip).map(({ content }) => content);
  const wrong = ips.find(({ length }) => length !== 4 && length !== 16);
  if (wrong) throw new Error(`x509: cannot parse IP address of length ${wrong.length}`);
  return {
    dns: texts(NAME_TAG.dns),
    emails: texts(NAME_TAG.email),
    uris: texts(NAME_TAG.uri),
    ips,
  };
}
