import type { ApiServer } from "../../../lib/apiserver/server.ts";

/** The response of a server whose body is JSON. */
export interface ServerResponse {
  readonly code: number;
  // deno-lint-ignore no-explicit-any -- the body of any kind
  readonly body: any;
}

/**
 * Sends a request to an API server in this process, and returns its JSON response. The media type
 * of the body is `application/json`, or of a PATCH `application/merge-patch+json`, unless `type`
 * names another.
 */
export async function call(
  server: ApiServer,
  method: string,
  path: string,
  body?: unknown,
  type: string = method === "PATCH" ? "application/merge-patch+json" : "application/json",
): Promise<ServerResponse> {
  const response = await server.fetch(
    new Request(`https://server.invalid${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "Content-Type": type },
      }),
    }),
  );
  return { code: response.status, body: await response.json() };
}
