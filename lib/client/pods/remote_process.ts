import { ApiError } from "../errors/api_error.ts";
import type { WebSocketLike } from "../transport/dial.ts";
import { ReadPipe } from "./read_pipe.ts";
import { type Status, withoutMistyped } from "../errors/status.ts";
import { StreamBrokenError } from "../errors/unreachable_error.ts";
import { atUsersLine } from "../errors/users_line.ts";

/**
 * The WebSocket subprotocols of exec and attach, by preference: only `v5` can signal the end of the
 * input.
 */
export const REMOTE_PROTOCOLS: readonly string[] = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const RESIZE = 4;
const CLOSE = 255;

/**
 * The largest message of input to a process in a container, in bytes, without the byte of the
 * channel.
 */
const MESSAGE_BYTES = 32 * 1024;

/** The exit status of a process in a container. */
export type ExitStatus = Awaited<RemoteProcess["status"]>;

/**
 * A process in a container that exec or attach is connected to.
 *
 * Both outputs share the connection: an output that is neither read nor cancelled blocks the other
 * one and the status. Disposing the process closes the connection, which does not kill the process.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { podExec, type RemoteProcess } from "@xca/operator/client";
 *
 * const sent: string[] = [];
 * const socket = { // a server that only listens; a program has a client from createClient()
 *   protocol: "v5.channel.k8s.io",
 *   closed: Promise.resolve({ code: 1000, reason: "" }),
 *   receive: () => Promise.resolve(undefined),
 *   send: (message: Uint8Array) => {
 *     sent.push(`${message[0]} ${new TextDecoder().decode(message.subarray(1))}`);
 *     return Promise.resolve();
 *   },
 *   close() {},
 *   [Symbol.dispose]() {},
 * };
 * const client = { connect: () => Promise.resolve(socket) };
 *
 * using shell: RemoteProcess = await podExec(client, "default/web-0", { command: ["sh"], tty: true });
 * await shell.resize({ columns: 80, rows: 24 });
 * assert.deepEqual(sent, ['4 {"Width":80,"Height":24}']);
 * ```
 */
export class RemoteProcess implements Disposable {
  /**
   * The standard input of the process; writes reject with a TypeError if it was not requested.
   * Closing the stream ends the input of the process, if the connection uses the subprotocol
   * `v5.channel.k8s.io`.
   */
  readonly stdin: WritableStream<Uint8Array>;
  /**
   * The standard output of the process in the container; empty if it was not requested. When the
   * connection ends before the status arrived, even without an error, the output may be incomplete:
   * after the bytes that arrived, reads reject with the {@linkcode StreamBrokenError} with which
   * {@linkcode RemoteProcess.status} rejects.
   */
  readonly stdout: ReadableStream<Uint8Array>;
  /**
   * The standard error of the process in the container; empty if it was not requested, or the
   * process has a terminal. Fails as {@linkcode RemoteProcess.stdout} does.
   */
  readonly stderr: ReadableStream<Uint8Array>;
  /**
   * The exit status of the process. Rejects with an {@linkcode ApiError} when the process could not
   * run, and with a {@linkcode StreamBrokenError} when the connection ended first.
   */
  readonly status: Promise<{
    /** Reports whether the exit code of the process in the container is 0. */
    readonly success: boolean;
    /**
     * The exit code of the process in the container; 1 for a failure whose code the server does not
     * state.
     */
    readonly code: number;
  }>;
  readonly #socket: WebSocketLike;
  readonly #what: string;

  /**
   * Creates the handle of a remote process from a WebSocket with one of the {@linkcode
   * REMOTE_PROTOCOLS}. `what` is the name of the process in error messages.
   */
  constructor(
    socket: WebSocketLike,
    { what, stdin, stdout, stderr }: {
      readonly what: string;
      readonly stdin: boolean;
      readonly stdout: boolean;
      readonly stderr: boolean;
    },
  ) {
    this.#socket = socket;
    this.#what = what;
    const out = new ReadPipe(stdout);
    const err = new ReadPipe(stderr);
    this.stdout = out.readable;
    this.stderr = err.readable;
    this.stdin = this.#input(stdin);
    this.status = this.#pump(out, err);
    // Prevents an unhandled rejection when the caller does not await the status.
    this.status.catch(() => {});
  }

