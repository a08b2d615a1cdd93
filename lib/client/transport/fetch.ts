/**
 * ~ The network: a function from a request to an answer. => A function from an HTTP request to its
 * response, by which a client uses the network.
 *
 * A wrapper that changes the `Request` clones it (`new Request(request, ...)` or `request.clone()`)
 * and never rebuilds its `Headers`, which would merge repeated ones.
 */
export type Fetch = (request: Request) => Promise<Response>;
