import type { HeaderPair } from "./http1/header_pair.ts";

/** The headers of an HTTP response as the client reads them; `Headers` is an implementation. */
export interface ResponseHeaders extends Iterable<[string, string]> {
  /**
   * Returns the value of a response header, joined by ", " where it occurs more than once; `null`
   * when it does not occur.
   */
  get(name: string): string | null;
}

/**
 * The headers of an HTTP response as received. Nothing is computed until a header is read, whereas
 * creating `Headers` takes 20 us for a response of kube-apiserver.
 */
export class ReceivedHeaders implements ResponseHeaders {
  readonly #pairs: readonly HeaderPair[];

  /**
   * Wraps the names and values of response headers. The constructor does not validate the headers,
   * since the parser has already done that.
   */
  constructor(pairs: readonly HeaderPair[]) {
    this.#pairs = pairs;
  }

  /**
   * Returns the value of a response header by its name in any case; `null` when the header does not
   * occur. See {@linkcode ResponseHeaders.get}.
   */
  get(name: string): string | null {
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (const [each, value] of this.#pairs) {
      if (each.length !== wanted.length || each.toLowerCase() !== wanted) continue;
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }
}
