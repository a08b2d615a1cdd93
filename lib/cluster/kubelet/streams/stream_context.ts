/** The size of a terminal in characters, as Kubernetes' clients send it. */
export interface TerminalSize {
  /** The number of columns of the terminal. */
  readonly Width: number;
  /** The number of lines of the terminal. */
  readonly Height: number;
}

/** The streams of a process in a container. */
export interface ProcessStreams {
  /** The standard input, until it or the connection ends. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The sizes of the terminal: the first one, and each change. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Whether the process has a terminal. */
  readonly tty: boolean;
  /** Writes to the standard output; resolves when the connection has taken it. */
  out(data: string | Uint8Array): Promise<void>;
  /** Writes to the standard error; resolves when the connection has taken it. */
  err(data: string | Uint8Array): Promise<void>;
}

/** A connection to a port of a pod. */
export interface PortStreams {
  /** The port of the pod. */
  readonly port: number;
  /** The bytes that the client sends, until it ends its half. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Sends bytes to the client; resolves when the connection has taken them. */
  readonly output: (data: Uint8Array) => Promise<void>;
}

/** The facts about a request for streams, and the functions that serve it. */
export interface StreamContext {
  /** The query of the request to the kubelet. */
  readonly query: URLSearchParams;
  /** Whether the request forwards ports; otherwise it runs a process. */
  readonly forward: boolean;
  /** Runs the process; resolves to the `Status` for the error stream, as JSON. */
  readonly remote: (streams: ProcessStreams) => Promise<string>;
  /** Serves a connection to a port; resolves to the reason why it failed. */
  readonly connect: (streams: PortStreams) => Promise<string | undefined>;
}

/** Returns text as UTF-8, and bytes as they are. */
export function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}
