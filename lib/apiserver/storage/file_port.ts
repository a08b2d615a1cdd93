/** An open data file of the storage, which can be read, appended to and truncated. */
export interface DataFile extends Disposable {
  /** Returns the whole content of the data file. */
  readAll(): Promise<Uint8Array>;
  /** Truncates the data file to a length in bytes, at which later appends continue. */
  truncate(length: number): Promise<void>;
  /** Appends bytes to the data file. Resolves once the operating system has them. */
  append(bytes: Uint8Array): Promise<void>;
  /** Syncs the data file: resolves once everything appended is on disk. */
  sync(): Promise<void>;
}

/**
 * The interface with the file system operations that persistence needs, implemented by {@linkcode
 * systemFiles} and by fakes in tests.
 */
export interface FilePort {
  /**
   * Locks a path, where a lock file is created, until the lock is disposed or the process ends.
   * Returns `undefined` if the path is already locked, by this process or another.
   */
  lock(path: string): Disposable | undefined;
  /** Opens a data file, and creates it if it is missing. With `empty`, truncates it. */
  open(path: string, empty?: boolean): Promise<DataFile>;
  /** Renames the file `from` to `to`, replacing an existing file, atomically and durably. */
  replace(from: string, to: string): Promise<void>;
}

/** The {@linkcode FilePort} that works on the files of this machine. */
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
    await syncFolder(path); // A new file survives a crash only if its folder entry is on disk.
    return file;
  },

  async replace(from, to) {
    await Deno.rename(from, to);
    await syncFolder(to);
  },
};

/**
 * Syncs the folder of a file, so that a new name in the folder survives a crash. Errors are ignored
 * on Windows, which cannot sync a folder.
 */
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
