import type { Host } from "@xca/apimachinery/base";

/**
 * Returns an interface to the operating system that reads each file at most once, for the loading
 * of one configuration. A file that is used for several fields, or probed before it is used, then
 * has the same content each time.
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
