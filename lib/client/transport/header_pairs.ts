import type { HeaderPair } from "./http1/header_pair.ts";

/**
 * The pattern of the names of headers that carry one value per line. Other headers may be joined
 * without a change of their meaning.
 */
const REPEATED = /^impersonate-(group|extra-.*)$/i;

/** The request fields from which a request with repeated header names is created. */
type PairsInit = Omit<RequestInit, "headers"> & { readonly headers: readonly HeaderPair[] };

/**
 * Defines the class of a `Request` that keeps its headers as name-value pairs, since `Headers`
 * irreversibly joins repeated headers.
 *
 * The class is not defined by the module itself, since the runtime loads `Request` at its first use,
 * and most processes use none.
 */
function definePairsRequest() {
  return class PairsRequest extends Request {
    readonly #pairs: readonly HeaderPair[];

    constructor(url: string, init: PairsInit) {
      super(url, { ...init, headers: init.headers as [string, string][] });
      this.#pairs = init.headers;
    }

    /**
     * Returns the header pairs of a request; `undefined` for a clone, and for a request that was not
     * created with pairs.
     */
    static pairsOf(request: Request): readonly HeaderPair[] | undefined {
      return #pairs in request ? request.#pairs : undefined;
    }
  };
}

let pairsRequest: ReturnType<typeof definePairsRequest> | undefined;

/** Creates a `Request` that keeps its repeated headers apart, for {@linkcode headerPairsOf}. */
export function requestWithPairs(url: string, init: PairsInit): Request {
  pairsRequest ??= definePairsRequest();
  return new pairsRequest(url, init);
}

/**
 * Returns the headers of a request as pairs, with repeated headers as separate pairs. In a clone of
 * a request, repeated headers are joined by `, `. The function splits the values of
 * `Impersonate-Group` and `Impersonate-Extra-*` again, so a group name that contains a comma and a
 * space is split too.
 */
export function headerPairsOf(request: Request): readonly HeaderPair[] {
  const known = pairsRequest?.pairsOf(request);
  if (known) return known;
  return [...request.headers].flatMap(([name, value]): HeaderPair[] =>
    REPEATED.test(name) ? value.split(", ").map((each) => [name, each]) : [[name, value]]
  );
}
