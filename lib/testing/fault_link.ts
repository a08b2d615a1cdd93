/** What a link does with what it reads. */
export type FaultMode = "pass" | "stall";

const BUFFER_BYTES = 64 * 1024;

/** One client's connection through a fault proxy, and the connection to the server behind it. */
export class FaultLink {
  /** Settles when both connections are closed and nothing runs any more. Never rejects. */
  readonly ended: Promise<void>;
  /** Bytes of the server that were passed on. */
  bytesToClient = 0;
  /** Bytes of the client that were passed on. */
  bytesToServer = 0;
  readonly #client: Deno.TcpConn;
  #server: Deno.TcpConn | undefined;
  #cut = false;
  /** The value of `bytesToClient` at which the link is cut. */
  #cutAt = Infinity;
  #mode: FaultMode;
  #open = Promise.withResolvers<void>();

  /** Takes over an accepted connection and connects to the target, once it may. */
  constructor(client: Deno.TcpConn, target: Deno.ConnectOptions, mode: FaultMode) {
    this.#client = client;
    this.#mode = mode;
    if (mode === "pass") this.#open.resolve();
    this.ended = this.#run(target);
  }

  /** Cuts the link when `bytes` more bytes of the server have passed. */
  cutAfter(bytes: number): void {
    this.#cutAt = this.bytesToClient + bytes;
  }

  /** Stalls the link or lets it pass. */
  setMode(mode: FaultMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    if (mode === "stall") this.#open = Promise.withResolvers();
    else this.#open.resolve();
  }

  /** Closes both connections now, stalled or not. */
  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    close(this.#client);
    if (this.#server) close(this.#server);
    this.#open.resolve();
  }

  async #run(target: Deno.ConnectOptions): Promise<void> {
    try {
      await this.#passing();
      if (this.#cut) return;
      const server = await Deno.connect(target);
      this.#server = server;
      if (this.#cut) return close(server);
      this.#client.setNoDelay(true);
      server.setNoDelay(true);
      await Promise.all([
        this.#pump(this.#client, server, (chunk) => this.#toServer(server, chunk)),
        this.#pump(server, this.#client, (chunk) => this.#toClient(chunk)),
      ]);
    } catch {
      // Either side broke the connection: to the other it looks the same, broken.
    } finally {
      this.cut();
    }
  }

  /** Settles when bytes may pass, or when the link was cut. */
  async #passing(): Promise<void> {
    while (this.#mode === "stall" && !this.#cut) await this.#open.promise;
  }

  async #pump(
    from: Deno.TcpConn,
    to: Deno.TcpConn,
    forward: (chunk: Uint8Array) => Promise<void>,
  ): Promise<void> {
    const buffer = new Uint8Array(BUFFER_BYTES);
    try {
      for (;;) {
        const count = await from.read(buffer);
        await this.#passing();
        if (this.#cut) return;
        if (count === null) return await to.closeWrite();
        await forward(buffer.subarray(0, count));
      }
    } catch {
      // Broken, not ended: the other direction must not wait for bytes that cannot come.
      this.cut();
    }
  }

  async #toServer(server: Deno.TcpConn, chunk: Uint8Array): Promise<void> {
    await writeAll(server, chunk);
    this.bytesToServer += chunk.length;
  }

  async #toClient(chunk: Uint8Array): Promise<void> {
    const left = this.#cutAt - this.bytesToClient;
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk;
    this.bytesToClient += part.length;
    await writeAll(this.#client, part);
    if (chunk.length >= left) this.cut();
  }
}

async function writeAll(conn: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
}

function close(conn: Deno.TcpConn): void {
  try {
    conn.close();
  } catch {
    // It was closed already.
  }
}
