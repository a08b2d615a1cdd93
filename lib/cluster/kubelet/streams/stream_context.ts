/** The size of a terminal in characters, as Kubernetes' clients send it. */
export interface TerminalSize {
  /** The number of columns of the terminal. */
  readonly Width: number;
  /** The number of lines of the terminal. */
  readonly Height: number;
}

/** The standard streams and the terminal of a process in a container. */
export interface ProcessStreams {
  /**
   * The standard input of the process in the container, until it is closed or the connection ends.
   */
  readonly stdin: AsyncIterable<Uint8Array>;
  /**
   * The sizes of the terminal of the process in the container: the initial size, and each change,
   * until the client sends a malformed size or the connection ends.
   */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Reports whether the process in the container has a terminal. */
  readonly tty: boolean;
  /**
   * Writes to the standard output of the process; resolves when the data is written to the
   * connection.
   */
  out(data: string | Uint8Array): Promise<void>;
  /**
   * Writes to the standard error of the process; resolves when the data is written to the
   * connection.
   */
  err(data: string | Uint8Array): Promise<void>;
}

/**
 * A connection of a client to a port of a pod, by a port-forward or a proxy: the client's bytes,
 * and a function that sends bytes to the client.
 */
export interface PortStreams {
  /** The port of the pod to which the connection leads. */
  readonly port: number;
  /**
   * The bytes that the client sends on the connection to the pod's port, until it closes its half.
   */
  readonly input: AsyncIterable<Uint8Array>;
  /** Sends bytes to the client of the pod's port; resolves when they are written. */
  readonly output: (data: Uint8Array) => Promise<void>;
}

/** The facts about a streaming request to the kubelet, and the functions that handle it. */
export interface StreamContext {
  /** The query parameters of the streaming request. */
  readonly query: URLSearchParams;
  /**
   * Reports whether the streaming request is a port-forward; otherwise the request is an exec or
   * attach.
   */
  readonly forward: boolean;
  /**
   * Runs the process of an exec or attach request; resolves to the `Status` for the error stream,
   * as JSON.
   */
  readonly remote: (streams: ProcessStreams) => Promise<string>;
  /**
   * Serves a connection that is forwarded to a port, until the connection ends; resolves to the
   * error message of a failure, or to `undefined` after success.
   */
  readonly connect: (streams: PortStreams) => Promise<string | undefined>;
}

/**
 * Yields the terminal sizes that a client sends, one JSON object in each message. Ends at the first
 * message that is no terminal size, where a kubelet stops reading sizes; the process continues.
 */
export async function* terminalSizes(
  messages: AsyncIterable<Uint8Array>,
): AsyncGenerator<TerminalSize, undefined> {
  for await (const message of messages) {
    const size = terminalSize(new TextDecoder().decode(message));
    if (!size) return;
    yield size;
  }
}

/** Returns the terminal size in a JSON text; `undefined` if the text is no terminal size. */
function terminalSize(text: string): TerminalSize | undefined {
  try {
    const { Width = 0, Height = 0 } = JSON.parse(text);
    return [Width, Height].every(isUint16) ? { Width, Height } : undefined;
  } catch {
    return undefined;
  }
}

function isUint16(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff;
}

/** Returns the UTF-8 bytes of a text; returns bytes unchanged. */
export function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}
