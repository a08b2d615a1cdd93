import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The client connection of a request that switches to another protocol. */
export interface TunnelConnection {
  /** The request that switches to another protocol. */
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes after the request that the server has already received from the client. */
  readonly head: Uint8Array;
}

/**
 * A function that takes over the connection of a request for another protocol, and responds to the
 * request.
 */
export type Tunnel = (connection: TunnelConnection) => void;

/** A map of the functions that take over connections, by the response that stands for each. */
const tunnels = new WeakMap<Response, Tunnel>();

/**
 * Returns a response by which a handler takes over the connection of a request for another
 * protocol. The server must be started with `tunnels` that cover the request.
 */
export function tunnelResponse(tunnel: Tunnel): Response {
  const response = new Response(null);
  tunnels.set(response, tunnel);
  return response;
}

/**
 * Returns the function that takes over the connection of a request, given to {@linkcode
 * tunnelResponse} for this response; `undefined` for any other response.
 */
export function tunnelOf(response: Response): Tunnel | undefined {
  return tunnels.get(response);
}
