import { Xca } from "../../lib/xca/xca.ts";

const encoder = new TextEncoder();

/** Returns the name of the n-th Xca object of the fake server. */
const nameOf = (n: number): string => `xca-${n}`;

/**
 * A fetch-shaped fake of an API server that costs next to nothing: it serves a watch of Xca
 * objects, answers the update of a status and sends its event, and stores one Lease.
 */
export class FakeServer {
  readonly #count: number;
  #watch: ReadableStreamDefaultController<Uint8Array> | undefined;
  #version = 0;
  #written = 0;
  #lease: unknown;
  readonly #allWritten = Promise.withResolvers<void>();

  /** Creates a fake server for the given number of Xca objects, none of which exists yet. */
  constructor(count: number) {
    this.#count = count;
  }

  /** A promise that resolves when the status of every object was written. */
  get allWritten(): Promise<void> {
    return this.#allWritten.promise;
  }

  /** The `fetch` of a client of the fake server. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.has("watch")) return this.#answerWatch(pathname.endsWith("/xcas"), request);
    if (pathname.includes("/leases")) return await this.#answerLease(request);
    if (request.method !== "PUT") return new Response(null, { status: 404 });
    const object = JSON.parse(await request.text());
    object.metadata.resourceVersion = `${++this.#version}`;
    const text = JSON.stringify(object);
    this.#watch?.enqueue(encoder.encode(`{"type":"MODIFIED","object":${text}}\n`));
    if (++this.#written === this.#count) this.#allWritten.resolve();
    return new Response(text, { headers: { "content-type": "application/json" } });
  };

  /** Sends the events of the creation of all objects, in one chunk. */
  create(): void {
    const lines = Array.from({ length: this.#count }, (_, n) => {
      const metadata = {
        namespace: "default",
        name: nameOf(n),
        uid: `uid-${n}`,
        resourceVersion: `${++this.#version}`,
        generation: 1,
      };
      const { apiVersion, kind } = Xca;
      const object = { apiVersion, kind, metadata, spec: { foo: "bench" } };
      return `${JSON.stringify({ type: "ADDED", object })}\n`;
    });
    this.#watch!.enqueue(encoder.encode(lines.join("")));
  }

  #answerWatch(isXcas: boolean, request: Request): Response {
    const annotations = { "k8s.io/initial-events-end": "true" };
    const metadata = { resourceVersion: `${++this.#version}`, annotations };
    const bookmark = { type: "BOOKMARK", object: { metadata } };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(encoder.encode(`${JSON.stringify(bookmark)}\n`));
        if (isXcas) this.#watch = controller;
        request.signal.addEventListener("abort", () => {
          if (this.#watch === controller) this.#watch = undefined;
          controller.error(request.signal.reason);
        });
      },
    });
    return new Response(body);
  }

  async #answerLease(request: Request): Promise<Response> {
    if (request.method === "GET" && this.#lease === undefined) {
      return Response.json({ kind: "Status", reason: "NotFound", code: 404 }, { status: 404 });
    }
    if (request.method !== "GET") {
      const lease = JSON.parse(await request.text());
      lease.metadata = { uid: "lease", ...lease.metadata, resourceVersion: `${++this.#version}` };
      this.#lease = lease;
    }
    return Response.json(this.#lease);
  }
}
