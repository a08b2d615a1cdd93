import type { HeaderPair } from "./http1/header_pair.ts";

/** What each request was built from: `Headers` joins repeated headers, and cannot take them apart. */
const pairsOf = new WeakMap<Request, readonly HeaderPair[]>();

/** Headers that carry one value per line; apart from them, joining changes nothing. */
const REPEATED = /^impersonate-(group|extra-.*)$/i;

/** Makes a request that keeps its repeated headers apart, for the transport of this package. */
export function requestWithPairs(
  url: string,
  init: Omit<RequestInit, "headers"> & { readonly headers: readonly HeaderPair[] },
): Request {
  const request = new Request(url, { ...init, headers: init.headers as [string, string][] });
  pairsOf.set(request, init.headers);
  return request;
}

/**
 * The headers of a request, repeated ones apart. In a clone of a request they are found joined by
 * `, `, and are taken apart there: a group whose name has a comma and a space in it is then lost.
 */
export function headerPairsOf(request: Request): readonly HeaderPair[] {
  const known = pairsOf.get(request);
  if (known) return known;
  return [...request.headers].flatMap(([name, value]): HeaderPair[] =>
    REPEATED.test(name) ? value.split(", ").map((each) => [name, each]) : [[name, value]]
  );
}
