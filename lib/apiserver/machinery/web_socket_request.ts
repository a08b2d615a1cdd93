// Mirrors `httpstream/wsstream/wsstream.go, IsWebSocketRequest`.
import { isWebSocketUpgrade } from "@xca/apimachinery/internal/serving";

/** Reports whether the headers of a request ask for an upgrade to a WebSocket. */
export function asksForWebSocket(headers: Headers): boolean {
  return isWebSocketUpgrade(headers.get("upgrade"), headers.get("connection"));
}
