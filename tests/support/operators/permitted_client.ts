/**
 * A program for tests of Deno's permissions: makes one call to the cluster of the kubeconfig, or with
 * `--stream` opens one WebSocket, and prints a line about the outcome. The flags are the JSON of a
 * {@linkcode ConfigOverrides}; errors are reported as on the command line.
 *
 * @module
 */
import { reportError } from "../../../cli/report_error.ts";
import {
  type ClientConfig,
  type ConfigOverrides,
  createClient,
  createTransport,
  loadConfig,
} from "../../../lib/client/mod.ts";

const [argument] = Deno.args;
let line: string;
try {
  if (argument === "--stream") line = await stream(await loadConfig());
  else if (argument?.startsWith("{")) line = await verdict(JSON.parse(argument));
  else line = await call(await loadConfig(argument ? { context: argument } : {}));
} catch (error) {
  line = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
// deno-lint-ignore no-console -- what the test reads
console.log(line);

async function verdict(overrides: ConfigOverrides): Promise<string> {
  try {
    using client = createClient(await loadConfig(overrides));
    await client.requestJson({ path: "/api/v1/namespaces/default", retry: false });
    return JSON.stringify({ reached: true, said: "" });
  } catch (error) {
    // Without the advice that follows on a line of its own.
    const [said] = reportError(error, "kubectl xca status").text.split("\n");
    return JSON.stringify({ reached: false, said });
  }
}

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
