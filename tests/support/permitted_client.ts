/**
 * The client under test of `tests/permissions_test.ts`, with no more permissions than it is given: one
 * call to the cluster of the kubeconfig, or with `--stream` one WebSocket, and a line about how it went.
 *
 * @module
 */
import {
  type ClientConfig,
  createClient,
  createTransport,
  loadConfig,
} from "../../lib/client/mod.ts";

const [argument] = Deno.args;
let line: string;
try {
  if (argument === "--stream") line = await stream(await loadConfig());
  else line = await call(await loadConfig(argument ? { context: argument } : {}));
} catch (error) {
  line = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
// deno-lint-ignore no-console -- what the test reads
console.log(line);

async function call(config: ClientConfig): Promise<string> {
  using client = createClient(config);
  return JSON.stringify(await client.requestJson({ path: "/version", retry: false }));
}

/** Sends a message to a server that sends it back. */
async function stream(config: ClientConfig): Promise<string> {
  using transport = createTransport(config);
  const url = `${config.server.replace(/^https/, "wss")}/echo`;
  const signal = AbortSignal.timeout(120_000);
  using socket = await transport.dial(url, ["v5.channel.k8s.io"], [], signal);
  await socket.send(new TextEncoder().encode("echo"));
  return new TextDecoder().decode(await socket.receive());
}
