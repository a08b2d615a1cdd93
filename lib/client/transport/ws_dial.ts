import type { Agent } from "node:http";
import { type Clock, systemClock } from "@xca/apimachinery/base";
import { ConfigError } from "../config/config.ts";
import { type Dial, UpgradeRefused, type WebSocketLike } from "./dial.ts";
import type { HeaderPair } from "./http1/header_pair.ts";
import { toResponse } from "./node_response.ts";
import { NodeWebSocket, type WsSocket } from "./ws_socket.ts";

/**
 * The largest WebSocket message that is received, in bytes; a larger one ends the connection.
 * Servers send far shorter ones.
 */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

interface WsModule {
  readonly WebSocket: new (
    url: string,
    protocols: string[],
    options: Record<string, unknown>,
  ) => WsSocket;
}

/**
 * Returns a function that opens WebSockets ({@linkcode Dial}) on connections of a `node:http`
 * agent, which knows the TLS and the route of the cluster. Each call requests the agent anew.
 *
 * Uses the `ws` package, loaded at the first call: the runtime's own `WebSocket` trusts the default
 * roots in addition to those of the cluster, and does not report refusals. The package needs, and
 * opening a WebSocket otherwise rejects with a ConfigError,
 * `--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE`; if either variable is set, the package does
 * not look for the native helper of that name.
 */
export function wsDial(
  agent: () => Agent | Promise<Agent>,
  options: { readonly clock?: Clock | undefined } = {},
): Dial {
  const { clock = systemClock } = options;
  return async (url, protocols, headers, signal, admit) => {
    signal.throwIfAborted();
    const { WebSocket } = await loadWs();
    const ways = await agent();
    signal.throwIfAborted();
    const ws = new WebSocket(url, [...protocols], {
      agent: ways,
      giveUp: signal,
      admit,
      headers: grouped(headers),
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
    });
    return await opened(ws, clock, signal);
  };
}

async function loadWs(): Promise<WsModule> {
  try {
    return await import("ws") as unknown as WsModule;
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotCapable)) throw cause;
    throw new ConfigError(
      "Cannot open a WebSocket: the package that does it looks for two environment variables, and " +
        "this process may not: run it with --allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE " +
        "(`kubectl xca permissions --streams` prints all that it needs)",
      { cause },
    );
  }
}

function opened(ws: WsSocket, clock: Clock, signal: AbortSignal): Promise<WebSocketLike> {
  return new Promise((resolve, reject) => {
    const socket = new NodeWebSocket(ws, clock);
    let refused = false;
    const onAbort = (): void => {
      reject(signal.reason);
      socket.fail(asError(signal.reason));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    ws.on("open", () => {
      socket.watchPeer();
      resolve(socket);
    });
    ws.on("unexpected-response", (_request, message) => {
      refused = true;
      toResponse(message).then((response) => {
        reject(new UpgradeRefused(response));
        if (message.destroyed) ws.terminate();
        else message.on("close", () => ws.terminate());
      }, (error) => {
        reject(error);
        ws.terminate();
      });
    });
    ws.on("error", (error) => {
      if (!refused) reject(error);
    });
    void socket.closed.then(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * Returns header values grouped by name, as Node expects them: Node sends a header once for each
 * item of the list.
 */
function grouped(headers: readonly HeaderPair[]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [name, value] of headers) (all[name] ??= []).push(value);
  return all;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
