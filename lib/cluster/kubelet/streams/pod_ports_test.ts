import assert from "node:assert/strict";
import { PodPorts } from "./pod_ports.ts";

/** The first bytes of a TLS connection, and no more. */
async function* handshake(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array([0x16, 3, 1, 0, 0]);
  await Promise.resolve();
}

Deno.test("a server of pod ports that could not start is started by the next connection", async () => {
  const { serve } = Deno;
  const ports = new PodPorts(() => new Response("ok"));
  const target = { pod: { metadata: {}, spec: { containers: [] } }, port: 443 };
  const connect = (): Promise<void> =>
    ports.serve(target as never, { input: handshake(), output: () => Promise.resolve() });
  try {
    Deno.serve = () => {
      throw new Deno.errors.AddrInUse("no port is free");
    };
    await assert.rejects(connect(), /no port is free/);
  } finally {
    Deno.serve = serve;
  }
  await connect();
  await ports[Symbol.asyncDispose]();
});

Deno.test("pod ports whose server could not start are disposed", async () => {
  const { serve } = Deno;
  const ports = new PodPorts(() => new Response("ok"));
  try {
    Deno.serve = () => {
      throw new Deno.errors.AddrInUse("no port is free");
    };
    const streams = { input: handshake(), output: () => Promise.resolve() };
    await assert.rejects(ports.serve({} as never, streams), /no port is free/);
  } finally {
    Deno.serve = serve;
  }
  await ports[Symbol.asyncDispose]();
});
