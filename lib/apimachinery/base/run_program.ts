/** How a program is run. */
export interface ProgramOptions {
  /** Its arguments. @default {[]} */
  readonly args?: readonly string[];
  /** Variables beside those of this process, which it inherits. @default {{}} */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it reads what this process would. @default {"null"} */
  readonly stdin?: "null" | "inherit";
  /** Whether what it writes to standard error is also shown on ours as it comes. @default {false} */
  readonly showStderr?: boolean;
  /** The most it may write to each of its outputs, in bytes. @default {1_048_576} */
  readonly maxBytes?: number;
  /** Kills it. */
  readonly signal?: AbortSignal;
}

/** What a program left behind. */
export interface ProgramResult {
  /** Its exit code; by a signal, 128 and the signal's number. */
  readonly code: number;
  /** What it wrote to standard output. */
  readonly stdout: Uint8Array;
  /** What it wrote to standard error. */
  readonly stderr: Uint8Array;
}

/** How long the outputs of a program that ended may stay open, held by what it left running. */
const LINGER_MS = 1_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Runs a program to its end. A `command` with a path separator is a path, else it is looked for on
 * `PATH`. When the signal comes, or it writes too much, it is killed (SIGKILL), and nobody waits for
 * what it has started itself.
 *
 * @throws {Deno.errors.NotFound} When there is no such program.
 * @throws {Deno.errors.NotCapable} When this process may not run it.
 * @throws {RangeError} When it writes too much.
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
      // It has ended by itself.
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

/** Everything that comes; `undefined` when it is too much. */
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
    if (show) Deno.stderr.writeSync(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
