/** Reports whether a request asks for a WebSocket (`wsstream.IsWebSocketRequest`). */
export function asksForWebSocket(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket" &&
    /upgrade/i.test(headers.get("connection") ?? "");
}
