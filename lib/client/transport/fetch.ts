/**
 * A function from an HTTP request to its response, by which a client uses the network. A real
 * cluster, a server in the process, a simulation and a fault injector are all reached through such
 * a function.
 *
 * A wrapper that changes the `Request` clones it (`new Request(request, ...)` or `request.clone()`)
 * and never rebuilds its `Headers`, which would merge repeated ones.
 */
export type Fetch = (request: Request) => Promise<Response>;
