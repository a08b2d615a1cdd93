import type { HeaderPair } from "./http1/header_pair.ts";

/**
 * Matches the names of headers that carry one value per line. Joining other headers changes
 * nothing.
 */
const REPEATED = /^impersonate-(group|extra-.*)$/i;

/** The fields of a request whose headers may repeat a name. */
type PairsInit = Omit<RequestInit, "headers"> & { readonly headers: readonly HeaderPair[] };

/**
 * A `Request` that holds its headers as name-value pairs, since `Headers` joins repeated ones for
 * good.
 */
class PairsRequest extends Request {
  readonly #pairs: readonly HeaderPair[];

  constructor(url: string, init: PairsInit) {
    super(url, { ...init, headers: init.headers as [string, string][] });
    this.#pairs = init.headers;
  }

  /**
   * Returns the header pairs of a request; `undefined` for a clone, and for a request of another
   * origin.
   */
  static pairsOf(request: Request): readonly HeaderPair[] | undefined {
    return #pairs in request ? request.#pairs : undefined;
  }
}

/** Creates a `Request` that keeps its repeated headers apart, for {@linkcode headerPairsOf}. */
export function requestWithPairs(url: string, init: PairsInit): Request {
  return new PairsRequest(url, init);
}

/**
 * Returns the headers of a request with repeated ones apart. A clone of a request has them joined
 * by `, `; they are split there, so the name of a group that contains a comma and a space is lost.
 */
export function headerPairsOf(request: Request): readonly HeaderPair[] {
  const known = PairsRequest.pairsOf(request);
  if (known) return known;
  return [...request.headers].flatMap(([name, value]): HeaderPair[] =>
    REPEATED.test(name) ? value.split(", ").map((each) => [name, each]) : [[name, value]]
  );
}
