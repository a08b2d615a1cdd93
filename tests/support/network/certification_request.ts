import { sign } from "node:crypto";
import { generateKeys, type KeyKind } from "../../../lib/apimachinery/pki/key_pair.ts";
import {
  bitString,
  type Der,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  tagged,
  taggedBytes,
  utf8String,
} from "../../../lib/apimachinery/pki/der.ts";
import { privatePem } from "../../../lib/apimachinery/pki/key_pair.ts";
import { pemText } from "../../../lib/apimachinery/pki/pem.ts";

/** The contents of a certification request. */
export interface RequestContents {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dns?: readonly string[];
  readonly emails?: readonly string[];
  readonly uris?: readonly string[];
  /** The IPv4 addresses of the request. */
  readonly ips?: readonly string[];
  /** The kind of the key. @default {"P-256"} */
  readonly kind?: KeyKind;
}

const ALGORITHMS: Readonly<Record<KeyKind, readonly [id: string, hash: string | null]>> = {
  RSA: ["1.2.840.113549.1.1.11", "sha256"],
  "P-256": ["1.2.840.10045.4.3.2", "sha256"],
  "P-384": ["1.2.840.10045.4.3.3", "sha384"],
  Ed25519: ["1.3.101.112", null],
};

/** Returns a certification request (PKCS #10) as PEM text, and the private key that signed it. */
export async function certificationRequest(
  contents: RequestContents,
): Promise<{ request: string; key: string }> {
  const { commonName, organizations = [], kind = "P-256" } = contents;
  const { privateKey, publicKey } = await generateKeys(kind);
  const part = (id: string, text: string): Der =>
    setOf(sequence(objectIdentifier(id), utf8String(text)));
  const body = sequence(
    integer(Uint8Array.of(0)),
    sequence(
      ...organizations.map((name) => part("2.5.4.10", name)),
      part("2.5.4.3", commonName),
    ),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0, ...attributesOf(contents)),
  );
  const [id, hash] = ALGORITHMS[kind];
  const algorithm = sequence(objectIdentifier(id), ...kind === "RSA" ? [nothing()] : []);
  const signature = bitString(sign(hash, body, privateKey));
  return {
    request: pemText("CERTIFICATE REQUEST", sequence(body, algorithm, signature)),
    key: privatePem(privateKey),
  };
}

/** Returns the attribute that requests the alternative names; empty without names. */
function attributesOf({ dns = [], emails = [], ips = [], uris = [] }: RequestContents): Der[] {
  const texts = (tag: number, all: readonly string[]): Der[] =>
    all.map((text) => taggedBytes(tag, new TextEncoder().encode(text)));
  const addresses = ips.map((ip) => taggedBytes(7, Uint8Array.from(ip.split("."), Number)));
  const names = [...texts(2, dns), ...texts(1, emails), ...addresses, ...texts(6, uris)];
  if (names.length === 0) return [];
  const extension = sequence(objectIdentifier("2.5.29.17"), octetString(sequence(...names)));
  return [sequence(objectIdentifier("1.2.840.113549.1.9.14"), setOf(sequence(extension)))];
}
