/**
 * Reports whether the `Upgrade` and `Connection` headers of a request ask for a WebSocket
 * (`wsstream.IsWebSocketRequest`).
 */
export function isWebSocketUpgrade(
  upgrade: string | null | undefined,
  connection: string | null | undefined,
): boolean {
  return upgrade?.toLowerCase() === "websocket" && /upgrade/i.test(connection ?? "");
}
