/**
 * The operations on the files of a project's folder, as a parameter so that tests can replace the
 * disk.
 */
export interface ProjectFiles {
  /**
   * Returns the text of a project file; `undefined` when the file does not exist.
   *
   * @throws {Error} When the path cannot be read, for instance because it is a folder.
   */
  read(path: string): Promise<string | undefined>;
  /**
   * Returns the names of the entries of a folder in a project; empty when the folder does not
   * exist.
   */
  list(path: string): Promise<readonly string[]>;
  /** Creates a folder and its missing parents. Returns the created folders, the outermost first. */
  makeFolder(path: string): Promise<readonly string[]>;
  /** Writes a new project file; rejects if the file exists. */
  create(path: string, text: string): Promise<void>;
  /** Moves a project file, and replaces an existing file of the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a project file or an empty folder; rejects if the path does not exist. */
  remove(path: string): Promise<void>;
}
