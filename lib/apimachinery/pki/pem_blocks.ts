/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** The label of the PEM block, such as `CERTIFICATE`. */
  readonly label: string;
  /** The text of the PEM block, with its first and last line. */
  readonly text: string;
}

/** A pattern of a block of a PEM text; the text between blocks is explanatory. */
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----(?:(?!-----BEGIN )[\s\S])*?-----END \1-----/g;

/** Returns the blocks of a PEM text in their order; text outside of blocks is left out. */
export function pemBlocks(pem: string): PemBlock[] {
  return [...pem.matchAll(BLOCK)].map(([text, label]) => ({ label: label!, text: `${text}\n` }));
}

/** Returns the certificates of a PEM text, each as PEM text, in their order. */
export function certificatesIn(pem: string): string[] {
  return pemBlocks(pem).filter(({ label }) => label === "CERTIFICATE").map(({ text }) => text);
}