  /** The WebSocket subprotocol of the connection to the process in the container. */
  get protocol(): string {
    return this.#socket.protocol;
  }

  /**
   * Sets the size of the terminal of the process in the container. Rejects when the connection has
   * ended.
   */
  async resize(size: {
    /** The number of columns of the remote process's terminal. */
    readonly columns: number;
    /** The number of rows of the remote process's terminal. */
    readonly rows: number;
  }): Promise<void> {
    const text = JSON.stringify({ Width: size.columns, Height: size.rows });
    await this.#socket.send(framed(RESIZE, new TextEncoder().encode(text)));
  }

  /** Closes the connection to the process in the container, which does not kill the process. */
  [Symbol.dispose](): void {
    this.#socket[Symbol.dispose]();
  }

  #input(asked: boolean): WritableStream<Uint8Array> {
    return new WritableStream({
      write: async (chunk) => {
        if (!asked) {
          throw new TypeError(`Cannot write to the ${this.#what}: stdin was not requested`);
        }
        for (let at = 0; at < chunk.byteLength; at += MESSAGE_BYTES) {
          await this.#socket.send(framed(STDIN, chunk.subarray(at, at + MESSAGE_BYTES)));
        }
      },
      close: async () => {
        if (!asked || this.protocol !== REMOTE_PROTOCOLS[0]) return;
        // The process, and its connection, may have ended.
        await this.#socket.send(Uint8Array.of(CLOSE, STDIN)).catch(() => {});
      },
    });
  }

  async #pump(out: ReadPipe, err: ReadPipe): Promise<ExitStatus> {
    let status = "";
    try {
      const decoder = new TextDecoder();
      for (let m = await this.#socket.receive(); m; m = await this.#socket.receive()) {
        const data = m.subarray(1);
        if (m[0] === STDOUT) await out.write(data);
        else if (m[0] === STDERR) await err.write(data);
        else if (m[0] === STATUS) status += decoder.decode(data, { stream: true });
        else if (m[0] === CLOSE && data[0] === STDOUT) out.close();
        else if (m[0] === CLOSE && data[0] === STDERR) err.close();
      }
      if (status === "") throw new Error("the connection ended before the status of the process");
    } catch (cause) {
      // A server may close the connection as soon as it has sent the status.
      if (status === "") {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const broken = new StreamBrokenError(this.#what, reason, { cause });
        out.fail(broken);
        err.fail(broken);
        throw broken;
      }
    } finally {
      out.close();
      err.close();
      this.#socket[Symbol.dispose]();
    }
    return exitStatus(status);
  }
}

function framed(channel: number, data: Uint8Array): Uint8Array {
  const message = new Uint8Array(data.byteLength + 1);
  message[0] = channel;
  message.set(data, 1);
  return message;
}

function exitStatus(text: string): ExitStatus {
  const status = parseStatus(text);
  if (status.status === "Success") return { success: true, code: 0 };
  if (status.reason === "NonZeroExitCode") {
    const cause = status.details?.causes?.find(({ reason }) => reason === "ExitCode");
    const [code] = /^\d+$/.exec(cause?.message ?? "") ?? [1];
    return { success: false, code: Number(code) };
  }
  throw refused({ ...status, code: status.code ?? 500 });
}

/**
 * Returns the status that a server sent for a process. The first protocol and some container
 * runtimes send plain text, which becomes the message of the status.
 */
function parseStatus(text: string): Status {
  try {
    const status: unknown = JSON.parse(text);
    if (status instanceof Object && !Array.isArray(status)) return withoutMistyped(status);
  } catch {
    // The text is not JSON.
  }
  return { message: text.trim() };
}

function refused(status: Status): ApiError {
  return atUsersLine(() => new ApiError({ status, method: "CONNECT" }));
}
