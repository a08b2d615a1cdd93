import { writeToStandardError } from "./standard_error.ts";

/** Options of {@linkcode runProgram}, which runs a program of the operating system. */
export interface ProgramOptions {
  /** The command-line arguments of the program. @default {[]} */
  readonly args?: readonly string[];
  /**
   * The environment variables of the program in addition to those of this process, which it
   * inherits.
   *
   * @default {{}}
   */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The standard input of the program: empty (`null`), or that of this process (`inherit`).
   * @default {"null"}
   */
  readonly stdin?: "null" | "inherit";
  /**
   * Sets whether standard error of the program is also written to standard error of this process,
   * while the program runs.
   * @default {false}
   */
  readonly showStderr?: boolean;
  /**
   * The maximum length of the program's standard output and standard error each, in bytes.
   * {@linkcode runProgram} kills a program that writes more.
   *
   * @default {1_048_576}
   */
  readonly maxBytes?: number;
  /**
   * The abort signal; when it is aborted, {@linkcode runProgram} kills the program and rejects with
   * the reason of the signal.
   */
  readonly signal?: AbortSignal;
}

/** The result of running a program: its exit code and outputs. */
export interface ProgramResult {
  /** The exit code of the program; 128 plus the number of the signal, when a signal ended it. */
  readonly code: number;
  /** The bytes of the program's standard output. */
  readonly stdout: Uint8Array;
  /** The bytes of the program's standard error. */
  readonly stderr: Uint8Array;
}

/**
 * The time in milliseconds for which the outputs of an ended program are read further, since
 * processes that it left running may hold them open.
 */
const LINGER_MS = 1_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Runs a program and waits for its end. A `command` with a path separator is a path; others are
 * looked up on `PATH`. When the signal is aborted or an output is longer than `maxBytes`, the
 * program is killed (SIGKILL), and its own children are not waited for. Outputs that processes hold
 * open after the end of the program are read for one more second.
 *
 * @throws {Deno.errors.NotFound} When the program does not exist.
 * @throws {Deno.errors.NotCapable} When this process may not run it.
 * @throws {RangeError} When an output is longer than `maxBytes`.
 * @throws {unknown} The reason of the signal, when it is or becomes aborted.
 */
export async function runProgram(
  command: string,
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const { signal, maxBytes = MAX_BYTES } = options;
  signal?.throwIfAborted();
  const child = new Deno.Command(command, {
    args: [...options.args ?? []],
    env: { ...options.env },
    stdin: options.stdin ?? "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const readers = [child.stdout.getReader(), child.stderr.getReader()] as const;
  const stopReading = (): void => {
    for (const reader of readers) reader.cancel().catch(() => {});
  };
  const kill = (): void => {
    try {
      child.kill("SIGKILL");
    } catch {
      // The program has already ended.
    }
    stopReading();
  };
  signal?.addEventListener("abort", kill, { once: true });
  let linger: ReturnType<typeof setTimeout> | undefined;
  try {
    const [status, stdout, stderr] = await Promise.all([
      child.status.then((status) => {
        linger = setTimeout(stopReading, LINGER_MS);
        return status;
      }),
      drain(readers[0], { maxBytes, kill }),
      drain(readers[1], { maxBytes, kill, show: options.showStderr ?? false }),
    ]);
    signal?.throwIfAborted();
    if (!stdout || !stderr) throw new RangeError(`it wrote more than ${maxBytes} bytes`);
    return { code: status.code, stdout, stderr };
  } finally {
    clearTimeout(linger);
    signal?.removeEventListener("abort", kill);
  }
}

/**
 * Reads an output stream of a program to its end. If it is longer than `maxBytes`, calls `kill` and
 * returns `undefined`. With `show`, also writes the output to standard error of this process.
 */
async function drain(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, kill, show = false }: { maxBytes: number; kill: () => void; show?: boolean },
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      kill();
      return undefined;
    }
    chunks.push(value);
    if (show) writeToStandardError(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
