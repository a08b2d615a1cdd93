import https from "node:https";
import type { AddressInfo } from "node:net";
import type { PemPair } from "../../../lib/apimachinery/pki/mod.ts";

/** Options of {@linkcode FrontProxy}. */
export interface FrontProxyInit {
  /** The serving certificate of the proxy. */
  readonly serving: PemPair;
  /** The client certificate for which the API server trusts the proxy's user headers. */
  readonly client: PemPair;
  /** The URL and the authority of the API server. */
  readonly upstream: { readonly url: string; readonly ca: string };
  /** The path prefix of the proxy, such as `/clusters/a`. */
  readonly path: string;
  /** The user of each bearer token. */
  readonly users: Readonly<
    Record<string, { readonly name: string; readonly groups: readonly string[] }>
  >;
}

/**
 * An authenticating proxy in front of an API server: it authenticates users by tokens of its own,
 * and names the user to the API server in `X-Remote-*` headers.
 */
export class FrontProxy implements AsyncDisposable {
  readonly #server: https.Server;
  readonly #path: string;

  private constructor(server: https.Server, path: string) {
    this.#server = server;
    this.#path = path;
  }

  /** Starts a proxy on loopback. */
  static async start(init: FrontProxyInit): Promise<FrontProxy> {
    const { serving, client, upstream, path, users } = init;
    const agent = new https.Agent({ ...client, ca: [upstream.ca] });
    const server = https.createServer({ ...serving }, (request, response) => {
      const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const user = users[token];
      if (!user || !request.url?.startsWith(`${path}/`)) {
        response.writeHead(user ? 404 : 401).end();
        return;
      }
      const { authorization: _own, host: _host, ...headers } = request.headers;
      const above = https.request(`${upstream.url}${request.url.slice(path.length)}`, {
        agent,
        method: request.method,
        headers: { ...headers, "x-remote-user": user.name, "x-remote-group": [...user.groups] },
      }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      });
      above.on("error", () => response.destroy());
      response.on("close", () => above.destroy());
      request.pipe(above);
    });
    server.on("close", () => agent.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new FrontProxy(server, path);
  }

  /** The server URL for clients of the proxy. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
