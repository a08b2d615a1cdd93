/** One open data file. Writes go to its end. */
export interface DataFile extends Disposable {
  /** The bytes that it has. */
  readAll(): Promise<Uint8Array>;
  /** Cuts it to so many bytes. */
  truncate(length: number): Promise<void>;
  /** Appends; when it settles the operating system has the bytes. */
  append(bytes: Uint8Array): Promise<void>;
  /** When it settles the disk has what was appended. */
  sync(): Promise<void>;
}

/** The file system, as far as persistence needs it. Tests replace it. */
export interface FilePort {
  /**
   * Takes a path for this process alone, until the lock is disposed or the process ends.
   * `undefined`: another process has it.
   */
  lock(path: string): Disposable | undefined;
  /** Opens a file, made when it is not there. `empty`: what it had is dropped. */
  open(path: string, empty?: boolean): Promise<DataFile>;
  /** Puts one file in the place of another at once, and sees that the disk knows. */
  replace(from: string, to: string): Promise<void>;
  /** Whether there is a file. */
  exists(path: string): Promise<boolean>;
}

/** The files of this machine. */
export const systemFiles: FilePort = {
  lock(path) {
    const file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
    let mine = false;
    try {
      mine = file.tryLockSync(true);
    } finally {
      if (!mine) file.close();
    }
    return mine ? { [Symbol.dispose]: () => file.close() } : undefined;
  },

  async open(path, empty = false) {
    const options = { create: true, read: true, write: true, truncate: empty, mode: 0o600 };
    const file = new SystemFile(await Deno.open(path, options));
    await syncFolder(path); // It may be new; what it will hold is lost with its name.
    return file;
  },

  async replace(from, to) {
    await Deno.rename(from, to);
    await syncFolder(to);
  },

  async exists(path) {
    try {
      await Deno.stat(path);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  },
};

/** A new name is safe once its folder is. Not every system can; then the name is as safe as it gets. */
async function syncFolder(path: string): Promise<void> {
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  try {
    using folder = await Deno.open(end < 0 ? "." : path.slice(0, end) || "/");
    await folder.sync();
  } catch (error) {
    if (Deno.build.os !== "windows") throw error;
  }
}

class SystemFile implements DataFile {
  readonly #file: Deno.FsFile;

  constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  async readAll(): Promise<Uint8Array> {
    const { size } = await this.#file.stat();
    const bytes = new Uint8Array(size);
    await this.#file.seek(0, Deno.SeekMode.Start);
    let at = 0;
    while (at < size) {
      const read = await this.#file.read(bytes.subarray(at));
      if (read === null) break;
      at += read;
    }
    return bytes.subarray(0, at);
  }

  async truncate(length: number): Promise<void> {
    await this.#file.truncate(length);
    await this.#file.seek(length, Deno.SeekMode.Start);
  }

  async append(bytes: Uint8Array): Promise<void> {
    let at = 0;
    while (at < bytes.length) at += await this.#file.write(bytes.subarray(at));
  }

  sync(): Promise<void> {
    return this.#file.syncData();
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
