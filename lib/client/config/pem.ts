/** A block of PEM text (RFC 7468). */
export interface PemBlock {
  /** The label of the PEM block: `CERTIFICATE`, `PRIVATE KEY`, ... */
  readonly label: string;
  /**
   * Reports whether the label or the headers of the PEM block declare its content as encrypted (RFC
   * 1421).
   */
  readonly encrypted: boolean;
  /**
   * The decoded bytes of the PEM block; `undefined` when its text is not base64, or the block is a
   * certificate with headers, which Go ignores.
   */
  readonly bytes: Uint8Array | undefined;
}

const BEGIN = /^-----BEGIN ([A-Z0-9 ]{1,64})-----$/;
const CERTIFICATE = "CERTIFICATE";
const KEY_LABELS: ReadonlySet<string> = new Set([
  "PRIVATE KEY",
  "RSA PRIVATE KEY",
  "EC PRIVATE KEY",
]);
/** The ASN.1 tag of a SEQUENCE, with which every certificate and key begins. */
const SEQUENCE = 0x30;

/**
 * Returns the blocks of a PEM text, and ignores the text between them. An indented block is not a
 * block, as for Go and OpenSSL.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let label: string | undefined;
  let body: string[] = [];
  for (const untrimmed of text.split("\n")) {
    const line = untrimmed.trimEnd();
    const begin = BEGIN.exec(line)?.[1];
    if (begin !== undefined) {
      label = begin;
      body = [];
    } else if (label !== undefined && line === `-----END ${label}-----`) {
      blocks.push(readBlock(label, body));
      label = undefined;
    } else {
      body.push(line.trimStart());
    }
  }
  return blocks;
}

function readBlock(label: string, body: readonly string[]): PemBlock {
  const headers = body.filter((line) => line.includes(":"));
  const encrypted = label.startsWith("ENCRYPTED ") ||
    headers.some((line) => /^Proc-Type:.*ENCRYPTED/.test(line));
  // Go ignores certificates that have headers.
  const passed = label === CERTIFICATE && headers.length > 0;
  const bytes = decodeBase64(body.filter((line) => !line.includes(":")).join(""));
  return { label, encrypted, bytes: passed ? undefined : bytes };
}

/**
 * Returns the well-formed certificates of a PEM text in order, each as a PEM text of its own;
 * ignores damaged ones. The runtime reads only the first one of certificates that are joined
 * without a line break.
 */
export function certificateTexts(text: string): string[] {
  return pemBlocks(text).filter((block) => block.label === CERTIFICATE && isDer(block))
    .map(written);
}

/**
 * Returns the first well-formed, unencrypted private key of a PEM text, as PEM text of its own. The
 * text may contain certificates too, as the files of the kubelet do. A text without such a key is
 * returned unchanged.
 */
export function privateKeyText(text: string): string {
  const key = pemBlocks(text).find((block) => KEY_LABELS.has(block.label) && isDer(block));
  return key ? written(key) : text;
}

function written({ label, bytes }: PemBlock): string {
  const lines = bytes!.toBase64().match(/.{1,64}/g)!.join("\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/**
 * Returns the reason why a text has no PEM certificate, or a damaged one; `undefined` when it has
 * at least one and all are well-formed. Other PEM blocks are ignored.
 */
export function certificatesFault(text: string): string | undefined {
  const blocks = pemBlocks(text);
  const certificates = blocks.filter(({ label }) => label === CERTIFICATE);
  if (certificates.length === 0) return `it holds ${whatIsThere(blocks, text)}, no certificate`;
  if (!certificates.every(isDer)) return "it holds a certificate that is damaged";
  return undefined;
}

/**
 * Returns the reason why a text has no PEM private key, or an encrypted or damaged one; `undefined`
 * when it has at least one and all are well-formed. Other PEM blocks are ignored.
 */
export function privateKeyFault(text: string): string | undefined {
  const blocks = pemBlocks(text);
  if (blocks.some(({ encrypted, label }) => encrypted && label.endsWith("PRIVATE KEY"))) {
    return "the private key is encrypted, and its password is unknown";
  }
  const keys = blocks.filter(({ label }) => KEY_LABELS.has(label));
  if (keys.length === 0) return `it holds ${whatIsThere(blocks, text)}, no private key`;
  if (!keys.every(isDer)) return "it holds a private key that is damaged";
  return undefined;
}

function whatIsThere(blocks: readonly PemBlock[], text: string): string {
  const first = blocks[0];
  if (first) return `PEM text of type ${first.label}`;
  if (text.trim() === "") return "nothing";
  return text.includes("-----BEGIN ") ? "cut or damaged PEM text" : "no PEM text";
}

function isDer({ bytes }: PemBlock): boolean {
  if (!bytes || bytes.length < 2 || bytes[0] !== SEQUENCE) return false;
  const first = bytes[1]!;
  if (first < 0x80) return bytes.length === 2 + first;
  const count = first & 0x7f;
  if (count === 0 || count > 4 || bytes.length < 2 + count) return false;
  let length = 0;
  for (const byte of bytes.subarray(2, 2 + count)) length = length * 256 + byte;
  return bytes.length === 2 + count + length;
}

/**
 * Decodes padded standard base64 as Go does: line breaks are ignored, other white space is an
 * error. Returns `undefined` when the text is not base64.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const compact = text.replace(/[\r\n]/g, "");
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  const binary = atob(compact);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
