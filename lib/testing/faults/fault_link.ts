import { type Clock, delay } from "@xca/apimachinery/base";

/**
 * The treatment of bytes by a connection through a fault proxy: `pass` passes them on, `stall`
 * holds bytes and closes back.
 */
export type FaultMode = "pass" | "stall";

const BUFFER_BYTES = 64 * 1024;

/**
 * A connection of one client through a fault proxy, together with the proxy's connection to the
 * server.
 */
export class FaultLink {
  /**
   * A promise that resolves when the connections to client and server are closed and no work is
   * left. The promise never rejects.
   */
  readonly ended: Promise<void>;
  /** The number of bytes that were passed from the server to the client so far. */
  bytesToClient = 0;
  /** The number of bytes that were passed from the client to the server so far. */
  bytesToServer = 0;
  readonly #client: Deno.TcpConn;
  readonly #clock: Clock;
  readonly #cutting = new AbortController();
  #server: Deno.TcpConn | undefined;
  #cut = false;
  #delayMs = 0;
  /** The total number of bytes to the client after which both connections are cut. */
  #cutAt = Infinity;
  #mode: FaultMode;
  #open = Promise.withResolvers<void>();

  /**
   * Takes over an accepted connection of a client, which the link closes, and connects to the
   * target once the mode is `pass`. If that fails, the client's connection is closed.
   */
  constructor(
    client: Deno.TcpConn,
    { target, mode, clock }: {
      readonly target: Deno.ConnectOptions;
      readonly mode: FaultMode;
      readonly clock: Clock;
    },
  ) {
    this.#client = client;
    this.#clock = clock;
    this.#mode = mode;
    if (mode === "pass") this.#open.resolve();
    this.ended = this.#run(target);
  }

  /**
   * Makes the link cut both connections after `bytes` further bytes to the client (0: at the next
   * byte), in place of an earlier call; `Infinity` for never.
   */
  cutAfter(bytes: number): void {
    this.#cutAt = this.bytesToClient + bytes;
  }

  /**
   * Makes the link delay each chunk of bytes (at most 64 KiB) that it reads from now on by `ms`
   * milliseconds, in each direction; 0 for no delay.
   */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /**
   * Stalls or resumes the passing of bytes in both directions; bytes that were held back pass
   * first.
   */
  setMode(mode: FaultMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    if (mode === "stall") this.#open = Promise.withResolvers();
    else this.#open.resolve();
  }

  /** Closes the connections to client and server at once, stalled or not. */
  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    this.#cutting.abort();
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
      // One side broke the connection, and the other side must see it broken too.
    } finally {
      this.cut();
    }
  }

  /** Resolves when bytes may pass or the connections are cut. */
  async #passing(): Promise<void> {
    while (this.#mode === "stall" && !this.#cut) await this.#open.promise;
  }

  /** Resolves after the delay of a chunk, or when the connections are cut. */
  async #late(): Promise<void> {
    if (this.#delayMs === 0) return;
    const { signal } = this.#cutting;
    await delay(this.#delayMs, { signal, clock: this.#clock }).catch(() => {});
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
        await this.#late();
        await this.#passing();
        if (this.#cut) return;
        if (count === null) return await to.closeWrite();
        await forward(buffer.subarray(0, count));
      }
    } catch {
      // The link is cut, since the other direction must not wait for bytes that cannot come.
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
    // It is already closed.
  }
}
