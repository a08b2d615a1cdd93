import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { until } from "../../../../tests/support/until.ts";
import { proxied } from "./proxied.ts";

Deno.test("the connection to a server that redirects to an invalid URL is closed", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let closed = false;
  server.on("connection", (socket) => {
    socket.resume().on("close", () => closed = true);
    socket.write("HTTP/1.1 302 Found\r\nLocation: http://a%zz/\r\nContent-Length: 9\r\n\r\n");
  });
  const target = { scheme: "http", host: "127.0.0.1", port } as const;
  const location = { scheme: "http", host: `127.0.0.1:${port}`, target: () => target } as const;
  const request = new Request("http://server.invalid/proxy/x");
  await assert.rejects(proxied(location, "/x", request), /error trying to parse Location header/);
  await until(() => closed, "the end of the connection");
  server.close();
});
