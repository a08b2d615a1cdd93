import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { HttpServer } from "@xca/apimachinery/serving";
import { until } from "../../../../tests/support/until.ts";
import { refusalOf, tunnelled } from "./kubelet_connection.ts";

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
