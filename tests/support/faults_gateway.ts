import type { ControlPlane } from "../../lib/testing/control_plane.ts";

/** Where to cut: inside or right after these bytes of the answer, or after so many. */
export interface Cut {
  /** The bytes to wait for; none counts from the begin of the answer. */
  readonly after?: string | Uint8Array;
  /** How many bytes more pass. @default {0} */
  readonly plus?: number;
}

/**
 * Speaks TLS to a control plane and plain HTTP to its client, so that a test can cut an answer at
 * any byte of HTTP: under TLS a cut falls between records, and half an event never arrives. Its
 * clients are the administrator.
 */
export class ClearGateway implements AsyncDisposable {
  /** Its address, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** How many watches were cut as asked for. */
  cuts = 0;
  /** The last bytes that each cut let pass, as text: where it fell. */
  readonly ends: string[] = [];
  readonly #plane: ControlPlane;
  readonly #listener: Deno.TcpListener;
  readonly #accepting: Promise<void>;
  readonly #open = new Map<Deno.Conn, Promise<void>>();
  readonly #watches = new Set<Deno.Conn>();
  #next: Cut | undefined;

  private constructor(plane: ControlPlane) {
    this.#plane = plane;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `http://127.0.0.1:${this.#listener.addr.port}`;
    this.#accepting = this.#accept();
  }

  /** Starts one on a free port. */
  static start(plane: ControlPlane): ClearGateway {
    return new ClearGateway(plane);
  }

  /** How many watches are open. */
  get watches(): number {
    return this.#watches.size;
  }

  /** Cuts the next watch that begins, there. */
  cutNextWatch(cut: Cut): void {
    this.#next = cut;
  }

  /** Cuts all watches that are open, now. */
  cutWatches(): void {
    for (const conn of this.#watches) close(conn);
  }

  /** Closes everything and waits until nothing runs any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
    for (const conn of this.#open.keys()) close(conn);
    await Promise.all(this.#open.values());
  }

  async #accept(): Promise<void> {
    for await (const conn of this.#listener) {
      this.#open.set(conn, this.#serve(conn).finally(() => this.#open.delete(conn)));
    }
  }

  async #serve(client: Deno.Conn): Promise<void> {
    let server: Deno.Conn | undefined;
    try {
      const buffer = new Uint8Array(64 * 1024);
      const count = await client.read(buffer);
      if (count === null) return;
      const { url, caData, admin: { cert, key } } = this.#plane;
      const { hostname, port } = new URL(url);
      server = await Deno.connectTls({
        hostname,
        port: Number(port),
        caCerts: [caData],
        cert,
        key,
      });
      const [line] = new TextDecoder().decode(buffer.subarray(0, count)).split("\r\n");
      const isWatch = /[?&]watch=/.test(line!);
      if (isWatch) this.#watches.add(client);
      const cut = isWatch ? this.#next : undefined;
      if (cut) this.#next = undefined;
      await write(server, buffer.subarray(0, count));
      await Promise.all([
        pump(client, server, (bytes) => bytes),
        pump(server, client, cut ? this.#cutter(cut) : (bytes) => bytes),
      ]);
    } catch {
      // Either side broke: the other is closed too.
    } finally {
      this.#watches.delete(client);
      close(client);
      if (server) close(server);
    }
  }

  /** Gives what may pass of each chunk; less than the chunk when the cut is in it. */
  #cutter({ after = "", plus = 0 }: Cut): (bytes: Uint8Array) => Uint8Array {
    const marker = typeof after === "string" ? new TextEncoder().encode(after) : after;
    let matched = 0;
    let left = plus;
    return (bytes) => {
      let at = 0;
      while (at < bytes.length && matched < marker.length) {
        const byte = bytes[at++];
        matched = byte === marker[matched] ? matched + 1 : byte === marker[0] ? 1 : 0;
      }
      if (matched < marker.length) return bytes;
      const end = Math.min(bytes.length, at + left);
      left -= end - at;
      if (left > 0) return bytes;
      this.cuts++;
      this.ends.push(new TextDecoder().decode(bytes.subarray(Math.max(0, end - 40), end)));
      return bytes.subarray(0, end);
    };
  }
}

/** Copies until either side ends, then closes both, or until less than a chunk may pass. */
async function pump(
  from: Deno.Conn,
  to: Deno.Conn,
  passing: (bytes: Uint8Array) => Uint8Array,
): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
      const bytes = buffer.subarray(0, count);
      const part = passing(bytes);
      await write(to, part);
      if (part.length < bytes.length) break;
    }
  } finally {
    close(from);
    close(to);
  }
}

async function write(conn: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // It was closed already.
  }
}
