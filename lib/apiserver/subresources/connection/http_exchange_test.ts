import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { exchangeOn } from "./http_exchange.ts";

/** Sends a request to a server that sends the given bytes; returns the response as text. */
async function answered(bytes: string): Promise<string> {
  const [client, server] = duplexPair();
  server.resume();
  server.end(bytes);
  const request = { method: "GET", path: "/", headers: [] };
  const { status, body } = await exchangeOn(client, request);
  return `${status} ${await new Response(body).text()}`;
}

const withLength = (...values: string[]): string =>
  `HTTP/1.1 200 OK\r\n${values.map((value) => `Content-Length: ${value}\r\n`).join("")}\r\nabcdef`;

Deno.test("a response whose length is malformed is refused with the message of Go", async () => {
  const broken = "net/http: HTTP/1.x transport connection broken: ";
  for (const value of ["abc", "+3", "-3", "0x3", "1e1", "3, 3", "9223372036854775808"]) {
    const message = `${broken}bad Content-Length "${value}"`;
    await assert.rejects(answered(withLength(value)), { message });
  }
  await assert.rejects(answered(withLength("")), {
    message: `${broken}invalid empty Content-Length ""`,
  });
  await assert.rejects(answered(withLength("3", "4")), {
    message: `${broken}http: message cannot contain multiple Content-Length headers; got ["3" "4"]`,
  });
  await assert.rejects(answered("hello\r\n\r\n"), {
    message: `${broken}malformed HTTP response "hello"`,
  });
  await assert.rejects(answered(""), { message: "EOF" });
});

Deno.test("a response is as long as its length says", async () => {
  assert.equal(await answered(withLength("3")), "200 abc");
  assert.equal(await answered(withLength(" 3 ", "3")), "200 abc");
  assert.equal(await answered(withLength()), "200 abcdef");
  await assert.rejects(answered(withLength("7")), /unexpected EOF/);
});

Deno.test("the connection of a response without a body is destroyed", async () => {
  for (const status of [204, 205, 304]) {
    const [client, server] = duplexPair();
    server.resume();
    server.write(`HTTP/1.1 ${status} Any\r\n\r\n`);
    const { body } = await exchangeOn(client, { method: "GET", path: "/", headers: [] });
    assert.equal(body, undefined);
    assert(client.destroyed, `the connection of ${status}`);
  }
});
