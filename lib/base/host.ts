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
};
