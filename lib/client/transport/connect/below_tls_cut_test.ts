import assert from "node:assert/strict";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { RawServer } from "../../../../tests/client/raw_server.ts";
import { createTransport } from "../transport.ts";

const authority = await CertificateAuthority.create("ours", new Date());
const pair = await authority.serving("s", ["localhost"], ["127.0.0.1"]);

/**
 * A test relay that forwards the bytes of one connection, and can send bytes to the client itself.
 */
class Relay implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #client: Promise<Deno.Conn>;
  readonly #running: Promise<void>;

  constructor(target: string) {
    this.#client = this.#listener.accept();
    this.#running = this.#run(Number(new URL(target).port));
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  /** Sends bytes that are not part of TLS to the client. */
  async inject(bytes: Uint8Array): Promise<void> {
    await (await this.#client).write(bytes);
  }

  /** Closes the relayed connection without the end of TLS. */
  async cut(): Promise<void> {
    await (await this.#client).closeWrite();
  }

  async #run(port: number): Promise<void> {
    using client = await this.#client;
    const server = await Deno.connect({ hostname: "127.0.0.1", port });
    const down = pass(server, client).then(() => client.closeWrite()).catch(() => {});
    await pass(client, server);
    server.close();
    await down;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#running.catch(() => {});
  }
}

async function pass(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (;;) {
      const size = await from.read(buffer);
      if (size === null) return;
      for (let at = 0; at < size;) at += await to.write(buffer.subarray(at, size));
    }
  } catch {
    // One side is closed already.
  }
}

/** A test response in progress, of which the beginning was sent. */
interface Begun extends AsyncDisposable {
  readonly relay: Relay;
  /** Ends the response's connection with the end of TLS. */
  readonly close: () => void;
  /** Returns the rest of the response body after `hello`, as text. */
  rest(): Promise<string>;
}

async function begun(head: string): Promise<Begun> {
  const stack = new AsyncDisposableStack();
  let close = (): void => {};
  const server = stack.use(
    new RawServer(async (_request, wire) => {
      close = () => wire.cut();
      await wire.send(`${head}\r\n\r\nhello`);
    }, pair),
  );
  const relay = stack.use(new Relay(server.url));
  const transport = stack.use(
    createTransport({ server: relay.url, tls: { caData: authority.cert } }),
  );
  const { body } = await transport.fetch(new Request(relay.url));
  const reader = body!.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "hello");
  const rest = async (): Promise<string> => {
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return text;
      text += new TextDecoder().decode(value);
    }
  };
  return { relay, close: () => close(), rest, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const BY_CLOSE = "HTTP/1.1 200 OK";
const BY_LENGTH = "HTTP/1.1 200 OK\r\nContent-Length: 9";

Deno.test("TLS: a body that ends with the connection is complete when TLS ends in order", async () => {
  await using answer = await begun(BY_CLOSE);
  answer.close();
  assert.equal(await answer.rest(), "");
});

Deno.test("TLS: a body that ends with the connection is broken without the end of TLS", async () => {
  await using answer = await begun(BY_CLOSE);
  await answer.relay.cut();
  await assert.rejects(answer.rest(), { code: "ECONNRESET" });
});

for (
  const [what, bytes] of [
    ["that TLS did not encrypt", [0x17, 3, 3, 0, 40, ...Array<number>(40).fill(7)]],
    ["that is not TLS", [...new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n")]],
  ] as const
) {
  Deno.test(`TLS: something ${what} ends the body at once, and is not waited out`, async () => {
    for (const head of [BY_CLOSE, BY_LENGTH]) {
      await using answer = await begun(head);
      await answer.relay.inject(Uint8Array.from(bytes));
      await assert.rejects(answer.rest(), { code: /^ERR_SSL_/ });
    }
  });
}

Deno.test("TLS: a request whose body is in transit when the server closes fails with the error of the network", async () => {
  using listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, ...pair });
  const served = listener.accept().then(async (connection) => {
    await connection.read(new Uint8Array(1024));
    connection.close();
  });
  const server = `https://127.0.0.1:${listener.addr.port}`;
  using transport = createTransport({ server, tls: { caData: authority.cert } });
  const request = new Request(server, { method: "POST", body: new Uint8Array(8_000_000) });
  await assert.rejects(transport.fetch(request), { code: /^(ECONNRESET|EPIPE)$/ });
  await served;
});
