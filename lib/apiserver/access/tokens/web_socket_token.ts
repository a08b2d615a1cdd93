// Mirrors `authentication/request/websocket/protocol.go,
// ProtocolAuthenticator.AuthenticateRequest`.
import { asksForWebSocket } from "../../machinery/web_socket_request.ts";

/**
 * The prefix of a WebSocket protocol that carries a bearer token: browsers cannot send an
 * `Authorization` header with a WebSocket
 * (`k8s.io/apiserver/pkg/authentication/request/websocket`).
 */
const PREFIX = "base64url.bearer.authorization.k8s.io.";

/**
 * Reports whether a WebSocket subprotocol carries a bearer token, by its prefix; the token may
 * still be unreadable.
 */
export function isTokenProtocol(protocol: string): boolean {
  return protocol.startsWith(PREFIX);
}

/**
 * Returns the bearer token among the offered subprotocols of a WebSocket request; `undefined` for
 * other requests, and if there is none, more than one, an unreadable one, or no other subprotocol
 * to select.
 */
export function webSocketToken(headers: Headers): string | undefined {
  if (!asksForWebSocket(headers)) return undefined;
  const protocols = (headers.get("sec-websocket-protocol") ?? "").split(",")
    .map((protocol) => protocol.trim());
  const tokens = protocols.filter(isTokenProtocol);
  if (tokens.length !== 1 || protocols.length === 1) return undefined;
  const encoded = tokens[0]!.slice(PREFIX.length);
  if (!/^[\w-]+$/.test(encoded)) return undefined;
  try {
    const bytes = Uint8Array.fromBase64(encoded, { alphabet: "base64url" });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
