/**
 * The two servers that a conformance case runs on, behind one door.
 *
 * @module
 */
import { until } from "../support/until.ts";
import type { Exchange } from "./normalise.ts";

/** The response of a server. */
export interface Answer {
  readonly code: number;
  /** The parsed body; a text where it is not JSON. */
  // deno-lint-ignore no-explicit-any
  readonly body: any;
  readonly headers: Headers;
}

/** Options of a call. */
export interface CallOptions {
  /** The body's media type. @default {"application/json"} */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Leaves the exchange out of what is recorded and compared. */
  readonly unrecorded?: boolean;
  /** Reports whether the body stays text instead of being parsed. */
  readonly asText?: boolean;
  /** Reports whether the body is returned as bytes. */
  readonly asBytes?: boolean;
  readonly signal?: AbortSignal;
  /** Reports whether redirects are returned instead of followed. */
  readonly unfollowed?: boolean;
}

/** Sends a request as the administrator. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

/** One event of a watch. */
export interface WatchEvent {
  readonly type: string;
  // deno-lint-ignore no-explicit-any
  readonly object: any;
}

/** A server, and the place on it that belongs to one case. */
export class Target {
  /** The namespace of this case; it exists, and nothing else is in it. */
  readonly namespace: string;
  /** Which server it is, for what a message says; a case must not ask. */
  readonly server: "embedded" | "kube-apiserver";
  /** Everything that was said, in order. */
  readonly exchanges: Exchange[] = [];
  /** Texts of this run, and their placeholders. */
  readonly names: Map<string, string> = new Map();
  /** More patterns to hide, and their placeholders. */
  readonly masks: [RegExp, string][] = [];
  /** Set by a case that compares `managedFields` too. */
  managedFields = false;
  /** Set by a case that chance made. */
  random = false;

  readonly #send: Send;
  readonly #run: string;

  constructor(server: Target["server"], send: Send, run: string) {
    this.server = server;
    this.#send = send;
    this.#run = run;
    this.namespace = this.unique("ns", "namespace");
  }

  /** A name that no other case and no other run uses; the record has a placeholder for it. */
  unique(prefix: string, placeholder: string = prefix): string {
    const name = `${prefix}-${this.#run}`;
    this.names.set(name, `<${placeholder}>`);
    return name;
  }

  /** Hides what matches from the record. */
  mask(pattern: RegExp, placeholder: string): void {
    this.masks.push([pattern, placeholder]);
  }

  /** `/api/v1/namespaces/<this case's>/<rest>`; with `apiVersion`, below `/apis/<apiVersion>`. */
  path(rest: string, apiVersion = "v1"): string {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return `${root}/namespaces/${this.namespace}/${rest}`;
  }

  /** One request, recorded with its answer. A text body is sent as it is, all else as JSON. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer> {
    const response = await this.#send(path, {
      method,
      headers: {
        ...(body !== undefined && { "Content-Type": options.type ?? "application/json" }),
        ...options.headers,
      },
      ...(body !== undefined && {
        body: typeof body === "string" || body instanceof Uint8Array
          ? body as BodyInit
          : JSON.stringify(body),
      }),
      ...(options.signal && { signal: options.signal }),
      ...(options.unfollowed && { redirect: "manual" }),
    });
    const parsed = options.asBytes
      ? new Uint8Array(await response.arrayBuffer())
      : options.asText
      ? await response.text()
      : parse(await response.text());
    if (!options.unrecorded) {
      this.exchanges.push({
        request: `${method} ${path}`,
        code: response.status,
        body: parsed,
        warnings: warningsOf(response.headers),
      });
    }
    return { code: response.status, body: parsed, headers: response.headers };
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call("GET", path, undefined, options);
  }

  post(path: string, body: unknown, options?: CallOptions): Promise<Answer> {
    return this.call("POST", path, body, options);
  }

  put(path: string, body: unknown, options?: CallOptions): Promise<Answer> {
    return this.call("PUT", path, body, options);
  }

  delete(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call("DELETE", path, body, options);
  }

  /** A patch: `json`, `merge`, `strategic` or `apply` (YAML or JSON). */
  patch(
    kind: "json" | "merge" | "strategic" | "apply",
    path: string,
    body: unknown,
    options?: CallOptions,
  ): Promise<Answer> {
    const type = kind === "apply"
      ? "application/apply-patch+yaml"
      : `application/${kind === "strategic" ? "strategic-merge" : kind}${
        kind === "json" ? "-patch+json" : "-patch+json"
      }`;
    return this.call("PATCH", path, body, { type, ...options });
  }

  /**
   * Watches until `enough` says so of the events so far, or the server ends the stream; the events
   * are recorded. Let the query have a `timeoutSeconds`, so that a server that sends too little ends.
   */
  async watch(
    path: string,
    enough: (events: readonly WatchEvent[]) => boolean = () => false,
    options: CallOptions = {},
  ): Promise<WatchEvent[]> {
    // kube-apiserver 1.37 compresses each event by itself, which the runtime's fetch cannot read.
    const headers = { "Accept-Encoding": "identity", ...options.headers };
    const response = await this.#send(path, { method: "GET", headers });
    const events: WatchEvent[] = [];
    if (response.status !== 200) {
      const body = parse(await response.text());
      if (!options.unrecorded) {
        this.exchanges.push({ request: `WATCH ${path}`, code: response.status, body });
      }
      return events;
    }
    const lines = response.body!.pipeThrough(new TextDecoderStream());
    let rest = "";
    reading: for await (const chunk of lines) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop()!;
      for (const part of parts) {
        if (part.trim() !== "") events.push(JSON.parse(part));
        if (enough(events)) break reading;
      }
    }
    if (!options.unrecorded) {
      this.exchanges.push({ request: `WATCH ${path}`, code: 200, body: events });
    }
    return events;
  }

  /**
   * Waits until what kube-apiserver keeps of a collection, and answers version 0 with, is as new as its
   * storage.
   */
  async untilFresh(path: string): Promise<void> {
    const unrecorded = { unrecorded: true };
    const { body } = await this.get(`${path}?limit=1`, unrecorded);
    const { resourceVersion } = body.metadata;
    const query = `limit=1&resourceVersion=${resourceVersion}&resourceVersionMatch=NotOlderThan`;
    await until(
      async () => (await this.get(`${path}?${query}`, unrecorded)).code === 200,
      `that ${path} is as new as its storage`,
    );
  }

  /**
   * Waits until a watch of a resource can begin at any later version. kube-apiserver keeps events
   * only from the time at which it begins to cache a new resource, some time after it first serves
   * the resource. A watch that has delivered all existing objects shows that the cache exists.
   */
  async untilCached(path: string): Promise<void> {
    const query = "watch=1&sendInitialEvents=true&allowWatchBookmarks=true&timeoutSeconds=60" +
      "&resourceVersionMatch=NotOlderThan";
    const isTold = (events: readonly WatchEvent[]) => events.at(-1)?.type === "BOOKMARK";
    await until(
      async () => isTold(await this.watch(`${path}?${query}`, isTold, { unrecorded: true })),
      `that changes of ${path} are kept`,
    );
  }
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The texts of `Warning: 299 - "..."` headers. */
function warningsOf(headers: Headers): string[] {
  const value = headers.get("warning");
  if (value === null) return [];
  return [...value.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!);
}
