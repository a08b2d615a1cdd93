import { type ProgramOptions, type ProgramResult, runProgram } from "./run_program.ts";

/**
 * The machine as configuration loading sees it: environment, files, processes. Only the loading of
 * a client's configuration and the command line use it, and never while a module is imported.
 */
export interface Host {
  /** The operating system, as `Deno.build.os` names it. */
  readonly os: string;
  /** An environment variable; `undefined` when it is unset or may not be read. */
  env(name: string): string | undefined;
  /**
   * A file's bytes.
   *
   * @throws {Deno.errors.NotFound} When there is no such file.
   */
  readFile(path: string): Promise<Uint8Array>;
  /**
   * Runs a program to its end. Absent on a host that has no programs.
   *
   * @throws {Deno.errors.NotFound} When there is no such program.
   * @throws {Deno.errors.NotCapable} When this process may not run it.
   */
  run?(command: string, options?: ProgramOptions): Promise<ProgramResult>;
  /** Whether a person sits at this end of the process. Absent means no. */
  isTerminal?(stream: "stdin" | "stderr"): boolean;
}

/** The machine this process runs on. */
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
  readFile: (path) => Deno.readFile(path),
  run: runProgram,
  isTerminal: (stream) => Deno[stream].isTerminal(),
};
