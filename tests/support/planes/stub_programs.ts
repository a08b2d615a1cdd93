/** The input and output of a program in a stub container. */
export interface ProgramIo {
  /** The arguments, beginning with the program's name. */
  readonly args: readonly string[];
  /** The input, until its end or the end of the connection. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The sizes of the terminal, as they change. */
  readonly sizes: AsyncIterable<{ Width: number; Height: number }>;
  /** Reports whether there is a terminal. */
  readonly tty: boolean;
  /** Writes to the output. */
  out(data: string | Uint8Array): Promise<void>;
  /** Writes to the standard error. */
  err(data: string | Uint8Array): Promise<void>;
}

/** A program; resolves to its exit code, and rejects with the reason why it did not run. */
export type Program = (io: ProgramIo) => Promise<number>;

/** The programs of every stub container. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  /** Prints its arguments, one per line. */
  args: async ({ args, out }) => {
    await out(args.slice(1).map((each) => `${JSON.stringify(each)}\n`).join(""));
    return 0;
  },
  /** Writes to both outputs and ends with the requested exit code. */
  fail: async ({ args, out, err }) => {
    await out("to stdout\n");
    await err("to stderr\n");
    return Number(args[1] ?? 1);
  },
  /** Prints its input. */
  cat: async ({ stdin, out }) => {
    for await (const chunk of stdin) await out(chunk);
    return 0;
  },
  /** Counts the bytes of its input. */
  count: async ({ stdin, out }) => {
    let bytes = 0;
    for await (const chunk of stdin) bytes += chunk.byteLength;
    await out(`${bytes}\n`);
    return 0;
  },
  /** Writes the requested number of bytes. */
  flood: async ({ args, out }) => {
    const chunk = new Uint8Array(16 * 1024).fill(0x78);
    for (let left = Number(args[1]); left > 0; left -= chunk.byteLength) {
      await out(chunk.subarray(0, Math.min(left, chunk.byteLength)));
    }
    return 0;
  },
  /** Prints the first size of its terminal. */
  size: async ({ sizes, out, tty }) => {
    for await (const { Width, Height } of sizes) {
      await out(`${tty ? "tty" : "no tty"} ${Width}x${Height}\n`);
      return 0;
    }
    return 1;
  },
};

/** Runs a program over the given streams, and reports its end as a kubelet does. */
export async function runStubProgram(
  io: Omit<ProgramIo, "args">,
  args: readonly string[],
): Promise<string> {
  const program = PROGRAMS[args[0] ?? ""];
  try {
    if (!program) throw new Error(`exec: "${args[0]}": executable file not found in $PATH`);
    const code = await program({ ...io, args });
    if (code === 0) return JSON.stringify({ metadata: {}, status: "Success" });
    return JSON.stringify({
      metadata: {},
      status: "Failure",
      message: `command terminated with non-zero exit code: exit status ${code}`,
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: String(code) }] },
    });
  } catch (error) {
    return JSON.stringify({
      metadata: {},
      status: "Failure",
      message: `error executing command in container: ${(error as Error).message}`,
      reason: "InternalError",
      details: { causes: [{ message: (error as Error).message }] },
      code: 500,
    });
  }
}
