/**
 * The registry of the tests: an HTTP server with long polls on loopback that fails on demand.
 *
 * @module
 */
import type { Clock } from "@xca/operator";
import { REQUEST_ID } from "../../tests/support/network/tracked_requests.ts";

/**
 * A fault of the registry: a refusal, no response, a closed connection, or a malformed response.
 */
export type Fault = "refuse" | "hang" | "cut" | "damage";

/** An instance in the registry's response. */
export interface Registered {
  readonly address: unknown;
  readonly state?: string;
}

/**
 * Returns one instance for each number from `from` to `to`, both included, with consecutive
 * addresses in 10.0.0.0/16.
 */
export function numbered(from: number, to: number): Registered[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return { address: `10.0.${Math.trunc(number / 200)}.${number % 200 + 1}` };
  });
}

/** The three instances of most tests. */
export const THREE: readonly Registered[] = numbered(1, 3);
/** The addresses of {@linkcode THREE}. */
export const THREE_ADDRESSES: readonly string[] = ["10.0.0.2", "10.0.0.3", "10.0.0.4"];

/** A registry of services on loopback. */
export class TestRegistry implements AsyncDisposable {
  /** The fault of every request; `undefined` for none. */
  fault: Fault | undefined;
  /** Sets whether the registry responds to polls at once, without entity tags. */
  isSimple = false;
  /** The number of requests for the versions of all services so far. */
  polls = 0;
  /** The ids of the requests that wait for a change or are left unanswered. */
  readonly held: Set<string> = new Set();
  readonly #services = new Map<string, readonly Registered[]>();
  readonly #versions = new Map<string, number>();
  #version = 0;
  #changed = Promise.withResolvers<void>();
  readonly #closed = new AbortController();
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => this.#answer(request),
  );

  constructor(readonly clock: Clock) {}

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  /** Sets the instances of a service; without instances, removes the service. */
  set(service: string, instances?: readonly Registered[]): void {
    this.#version++;
    if (instances) this.#services.set(service, instances);
    else this.#services.delete(service);
    if (instances) this.#versions.set(service, this.#version);
    else this.#versions.delete(service);
    this.release();
  }

  /** Responds at once to the requests that wait for a change or are left unanswered. */
  release(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (this.fault === "hang") await this.#hold(request, Infinity);
    if (this.fault === "refuse") return new Response("busy", { status: 503 });
    if (this.fault === "damage") return Response.json(["damaged"]);
    if (this.fault === "cut") return new Response(cutBody());
    if (pathname !== "/services") {
      const instances = this.#services.get(decodeURIComponent(pathname.split("/").at(-1)!));
      return instances ? Response.json({ instances }) : new Response(null, { status: 404 });
    }
    this.polls++;
    if (this.isSimple) return Response.json(Object.fromEntries(this.#versions));
    const known = request.headers.get("if-none-match");
    const waitMs = Number(searchParams.get("wait") ?? 0) * 1000;
    if (known === this.#tag && waitMs > 0) await this.#hold(request, waitMs);
    if (known === this.#tag) return new Response(null, { status: 304 });
    const headers = { etag: this.#tag };
    return Response.json(Object.fromEntries(this.#versions), { headers });
  }

  get #tag(): string {
    return `"${this.#version}"`;
  }

  /**
   * Resolves on a change or `release`, after `waitMs`, when the client disconnects, or when the
   * registry is closed.
   */
  async #hold(request: Request, waitMs: number): Promise<void> {
    const id = request.headers.get(REQUEST_ID) ?? "";
    this.held.add(id);
    const over = Promise.withResolvers<void>();
    using _timer = waitMs < Infinity
      ? this.clock.after(waitMs, () => over.resolve())
      : { [Symbol.dispose]: () => {} };
    for (const signal of [request.signal, this.#closed.signal]) {
      signal.addEventListener("abort", () => over.resolve(), { once: true });
    }
    if (this.#closed.signal.aborted) over.resolve();
    await Promise.race([over.promise, this.#changed.promise]);
    this.held.delete(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#server.shutdown();
  }
}

/** Returns a body that fails with an error after its first bytes. */
function cutBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"instances": [')),
    pull: (stream) => stream.error(new Error("cut")),
  }, { highWaterMark: 2 });
}
