import { type ProgramOptions, type ProgramResult, runProgram } from "./run_program.ts";

/**
 * An interface to the environment, files and processes of the machine, implemented by {@linkcode
 * systemHost}. A test can pass another implementation. No module uses the host while it is
 * imported.
 */
export interface Host {
  /** The operating system of the host, as in `Deno.build.os`. */
  readonly os: string;
  /**
   * Returns an environment variable of the host; `undefined` when it is unset or may not be read.
   */
  env(name: string): string | undefined;
  /**
   * Returns the absolute path of the working folder, where relative paths start; `undefined` when
   * this process may not know it. A host without this method has no known working folder.
   */
  cwd?(): string | undefined;
  /**
   * Returns the content of a file of the host.
   *
   * @throws {Deno.errors.NotFound} When the file does not exist.
   * @throws {Deno.errors.NotCapable} When this process may not read it.
   */
  readFile(path: string): Promise<Uint8Array>;
  /**
   * Runs a program on the host, waits for its end, and returns its exit code and outputs. Absent on
   * a host that cannot run programs.
   *
   * @throws {Deno.errors.NotFound} When the program does not exist.
   * @throws {Deno.errors.NotCapable} When this process may not run it.
   * @throws {RangeError} When an output is longer than the option `maxBytes`.
   * @throws {unknown} The reason of the option `signal`, when it is or becomes aborted.
   */
  run?(command: string, options?: ProgramOptions): Promise<ProgramResult>;
  /**
   * Reports whether a standard stream of the host is a terminal. A host without this method has no
   * terminal.
   */
  isTerminal?(stream: "stdin" | "stderr"): boolean;
}

/** The {@linkcode Host} for the machine that this process runs on. */
export const systemHost: Host = {
  os: Deno.build.os,
  env: (name) => {
    try {
      return Deno.env.get(name);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) return undefined;
      throw error;
    }
  },
  cwd: () => {
    try {
      return Deno.cwd();
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.NotFound) {
        return undefined;
      }
      throw error;
    }
  },
  readFile: (path) => Deno.readFile(path),
  run: runProgram,
  isTerminal: (stream) => Deno[stream].isTerminal(),
};
