import type { DataFile, FilePort } from "./file_port.ts";
import type { RevisionLog } from "./revision_log.ts";

/** A {@linkcode FilePort} in memory for tests, whose content after a crash can be inspected. */
export class MemoryFiles implements FilePort {
  readonly contents: Map<string, Uint8Array> = new Map();
  readonly #locked = new Set<string>();
  /** A callback before each step on the files; when it throws, it simulates a crash there. */
  beforeStep: (step: string) => void = () => {};

  lock(path: string): Disposable | undefined {
    if (this.#locked.has(path)) return undefined;
    this.#locked.add(path);
    return { [Symbol.dispose]: () => void this.#locked.delete(path) };
  }

  open(path: string, empty = false): Promise<DataFile> {
    if (empty || !this.contents.has(path)) this.contents.set(path, new Uint8Array(0));
    let name = path;
    const step = (what: string): Promise<void> => {
      try {
        this.beforeStep(what);
        return Promise.resolve();
      } catch (error) {
        return Promise.reject(error);
      }
    };
    const renamed = (from: string, to: string): void => {
      if (name === from) name = to;
    };
    this.#renames.add(renamed);
    return Promise.resolve({
      readAll: async () => {
        await step("readAll");
        return this.contents.get(name)!;
      },
      truncate: async (length) => {
        await step("truncate");
        this.contents.set(name, this.contents.get(name)!.slice(0, length));
      },
      append: async (bytes) => {
        await step("append");
        const before = this.contents.get(name)!;
        const after = new Uint8Array(before.length + bytes.length);
        after.set(before);
        after.set(bytes, before.length);
        this.contents.set(name, after);
      },
      sync: () => step("sync"),
      [Symbol.dispose]: () => void this.#renames.delete(renamed),
    });
  }

  replace(from: string, to: string): Promise<void> {
    try {
      this.beforeStep("replace");
    } catch (error) {
      return Promise.reject(error);
    }
    this.contents.set(to, this.contents.get(from)!);
    this.contents.delete(from);
    for (const renamed of this.#renames) renamed(from, to);
    return Promise.resolve();
  }

  readonly #renames = new Set<(from: string, to: string) => void>();
}

/** Writes a small object to a collection of the storage, in tests. */
export function putObject(log: RevisionLog, collection: string, key: string, data = ""): number {
  const resourceVersion = String(log.nextRevision);
  const name = key.slice(key.indexOf("/") + 1);
  const object = { kind: "Thing", apiVersion: "v1", metadata: { name, resourceVersion }, data };
  return log.put(log.collection(collection), key, JSON.stringify(object)).revision;
}

/** Deletes an object from a collection of the storage, in tests. */
export function deleteObject(log: RevisionLog, collection: string, key: string): number {
  const place = log.collection(collection);
  const object = place.get(key)!.tree();
  object.metadata.resourceVersion = String(log.nextRevision);
  return log.delete(place, key, JSON.stringify(object)).revision;
}

/** Returns the JSON texts of all objects of the storage, by collection and key. */
export function contentsOf(log: RevisionLog): Record<string, string> {
  return Object.fromEntries(
    [...log.objects()].map(([name, object]) => [`${name} ${object.key}`, object.text()]),
  );
}
