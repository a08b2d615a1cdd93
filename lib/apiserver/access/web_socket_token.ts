import { asksForWebSocket } from "../machinery/web_socket_request.ts";

/**
 * Browsers cannot send an `Authorization` header with a WebSocket; they send the token as a protocol
 * (`k8s.io/apiserver/pkg/authentication/request/websocket`).
 */
const PREFIX = "base64url.bearer.authorization.k8s.io.";

/** Reports whether a protocol of a WebSocket is a bearer token. */
export function isTokenProtocol(protocol: string): boolean {
  return protocol.startsWith(PREFIX);
}

/**
 * The bearer token among the protocols of a request for a WebSocket; `undefined` where there is none,
 * more than one, one that cannot be read, or no other protocol that could be confirmed.
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
