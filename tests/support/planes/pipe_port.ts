import { Mailbox } from "../../../lib/cluster/kubelet/streams/mailbox.ts";
import type { PortStreams } from "../../../lib/cluster/kubelet/streams/stream_context.ts";

/**
 * Joins a connection to a port of a pod with the port of this machine that serves it; resolves to
 * the reason of a failure.
 */
export async function pipePort(
  { port, input, output }: PortStreams,
  ports: ReadonlyMap<number, number>,
): Promise<string | undefined> {
  const local = ports.get(port);
  if (local === undefined) {
    return `failed to connect to localhost:${port} inside namespace "stub": connection refused`;
  }
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: local });
  const sending = (async () => {
    const writer = connection.writable.getWriter();
    for await (const chunk of input) await writer.write(chunk as Uint8Array<ArrayBuffer>);
    await writer.close();
  })().catch(() => {});
  try {
    for await (const chunk of connection.readable) await output(chunk);
  } catch {
    // Either side has closed its connection.
  }
  try {
    connection.close();
  } catch {
    // It is closed already.
  }
  if (input instanceof Mailbox) input.close();
  await sending;
  return undefined;
}
