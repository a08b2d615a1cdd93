/** The files of a project's folder as a parameter, so that tests can replace the disk. */
export interface ProjectFiles {
  /**
   * Returns the text of a file; `undefined` when it does not exist.
   *
   * @throws {Error} When the path cannot be read, as when it is a folder.
   */
  read(path: string): Promise<string | undefined>;
  /** Returns the names in a folder; none when it does not exist. */
  list(path: string): Promise<readonly string[]>;
  /** Creates a folder and those above it. Returns those that were created, the outermost first. */
  makeFolder(path: string): Promise<readonly string[]>;
  /** Writes a file that must not exist. */
  create(path: string, text: string): Promise<void>;
  /** Moves a file, replacing the one that has the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or an empty folder. */
  remove(path: string): Promise<void>;
}
