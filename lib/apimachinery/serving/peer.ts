import type { Socket } from "node:net";
import type { PeerCertificate as NodeCertificate, TLSSocket } from "node:tls";

/** The certificate that a client showed; its authority is one that the server trusts for that. */
export interface PeerCertificate {
  /** The subject's name. */
  readonly commonName: string;
  /** The subject's organizations. */
  readonly organizations: readonly string[];
  /** The SHA-256 of the certificate, in hexadecimal. */
  readonly sha256: string;
}

/** What is known of the other end of a connection. */
export interface Peer {
  /** Its IP address. */
  readonly address: string;
  /** Its certificate, verified. Absent when it showed none, or one that does not verify. */
  readonly certificate?: PeerCertificate;
  /** Why the certificate that it showed does not verify. */
  readonly certificateError?: string;
  /**
   * The request's headers as they came, names and values in turn: what a `Headers` object joins
   * into one value stands apart here.
   */
  readonly rawHeaders: readonly string[];
}

type ConnectionFacts = Omit<Peer, "rawHeaders">;

const known = new WeakMap<Socket, ConnectionFacts>();

/** The peer of a request. What belongs to the connection is looked up at its first request. */
export function peerOf(socket: Socket, rawHeaders: readonly string[]): Peer {
  let facts = known.get(socket);
  if (facts === undefined) known.set(socket, facts = connectionFacts(socket as TLSSocket));
  return { ...facts, rawHeaders };
}

function connectionFacts(socket: TLSSocket): ConnectionFacts {
  const address = socket.remoteAddress ?? "";
  const shown = (socket.getPeerCertificate() ?? {}) as Partial<NodeCertificate>;
  const { subject, fingerprint256 = "" } = shown;
  if (subject === undefined) return { address };
  if (!socket.authorized) {
    return { address, certificateError: String(socket.authorizationError ?? "not verified") };
  }
  return {
    address,
    certificate: {
      commonName: texts(subject.CN)[0] ?? "",
      organizations: texts(subject.O),
      sha256: fingerprint256.replaceAll(":", "").toLowerCase(),
    },
  };
}

/** A part of a subject that stands twice is a list. */
function texts(part: string | readonly string[] | undefined): readonly string[] {
  if (part === undefined) return [];
  return typeof part === "string" ? [part] : part;
}
