import type { Socket } from "node:net";
import type { PeerCertificate as NodeCertificate, TLSSocket } from "node:tls";

/** A verified client certificate: signed by a certificate authority that the server trusts. */
export interface PeerCertificate {
  /** The common name of the certificate's subject; empty if the subject has none. */
  readonly commonName: string;
  /** The organizations of the certificate's subject; empty if the subject has none. */
  readonly organizations: readonly string[];
  /** The SHA-256 hash of the client certificate (DER), in lower-case hexadecimal without colons. */
  readonly sha256: string;
}

/** The client at the other end of a connection, and the headers of its request. */
export interface Peer {
  /**
   * The IP address of the connected client; empty if the connection was closed before the address
   * was read.
   */
  readonly address: string;
  /**
   * The verified client certificate; absent when the client sent none or an invalid one, and on a
   * server that does not ask for one.
   */
  readonly certificate?: PeerCertificate;
  /**
   * The reason why the connected client's certificate is invalid; absent when it is valid or
   * missing.
   */
  readonly certificateError?: string;
  /**
   * The headers of the request as they were received, names and values in turn. Values that a
   * `Headers` object would join are separate.
   */
  readonly rawHeaders: readonly string[];
}

type ConnectionFacts = Omit<Peer, "rawHeaders">;

const known = new WeakMap<Socket, ConnectionFacts>();

/**
 * Returns the client at the other end of a request's connection. Its address and certificate are
 * determined at the first request of the connection.
 */
export function peerOf(socket: Socket, rawHeaders: readonly string[]): Peer {
  let facts = known.get(socket);
  if (facts === undefined) known.set(socket, facts = connectionFacts(socket));
  return { ...facts, rawHeaders };
}

function connectionFacts(
  socket: Socket & Partial<Omit<TLSSocket, keyof Socket>>,
): ConnectionFacts {
  const address = socket.remoteAddress ?? "";
  const shown = (socket.getPeerCertificate?.() ?? {}) as Partial<NodeCertificate>;
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

/**
 * Returns an attribute of a certificate's subject as a list; the runtime returns a list only if the
 * attribute occurs several times.
 */
function texts(part: string | readonly string[] | undefined): readonly string[] {
  if (part === undefined) return [];
  return typeof part === "string" ? [part] : part;
}
