import type { Plane } from "../planes/plane.ts";

/** The end of a response: after certain bytes, or after a number of bytes. */
export interface Cut {
  /** The bytes after which to count. @default {the begin of the response} */
  readonly after?: string | Uint8Array;
  /** The number of bytes that still pass. @default {0} */
  readonly plus?: number;
  /**
   * Reports whether the connection stays open and silent from there (half-open) instead of being
   * closed.
   *
   * @default {false}
   */
  readonly silently?: boolean;
}

/** One connection of a client. */
interface Link {
  readonly client: Deno.Conn;
  /** The first line of the connection's first request. */
  line: string;
  /** Reports whether the connection silently passes nothing on any more. */
  silent: boolean;
  ended: Promise<void>;
}

const WATCH = /[?&]watch=/;

/**
 * A proxy that speaks TLS to a control plane and plain HTTP to its client, so that a test can cut a
 * response at any byte: under TLS a cut falls between records, and half an event never arrives.
 * Clients of the proxy are the administrator.
 */
export class ClearGateway implements AsyncDisposable {
  /** The address, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The number of connections so far. */
  accepted = 0;
  /** The number of watches that were cut as requested. */
  cuts = 0;
  /** The last bytes that passed before each cut, as text. */
  readonly ends: string[] = [];
  readonly #plane: Plane;
  readonly #listener: Deno.TcpListener;
  readonly #accepting: Promise<void>;
  readonly #links = new Set<Link>();
  #next: { readonly line: RegExp; readonly cut: Cut } | undefined;

  private constructor(plane: Plane) {
    this.#plane = plane;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `http://127.0.0.1:${this.#listener.addr.port}`;
    this.#accepting = this.#accept();
  }

  /** Starts a gateway on a free port. */
  static start(plane: Plane): ClearGateway {
    return new ClearGateway(plane);
  }

  /** The number of open watches. */
  get watches(): number {
    return [...this.#links].filter(({ line }) => WATCH.test(line)).length;
  }

  /** Cuts the next watch that begins, at a place. */
  cutNextWatch(cut: Cut): void {
    this.cutNext(WATCH, cut);
  }

  /**
   * Cuts the next connection whose first request line matches and whose response reaches the place.
   */
  cutNext(line: RegExp, cut: Cut): void {
    this.#next = { line, cut };
  }

  /** Cuts all open watches. */
  cutWatches(): void {
    for (const { client, line } of this.#links) if (WATCH.test(line)) close(client);
  }

  /**
   * Silences the open connections, like a load balancer that has forgotten them: neither bytes nor
   * ends pass in either direction. New connections pass.
   */
  silence(): void {
    for (const link of this.#links) link.silent = true;
  }

  /** Closes all connections and waits until nothing runs any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
    for (const { client } of this.#links) close(client);
    await Promise.all([...this.#links].map(({ ended }) => ended));
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      this.accepted++;
      const link: Link = { client, line: "", silent: false, ended: Promise.resolve() };
      this.#links.add(link);
      link.ended = this.#serve(link).finally(() => this.#links.delete(link));
    }
  }

  async #serve(link: Link): Promise<void> {
    const { client } = link;
    let server: Deno.Conn | undefined;
    try {
      const buffer = new Uint8Array(64 * 1024);
      const count = await client.read(buffer);
      if (count === null) return;
      link.line = new TextDecoder().decode(buffer.subarray(0, count)).split("\r\n")[0]!;
      const { url, caData, admin: { cert, key } } = this.#plane;
      const { hostname, port } = new URL(url);
      server = await Deno.connectTls({
        hostname,
        port: Number(port),
        caCerts: [caData],
        cert,
        key,
      });
      const armed = this.#next?.line.test(link.line) ? this.#next.cut : undefined;
      await write(server, buffer.subarray(0, count));
      const answer = pump(link, server, client, armed ? this.#cutter(armed) : ALL);
      await pump(link, client, server, ALL);
      close(server);
      await answer;
    } catch {
      // Either side broke: the other is closed too.
    } finally {
      close(client);
      if (server) close(server);
    }
  }

  /** Returns the part of each chunk that may pass before the cut. */
  #cutter(cut: Cut): Passing {
    const { after = "", plus = 0, silently = false } = cut;
    const marker = typeof after === "string" ? new TextEncoder().encode(after) : after;
    let matched = 0;
    let left = plus;
    return (bytes) => {
      let at = 0;
      while (at < bytes.length && matched < marker.length) {
        const byte = bytes[at++];
        matched = byte === marker[matched] ? matched + 1 : byte === marker[0] ? 1 : 0;
      }
      if (matched < marker.length) return { part: bytes };
      const end = Math.min(bytes.length, at + left);
      left -= end - at;
      // Several links may have been armed, since some end before the place comes; one is cut.
      if (left > 0 || this.#next?.cut !== cut) return { part: bytes };
      this.#next = undefined;
      this.cuts++;
      this.ends.push(new TextDecoder().decode(bytes.subarray(Math.max(0, end - 40), end)));
      return { part: bytes.subarray(0, end), then: silently ? "silence" : "cut" };
    };
  }
}

/** The part of a chunk that passes, and the state of the link after it. */
type Passing = (bytes: Uint8Array) => {
  readonly part: Uint8Array;
  readonly then?: "cut" | "silence";
};

const ALL: Passing = (bytes) => ({ part: bytes });

/**
 * Copies until one side ends or is cut, then closes the receiver. On a silent link it copies
 * nothing and does not close the receiver.
 */
async function pump(
  link: Link,
  from: Deno.Conn,
  to: Deno.Conn,
  passing: Passing,
): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
      if (link.silent) continue;
      const { part, then } = passing(buffer.subarray(0, count));
      await write(to, part);
      if (then === "silence") link.silent = true;
      if (then === "cut") break;
    }
  } catch {
    // Broken is as good as ended.
  }
  if (!link.silent) close(to);
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
