import assert from "node:assert/strict";
import { type Script, ScriptedServer } from "./scripted_server.ts";

/** Runs a test with an HTTP client of its own, so that no connection outlives the test. */
async function withServer(
  script: Script,
  fn: (server: ScriptedServer, client: Deno.HttpClient) => Promise<void>,
): Promise<void> {
  using client = Deno.createHttpClient({ http2: false });
  await using server = ScriptedServer.start(script);
  await fn(server, client);
}

Deno.test("requests are recorded in order, and answered one after the other", async () => {
  const script: Script = (exchange, index) =>
    exchange.reply(200 + index, { "x-index": `${index}` }, `${exchange.request.body}!`);
  await withServer(script, async (server, client) => {
    for (const index of [0, 1, 2]) {
      const init = { method: "PUT", body: `bödy ${index}`, client };
      const response = await fetch(`${server.url}/p?q=${index}`, init);
      assert.equal(response.status, 200 + index);
      assert.equal(response.headers.get("x-index"), `${index}`);
      assert.equal(await response.text(), `bödy ${index}!`);
    }
    assert.deepEqual(server.requests.map((request) => `${request.method} ${request.path}`), [
      "PUT /p?q=0",
      "PUT /p?q=1",
      "PUT /p?q=2",
    ]);
  });
});

Deno.test("a body arrives in the pieces that the script writes, even within a character", async () => {
  const script: Script = async (exchange) => {
    await exchange.head(200);
    await exchange.write("a");
    await exchange.write(new Uint8Array([0xc3]));
    await exchange.write(new Uint8Array([0xbc]));
    await exchange.end();
  };
  await withServer(script, async (server, client) => {
    assert.equal(await (await fetch(server.url, { client })).text(), "aü");
  });
});

Deno.test("an empty part does not end the body", async () => {
  const script: Script = async (exchange) => {
    await exchange.head(200);
    for (const part of ["a", "", new Uint8Array(), "b"]) await exchange.write(part);
    await exchange.end();
  };
  await withServer(script, async (server, client) => {
    assert.equal(await (await fetch(server.url, { client })).text(), "ab");
  });
});

Deno.test("a request with a content-length that is no number is an error of the test", async () => {
  const server = ScriptedServer.start((exchange) => exchange.reply(200, {}, ""));
  using conn = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(server.url).port),
  });
  const text = "POST / HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\nab";
  await conn.write(new TextEncoder().encode(text));
  assert.equal(await conn.read(new Uint8Array(1)), null);
  await assert.rejects(async () => await server[Symbol.asyncDispose](), /content-length is "1, 2"/);
});

Deno.test("a cut body fails at the client after the bytes that were written", async () => {
  const script: Script = async (exchange, index) => {
    await exchange.head(200, index === 0 ? {} : { "content-length": "100" });
    await exchange.write("half");
    exchange.cut();
  };
  await withServer(script, async (server, client) => {
    for (const _how of ["chunked", "content-length"]) {
      const response = await fetch(server.url, { client });
      const reader = response.body!.getReader();
      const first = await reader.read();
      assert.equal(new TextDecoder().decode(first.value), "half");
      await assert.rejects(reader.read());
    }
  });
});

Deno.test("a script that returns early leaves the client without an answer until it disconnects", async () => {
  await withServer(() => {}, async (server, client) => {
    const abort = new AbortController();
    const answer = fetch(server.url, { client, signal: abort.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    await assert.rejects(answer, { name: "AbortError" });
  });
});

Deno.test("disposing ends a script that observes its signal, and reports one that failed", async () => {
  const waits: Script = async (exchange) => {
    await exchange.head(200);
    await new Promise((resolve) => exchange.signal.addEventListener("abort", resolve));
  };
  await withServer(waits, async (server, client) => {
    const response = await fetch(server.url, { client });
    await server[Symbol.asyncDispose]();
    await assert.rejects(response.text());
  });

  const fails: Script = () => {
    throw new Error("a wrong script");
  };
  await assert.rejects(
    withServer(fails, async (server, client) => {
      await assert.rejects(fetch(server.url, { client }));
    }),
    { message: "a wrong script" },
  );
});
