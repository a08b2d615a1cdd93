import { getLogger } from "@logtape/logtape";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Server } from "node:tls";
import { errorText } from "../../base/errors/error_text.ts";
import type { Clock } from "../../base/time/clock.ts";
import { certificatesIn } from "../../pki/pem_blocks.ts";
import type { OfferedCertificate } from "./certificate_source.ts";

const logger = getLogger(["xca", "certificate"]);

/** The timeout of the test handshake with a certificate, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * Tests a certificate by a TLS handshake with a temporary server on loopback: the server must
 * present the certificate and, if `ca` is given, a client that trusts `ca` must accept the
 * certificate. Its names are not checked: `host` is only the server name that the client sends.
 * Returns the reason why the test fails; `undefined` when it succeeds.
 *
 * In a process that may not listen on loopback, the test is only that TLS can load the certificate,
 * which is logged.
 */
export async function proveCertificate(
  { pair, ca }: OfferedCertificate,
  host: string | undefined,
  clock: Clock,
): Promise<string | undefined> {
  let server: Server;
  try {
    server = createServer({ cert: pair.cert, key: pair.key, minVersion: "TLSv1.2" });
  } catch (error) {
    return `TLS cannot use it: ${errorText(error)}`;
  }
  const { state } = await Deno.permissions.query({ name: "net", host: "127.0.0.1" });
  if (state !== "granted") {
    server.close();
    logger.warn(
      "A certificate is used without a test handshake: allow the test by --allow-net=127.0.0.1",
    );
    return undefined;
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await shakeHands(server, { pair, ca }, host, clock);
  } finally {
    server.close();
  }
}

async function shakeHands(
  server: Server,
  { pair, ca }: OfferedCertificate,
  host: string | undefined,
  clock: Clock,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  server.on("tlsClientError", (error) => resolve(`a handshake with it fails: ${errorText(error)}`));
  // An error of the server's socket must not be thrown when the client disconnects.
  server.on("secureConnection", (socket) => socket.on("error", () => {}));
  const socket = connect({
    port: (server.address() as AddressInfo).port,
    host: "127.0.0.1",
    ...(ca !== undefined && { ca: certificatesIn(ca) }),
    // The names were checked before; the wildcards that Go accepts are not those of every runtime.
    checkServerIdentity: () => undefined,
    rejectUnauthorized: false,
    ...(host !== undefined && !/^[\d.]+$|:/.test(host) && { servername: host.replace(/\.$/, "") }),
  });
  socket.once("secureConnect", () => {
    const shown = socket.getPeerCertificate().fingerprint256;
    const expected = new X509Certificate(pair.cert).fingerprint256;
    if (shown !== expected) resolve("a handshake shows another certificate");
    else if (ca !== undefined && !socket.authorized) {
      resolve(`a client that trusts its authority refuses it: ${authorizationText(socket)}`);
    } else resolve(undefined);
  });
  socket.on("error", (error) => resolve(`a handshake with it fails: ${errorText(error)}`));
  using _timer = clock.after(
    HANDSHAKE_TIMEOUT_MS,
    () => resolve(`a handshake with it takes more than ${HANDSHAKE_TIMEOUT_MS / 1000} seconds`),
  );
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

function authorizationText({ authorizationError }: { authorizationError: unknown }): string {
  return errorText(authorizationError ?? "it gives no reason");
}
