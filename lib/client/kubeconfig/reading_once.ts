import type { Host } from "@xca/apimachinery/base";

/**
 * Returns the part of an interface to the operating system that loading a configuration needs:
 * environment variables, working folder, and files, each of which is read at most once, even if
 * that fails. A file that is used for several fields, or probed before it is used, then has the
 * same content each time.
 */
export function readingOnce(host: Host): Host {
  const contents = new Map<string, Promise<Uint8Array>>();
  return {
    os: host.os,
    env: (name) => host.env(name),
    cwd: () => host.cwd?.(),
    readFile: (path) => {
      let content = contents.get(path);
      if (content === undefined) contents.set(path, content = host.readFile(path));
      return content;
    },
  };
}
