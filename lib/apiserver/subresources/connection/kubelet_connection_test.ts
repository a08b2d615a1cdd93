import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { HttpServer } from "@xca/apimachinery/serving";
import { until } from "../../../../tests/support/until.ts";
import { type ForwardTarget, refusalOf, tunnelled } from "./kubelet_connection.ts";

const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";

/** Starts a server that switches protocols, and ends each connection after the first data. */
async function startKubelet(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(SWITCHED);
      socket.once("data", () => socket.end("bye"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Asks a server to switch protocols. Resolves to `undefined` if the server has no room. */
async function switched(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
  const accepted = await Promise.race([
    once(socket, "data").then(([data]) => String(data) === SWITCHED),
    once(socket, "close").then(() => false),
    once(socket, "end").then(() => false),
  ]);
  if (accepted) return socket;
  socket.destroy();
}

Deno.test("the end of a kubelet's connection closes that of the client, which makes room for another", async () => {
  await using kubelet = await startKubelet();
  const target = { scheme: "http", host: "127.0.0.1", port: kubelet.port, path: "/" } as const;
  await using server = await HttpServer.listen({
    handler: (request) => tunnelled(target, request),
    tunnels: () => true,
    limits: { connections: 1 },
  });
  const client = (await switched(server.port))!;
  let received = "";
  client.on("data", (data) => received += data);
  client.write("to the kubelet");
  await once(client, "end");
  assert.equal(received, "bye");
  client.end("after the end of the kubelet");
  await once(client, "close");
  let second: Socket | undefined;
  await until(async () => Boolean(second = await switched(server.port)), "room for a connection");
  second!.destroy();
});

Deno.test("the error about a refusal of a kubelet quotes at most 50000 bytes, and reads no more", async () => {
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls++;
      controller.enqueue(new TextEncoder().encode("é".repeat(10_000)));
    },
  }, { highWaterMark: 0 });
  const refusal = await refusalOf(new Response(body, { status: 500 }), "web");
  const quoted = `Internal error occurred: ${"é".repeat(25_000)}`;
  assert.equal(refusal?.message, quoted);
  assert.equal(pulls, 3);
  assert.equal(await refusalOf(new Response("fine"), "web"), undefined);
});

/** Listens for connections, and calls `serve` with each. */
async function listening(
  serve: (socket: Socket) => void,
): Promise<{ readonly port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const upgrade = (signal?: AbortSignal): Request =>
  new Request("http://a/", { headers: { upgrade: "x" }, ...(signal && { signal }) });

const AT_STEP: Readonly<Record<string, (port: number) => Omit<ForwardTarget, "path" | "host">>> = {
  "the response of the kubelet": (port) => ({ scheme: "http", port }),
  "the TLS handshake with the kubelet": (port) => ({ scheme: "https", port }),
  "the response of the proxy": (port) => ({ port: 1, proxy: { host: "127.0.0.1", port } }),
};

for (const [step, target] of Object.entries(AT_STEP)) {
  Deno.test(`the end of a client's request ends the wait for ${step}`, async () => {
    const abort = new AbortController();
    const data = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using kubelet = await listening((socket) => {
      socket.on("data", () => data.resolve()).on("close", () => closed.resolve());
    });
    const forward = { host: "127.0.0.1", path: "/", ...target(kubelet.port) };
    const response = tunnelled(forward, upgrade(abort.signal));
    await data.promise;
    abort.abort(new Error("the client went away"));
    await assert.rejects(response, /the client went away/);
    await closed.promise;
  });
}

Deno.test("the end of a client's request ends the TLS handshake through a proxy", async () => {
  const abort = new AbortController();
  const hello = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  await using proxy = await listening((socket) => {
    socket.on("close", () => closed.resolve());
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.once("data", () => hello.resolve());
    });
  });
  const target = { host: "a", port: 1, path: "/", proxy: { host: "127.0.0.1", port: proxy.port } };
  const response = tunnelled(target, upgrade(abort.signal));
  await hello.promise;
  abort.abort(new Error("the client went away"));
  await assert.rejects(response, /error dialing backend: dial tcp a:1: the client went away/);
  await closed.promise;
});

Deno.test("the body of a kubelet's refusal of an upgrade is passed on as it comes, without an end too", async () => {
  const closed = Promise.withResolvers<void>();
  await using kubelet = await listening((socket) => {
    const more = (): void => {
      if (!socket.destroyed) socket.write("8\r\nno more \r\n", more);
    };
    socket.once("data", () => {
      socket.write(
        "HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\nX-Why: no\r\n\r\n",
        more,
      );
    });
    socket.on("close", () => closed.resolve());
  });
  const target = { scheme: "http", host: "127.0.0.1", port: kubelet.port, path: "/" } as const;
  const response = await tunnelled(target, upgrade());
  assert.deepEqual([response.status, response.headers.get("x-why")], [403, "no"]);
  const reader = response.body!.getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /^no more /);
  await reader.cancel();
  await closed.promise;
});

Deno.test("the error about a proxy's refusal quotes the beginning of its body", async () => {
  await using proxy = await listening((socket) => {
    const more = (): void => {
      if (!socket.destroyed) socket.write("no ".repeat(1_000), more);
    };
    socket.once("data", () => socket.write("HTTP/1.1 403 Forbidden\r\n\r\n", more));
  });
  const target = { host: "a", port: 1, path: "/", proxy: { host: "127.0.0.1", port: proxy.port } };
  await assert.rejects(tunnelled(target, upgrade()), ({ message }: Error) => {
    const [, quoted] = /^error dialing backend: dial tcp a:1: ((?:no )+no?)$/.exec(message) ?? [];
    return quoted?.length === 4_096;
  });
});
