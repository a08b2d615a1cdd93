// Mirrors `kubelet/server/server.go, Server.InstallDebuggingHandlers`.
import { tunnelResponse } from "@xca/apimachinery/internal/serving";
import { checkRunning, KubeletError, podNamed } from "./target_container.ts";
import { containerLog, type LogSource } from "./container_log.ts";
import {
  type ContainerProcess,
  containerProcess,
  type KubeletHandlers,
  noListener,
  noProgram,
  processStatus,
} from "./container_process.ts";
import type { PodPorts } from "./pod_ports.ts";
import { serveSpdy } from "./spdy_streams.ts";
import type { StreamContext } from "./stream_context.ts";
import {
  servePorts,
  serveRemote,
  type ServerSocket,
  webSocketServer,
} from "./web_socket_streams.ts";

/** The dependencies of the simulated kubelet's request handlers. */
export interface KubeletSource extends LogSource {
  readonly handlers: KubeletHandlers;
  /**
   * The simulated HTTP servers behind the ports of pods, which serve proxy requests, and
   * port-forwards unless there is a handler `portForward`. The kubelet's listener disposes them.
   *
   * @default {the handler `portForward` serves proxy requests too; without it they are refused}
   */
  readonly ports?: PodPorts | undefined;
  /**
   * Returns the response to a request that is not part of the kubelet's API, such as one for
   * metrics; `undefined` for all other requests, which the kubelet answers itself.
   * @default {requests outside the kubelet's API get a 404 response}
   */
  readonly extension?: (request: Request) => Promise<Response | undefined>;
}

/** The WebSocket protocol that carries a SPDY connection in its messages. */
const SPDY_IN_WEB_SOCKET = "SPDY/3.1+portforward.k8s.io";

/**
 * Reports whether the path of a request to the kubelet is that of exec, attach or port-forward,
 * whose connection is upgraded to a streaming protocol.
 */
export function isStream(_method: string, target: string): boolean {
  return /^\/(exec|attach|portForward)\//.test(target);
}

/**
 * Returns the simulated kubelet's response to a request of the API server; a
 * {@linkcode KubeletError} becomes an error response, any other error is thrown.
 */
export async function kubeletAnswer(source: KubeletSource, request: Request): Promise<Response> {
  try {
    return await answer(source, request);
  } catch (error) {
    if (!(error instanceof KubeletError)) throw error;
    return new Response(error.message, { status: error.code });
  }
}

async function answer(source: KubeletSource, request: Request): Promise<Response> {
  const extended = await source.extension?.(request);
  if (extended) return extended;
  const { pathname, searchParams: query } = new URL(request.url);
  const [, verb = "", namespace = "", pod = "", container = ""] = pathname.split("/")
    .map(decodeURIComponent);
  switch (verb) {
    case "healthz":
      return new Response("ok");
    case "containerLogs": {
      const { signal } = request;
      const log = await containerLog(source, { namespace, pod, container, query, signal });
      return new Response(log, { headers: { "Content-Type": "text/plain" } });
    }
    case "exec":
    case "attach":
    case "portForward":
      return await stream(source, request, { verb, namespace, pod, container });
    default:
      throw new KubeletError(404, "404 page not found\n");
  }
}

/** The pod, the container and the kind (exec, attach, port-forward) of a streaming request. */
interface StreamTarget {
  readonly verb: "exec" | "attach" | "portForward";
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

async function stream(
  source: KubeletSource,
  request: Request,
  { verb, namespace, pod: name, container }: StreamTarget,
): Promise<Response> {
  if (!request.headers.has("upgrade")) throw new KubeletError(400, "Upgrade request required");
  const pod = await podNamed(source.client, namespace, name);
  if (verb !== "portForward") checkRunning(pod, container);
  const query = new URL(request.url).searchParams;
  const argv = verb === "exec" ? query.getAll("command") : [];
  const { ports } = source;
  const httpServer: KubeletHandlers["portForward"] = ports && ((to) => ports.serve(to, to));
  const { exec = noProgram, attach, portForward = httpServer ?? noListener } = source.handlers;
  const gone = new AbortController();
  const run = verb === "exec" ? exec : attach ?? follower(source, { namespace, name }, gone.signal);
  const context: StreamContext = {
    query,
    forward: verb === "portForward",
    remote: (streams) =>
      processStatus(() => run(containerProcess({ pod, container, argv }, streams))),
    connect: (streams) => connected(() => portForward({ pod, ...streams })),
  };
  const sockets = await webSocketServer();
  return tunnelResponse(({ incoming, socket, head }) => {
    socket.on("close", () => gone.abort());
    socket.on("error", () => {}); // The closed connection ends the streams.
    if (/^SPDY/i.test(incoming.headers.upgrade ?? "")) {
      if (head.byteLength > 0) socket.unshift(head);
      void serveSpdy(incoming, socket, context).catch(() => socket.destroy());
      return;
    }
    sockets.handleUpgrade(incoming, socket, head, (ws: ServerSocket) => {
      const serve = ws.protocol === SPDY_IN_WEB_SOCKET
        ? serveSpdy(incoming, ws, context)
        : context.forward
        ? servePorts(ws, context)
        : serveRemote(ws, context);
      void serve.catch(() => socket.destroy());
    });
  });
}

/**
 * Calls a function that handles a connection to a port of a pod. Resolves to the message of its
 * error; `undefined` if it does not fail.
 */
async function connected(
  serve: () => ReturnType<NonNullable<KubeletHandlers["portForward"]>>,
): Promise<
  string | undefined
> {
  try {
    await serve();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Returns the default handler of `kubectl attach`: it writes the container's log from the time of
 * the request to the client.
 */
function follower(
  source: LogSource,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): (process: ContainerProcess) => Promise<number> {
  return async ({ container, stdout }) => {
    const query = new URLSearchParams({ follow: "true", tailLines: "0" });
    const log = await containerLog(source, { namespace, pod: name, container, query, signal });
    for await (const bytes of log) await stdout(bytes);
    return 0;
  };
}
