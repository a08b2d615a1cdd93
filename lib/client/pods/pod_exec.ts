import { type ObjectKey, Pod } from "@xca/apimachinery/meta";
import { objectPath } from "../calls/paths.ts";
import { REMOTE_PROTOCOLS, RemoteProcess } from "./remote_process.ts";
import type { SocketCalls } from "../calls/socket_calls.ts";

/** Options of {@linkcode podExec}, which runs a program in a container. */
export interface PodExecOptions {
  /** The program to run in the container and its arguments; no shell interprets them. */
  readonly command: readonly string[];
  /**
   * The name of the container; must be given if the pod has several.
   *
   * @default the only container of the pod
   */
  readonly container?: string | undefined;
  /**
   * Sets whether the client can write to the standard input of the program in the container;
   * otherwise the program has no input, and writes reject with a TypeError.
   *
   * @default {false}
   */
  readonly stdin?: boolean | undefined;
  /**
   * Sets whether the client receives the standard output of the program in the container.
   *
   * @default {true}
   */
  readonly stdout?: boolean | undefined;
  /**
   * Sets whether the client receives the standard error of the program in the container.
   *
   * @default {true}, unless the process has a terminal
   */
  readonly stderr?: boolean | undefined;
  /** Sets whether the process in the container gets a terminal. @default {false} */
  readonly tty?: boolean | undefined;
  /**
   * The signal that closes the connection to the process in the container, which does not kill the
   * process.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a program in a container of a pod (`kubectl exec`). Resolves with a handle of the process
 * when the server has accepted the request.
 *
 * @throws {ApiError} When the server refuses: `isNotFound`, `isForbidden`, `isBadRequest` when the
 * container must be named.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { podExec } from "@xca/operator/client";
 *
 * const text = new TextEncoder();
 * const messages = [[1, ...text.encode("hello")], [3, ...text.encode('{"status":"Success"}')]];
 * const socket = { // what the server sends; a program has a client from createClient()
 *   protocol: "v5.channel.k8s.io",
 *   closed: Promise.resolve({ code: 1000, reason: "" }),
 *   receive: () => Promise.resolve(messages.length > 0 ? new Uint8Array(messages.shift()!) : undefined),
 *   send: () => Promise.resolve(),
 *   close() {},
 *   [Symbol.dispose]() {},
 * };
 * const client = { connect: () => Promise.resolve(socket) };
 *
 * using shell = await podExec(client, "default/web-0", { command: ["echo", "hello"] });
 * void shell.stderr.cancel(); // not read, so it must not hold up the rest
 * assert.equal(await new Response(shell.stdout).text(), "hello");
 * assert.equal((await shell.status).code, 0);
 * ```
 */
export async function podExec(
  client: SocketCalls,
  key: ObjectKey,
  options: PodExecOptions,
): Promise<RemoteProcess> {
  const { command, container, signal } = options;
  return await openProcess(client, {
    path: objectPath(Pod, key, "exec"),
    query: { command, container },
    what: `exec in pod ${key}`,
    streams: options,
    signal,
  });
}

/**
 * Runs a program in a container of a pod to its end and returns its whole output, of any length,
 * and its exit code. An exit code other than 0 is a result, not an error.
 *
 * @throws {ApiError} When the server refuses, or the program could not be run.
 * @throws {StreamBrokenError} When the connection ends before the program.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { podExecOutput } from "@xca/operator/client";
 *
 * const text = new TextEncoder();
 * const messages = [[1, ...text.encode("hello")], [3, ...text.encode('{"status":"Success"}')]];
 * const socket = { // what the server sends; a program has a client from createClient()
 *   protocol: "v5.channel.k8s.io",
 *   closed: Promise.resolve({ code: 1000, reason: "" }),
 *   receive: () => Promise.resolve(messages.length > 0 ? new Uint8Array(messages.shift()!) : undefined),
 *   send: () => Promise.resolve(),
 *   close() {},
 *   [Symbol.dispose]() {},
 * };
 * const client = { connect: () => Promise.resolve(socket) };
 *
 * const { code, stdout } = await podExecOutput(client, "default/web-0", { command: ["hello"] });
 * assert.equal(code, 0);
 * assert.equal(new TextDecoder().decode(stdout), "hello");
 * ```
 */
export async function podExecOutput(
  client: SocketCalls,
  key: ObjectKey,
  options: Pick<PodExecOptions, "command" | "container" | "signal"> & {
    /** The standard input of the executed program. @default none */
    readonly stdin?: Uint8Array | string | undefined;
  },
): Promise<
  Awaited<RemoteProcess["status"]> & {
    /** The standard output of the executed program. */
    readonly stdout: Uint8Array;
    /** The standard error of the executed program. */
    readonly stderr: Uint8Array;
  }
> {
  const { stdin, ...rest } = options;
  using running = await podExec(client, key, { ...rest, stdin: stdin !== undefined });
  const [stdout, stderr, status] = await Promise.all([
    new Response(running.stdout).bytes(),
    new Response(running.stderr).bytes(),
    running.status,
    feed(running, stdin),
  ]);
  return { ...status, stdout, stderr };
}

async function feed(
  running: RemoteProcess,
  input: Uint8Array | string | undefined,
): Promise<void> {
  const writer = running.stdin.getWriter();
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  try {
    if (bytes) await writer.write(bytes);
    await writer.close();
  } catch {
    // The process may end before it has read its input; its status has the result.
  }
}

/** Options of {@linkcode podAttach}, which connects to the process of a container. */
export type PodAttachOptions = Omit<PodExecOptions, "command">;

/**
 * Connects to the running process of a container and returns its handle: to its output from now on
 * and, with the option `stdin` and if the container allows it, to its input.
 *
 * @throws {ApiError} When the server refuses.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { podAttach, StreamBrokenError } from "@xca/operator/client";
 *
 * const socket = { // a server that goes away; a program has a client from createClient()
 *   protocol: "v5.channel.k8s.io",
 *   closed: Promise.resolve({ code: 1006, reason: "" }),
 *   receive: () => Promise.resolve(undefined),
 *   send: () => Promise.resolve(),
 *   close() {},
 *   [Symbol.dispose]() {},
 * };
 * const client = { connect: () => Promise.resolve(socket) };
 *
 * using attached = await podAttach(client, "default/web-0");
 * await assert.rejects(attached.status, StreamBrokenError); // the connection, not the process, ended
 * ```
 */
export async function podAttach(
  client: SocketCalls,
  key: ObjectKey,
  options: PodAttachOptions = {},
): Promise<RemoteProcess> {
  const { container, signal } = options;
  return await openProcess(client, {
    path: objectPath(Pod, key, "attach"),
    query: { container },
    what: `attachment to pod ${key}`,
    streams: options,
    signal,
  });
}

async function openProcess(
  client: SocketCalls,
  { path, query, what, streams, signal }: {
    readonly path: string;
    readonly query: Record<string, string | readonly string[] | undefined>;
    readonly what: string;
    readonly streams: PodAttachOptions;
    readonly signal: AbortSignal | undefined;
  },
): Promise<RemoteProcess> {
  const { stdin = false, stdout = true, tty = false, stderr = !tty } = streams;
  const socket = await client.connect({
    path,
    query: { ...query, stdin, stdout, stderr, tty },
    protocols: REMOTE_PROTOCOLS,
    signal,
  });
  return new RemoteProcess(socket, { what, stdin, stdout, stderr });
}
