/**
 * The network, as every layer above sees it: one request, one answer. A real cluster, a server in
 * process, a simulation and a fault injector are all of this shape.
 *
 * A wrapper clones the `Request` when it changes it (`new Request(request, ...)` or
 * `request.clone()`) and never rebuilds its `Headers`, which would merge repeated ones.
 */
export type Fetch = (request: Request) => Promise<Response>;
