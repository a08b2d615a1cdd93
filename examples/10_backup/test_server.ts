/**
 * The database and the object store of the tests, as one HTTP server on loopback.
 *
 * @module
 */
import { REQUEST_ID } from "../../tests/support/network/tracked_requests.ts";

/** A fault of the HTTP server: a refusal, no response, a closed connection, or changed bytes. */
export type Fault = "refuse" | "hang" | "cut" | "damage";

/** A database and an object store, as one HTTP server on loopback. */
export class Outside implements AsyncDisposable {
  /** The present content of the database. */
  data = "day 0";
  /** The contents of the stored backups, by the paths of their URLs. */
  readonly stored: Map<string, string> = new Map();
  /**
   * The faults of the next requests, each with the method and first path segment of the request,
   * such as `PUT store`. Each fault is used once.
   */
  readonly faults: { readonly on: string; readonly fault: Fault }[] = [];
  /**
   * A function that the server calls with the percent-encoded name of a backup before it deletes
   * the backup.
   */
  onDelete: (name: string) => void | Promise<void> = () => {};
  /** The ids of the requests that the server leaves unanswered. */
  readonly held: Set<string> = new Set();
  readonly #release = new AbortController();
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => this.#answer(request),
  );

  url(path: string): string {
    return `http://127.0.0.1:${this.#server.addr.port}/${path}`;
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const on = `${request.method} ${path.split("/")[1]}`;
    const index = this.faults.findIndex((each) => each.on === on);
    const fault = index < 0 ? undefined : this.faults.splice(index, 1)[0]!.fault;
    const body = await request.text();
    if (fault === "refuse") return new Response("busy", { status: 500 });
    if (fault === "hang") {
      const id = request.headers.get(REQUEST_ID) ?? "";
      this.held.add(id);
      await new Promise((resolve) => {
        for (const signal of [request.signal, this.#release.signal]) {
          signal.addEventListener("abort", resolve, { once: true });
        }
      });
      return new Response(null, { status: 500 });
    }
    const answer = await this.#serve(request.method, path, body);
    if (answer === undefined) return new Response(null, { status: 404 });
    if (fault === "damage") return new Response(`${answer}?`);
    return fault === "cut"
      ? new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode(answer)),
          pull: (stream) => stream.error(new Error("cut")),
        }, { highWaterMark: 2 }),
      )
      : new Response(answer);
  }

  async #serve(method: string, path: string, body: string): Promise<string | undefined> {
    if (path === "/database") {
      if (method === "PUT") this.data = body;
      return this.data;
    }
    if (method === "DELETE") await this.onDelete(path.split("/").at(-1)!);
    const before = this.stored.get(path);
    if (method === "PUT") this.stored.set(path, body);
    if (method === "DELETE") this.stored.delete(path);
    return method === "PUT" ? "" : before;
  }

  /** Returns the names of the stored backups, sorted. */
  names(): string[] {
    return [...this.stored.keys()].map((path) => decodeURIComponent(path.split("/").at(-1)!))
      .sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#release.abort();
    await this.#server.shutdown();
  }
}
