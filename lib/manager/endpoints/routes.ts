/** A function that returns the response to each request of one endpoint of a server. */
export type Endpoint = (request: Request) => Response | Promise<Response>;

/**
 * The endpoints of a server by path; a path that ends with `/` matches all paths with that prefix.
 * An exact match takes precedence, then the first matching prefix.
 */
export type Routes = Readonly<Record<string, Endpoint>>;

/**
 * Returns the handler of a server: finds the endpoint of a request by its path. Requests with
 * another method than GET get a 405 response, requests for unknown paths a 404.
 */
export function routed(routes: Routes): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "GET") {
      return plain(405, `${request.method} is not allowed: use GET`, { allow: "GET" });
    }
    const { pathname } = new URL(request.url);
    const prefix = Object.keys(routes).find((path) =>
      path.endsWith("/") && pathname.startsWith(path)
    );
    const endpoint = Object.hasOwn(routes, pathname) ? routes[pathname] : routes[prefix ?? ""];
    if (endpoint) return await endpoint(request);
    const known = Object.keys(routes).filter((path) => !path.endsWith("/")).join(", ");
    return plain(404, `nothing is served here; this server has ${known}`);
  };
}

/** Returns an HTTP response of plain text; every text but `ok` ends with a line break. */
export function plain(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const bytes = new TextEncoder().encode(text.endsWith("\n") || text === "ok" ? text : `${text}\n`);
  return new Response(bytes, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-length": `${bytes.length}`,
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
