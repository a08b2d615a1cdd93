import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { StreamContext, StubSocket } from "./stub_websocket.ts";

/** Not spoken yet. */
export function serveSpdy(
  _request: IncomingMessage,
  carrier: Duplex | StubSocket,
  _context: StreamContext,
): Promise<void> {
  if ("destroy" in carrier) carrier.destroy();
  else carrier.close(1011);
  return Promise.resolve();
}
