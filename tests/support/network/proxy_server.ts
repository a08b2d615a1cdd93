import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import type { PemPair } from "../../../lib/apimachinery/pki/mod.ts";

/** Options for {@linkcode ProxyServer}. */
export interface ProxyServerOptions {
  /** The required credentials as `NAME:PASSWORD`. @default {none} */
  readonly login?: string;
  /** The status with which every CONNECT is refused. */
  readonly refuse?: number;
  /** The serving certificate; the proxy then speaks TLS. */
  readonly tls?: PemPair;
  /** Reports whether the proxy accepts connections and never responds. */
  readonly silent?: boolean;
  /** The addresses of host names that only the proxy can resolve. */
  readonly names?: Readonly<Record<string, string>>;
}

/** A proxy on loopback: HTTP or HTTPS, with CONNECT and absolute-form requests. */
export class ProxyServer implements AsyncDisposable {
  /** The targets of the tunnels and forwarded requests, in order. */
  readonly targets: string[] = [];
  readonly #server: net.Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: net.Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** Starts an HTTP proxy. */
  static async http(options: ProxyServerOptions = {}): Promise<ProxyServer> {
    const server = options.tls ? https.createServer({ ...options.tls }) : createServer();
    const proxy = new ProxyServer(server as unknown as net.Server);
    server.on("connect", (request: IncomingMessage, socket: Socket) => {
      if (options.silent) return holdOpen(socket);
      const status = proxy.#status(request, options);
      if (status !== 200) {
        return socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 4\r\n\r\nPAGE`);
      }
      proxy.#tunnel(request.url!, socket, options, () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      });
    });
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const status = proxy.#status(request, options);
      if (status === 200) proxy.#forward(request, response);
      else response.writeHead(status).end("PAGE");
    });
    return await proxy.#listen();
  }

  /** Starts a SOCKS5 proxy. */
  static async socks5(options: ProxyServerOptions = {}): Promise<ProxyServer> {
    const server = net.createServer();
    const proxy = new ProxyServer(server);
    server.on("connection", (socket: Socket) => void proxy.#socks(socket, options));
    return await proxy.#listen();
  }

  /** The port of the proxy. */
  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  /** The number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  async #listen(): Promise<ProxyServer> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  #status({ headers }: IncomingMessage, { login, refuse }: ProxyServerOptions): number {
    const proof = login && `Basic ${btoa(login)}`;
    if (proof && headers["proxy-authorization"] !== proof) return 407;
    return refuse ?? 200;
  }

  #tunnel(
    target: string,
    socket: Socket,
    { names = {} }: ProxyServerOptions,
    onOpen: () => void,
  ): void {
    this.targets.push(target);
    const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? [];
    const above = net.connect({ host: names[host] ?? host, port: Number(port) }, () => {
      onOpen();
      above.pipe(socket);
      socket.pipe(above);
    });
    this.#sockets.add(above);
    above.on("close", () => {
      this.#sockets.delete(above);
      socket.destroy();
    });
    above.on("error", () => socket.destroy());
    socket.on("close", () => above.destroy());
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    this.targets.push(incoming.url!);
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const onward = request(incoming.url!, { method: incoming.method, headers, agent: false });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  async #socks(socket: Socket, options: ProxyServerOptions): Promise<void> {
    if (options.silent) return holdOpen(socket);
    const { login } = options;
    const [, count = 0] = await take(socket, 2);
    const methods = await take(socket, count);
    const method = login ? 2 : 0;
    if (!methods.includes(method)) return void socket.end(Uint8Array.of(5, 255));
    socket.write(Uint8Array.of(5, method));
    if (login) {
      const text = async (): Promise<string> => {
        const [length = 0] = await take(socket, 1);
        return new TextDecoder().decode(await take(socket, length));
      };
      await take(socket, 1);
      const given = `${await text()}:${await text()}`;
      if (given !== login) return void socket.end(Uint8Array.of(1, 1));
      socket.write(Uint8Array.of(1, 0));
    }
    const [, , , kind] = await take(socket, 4);
    const length = kind === 1 ? 4 : kind === 4 ? 16 : (await take(socket, 1))[0]!;
    const address = await take(socket, length);
    const [high = 0, low = 0] = await take(socket, 2);
    const host = kind === 1
      ? address.join(".")
      : kind === 4
      ? new TextDecoder().decode(address)
      : new TextDecoder().decode(address);
    const reply = (code: number): Uint8Array => Uint8Array.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0);
    if (options.refuse !== undefined) return void socket.end(reply(options.refuse));
    this.#tunnel(`${host}:${high * 256 + low}`, socket, options, () => socket.write(reply(0)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Reads and never responds, until the other side closes. */
function holdOpen(socket: Socket): void {
  socket.on("end", () => socket.destroy());
  socket.resume();
}

function take(socket: Socket, length: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const onReadable = (): void => {
      const bytes = length === 0 ? new Uint8Array() : socket.read(length) as Uint8Array | null;
      if (!bytes) return;
      socket.off("readable", onReadable);
      resolve(bytes);
    };
    socket.on("readable", onReadable);
    onReadable();
  });
}
