import type { Host } from "@xca/apimachinery/base";

/**
 * Returns a view of a host that reads each file at most once, for the loading of one configuration:
 * a file that serves two fields, or is looked for before it is used, has one content in all of them.
 */
export function readingOnce(host: Host): Host {
  const contents = new Map<string, Promise<Uint8Array>>();
  return {
    os: host.os,
    env: (name) => host.env(name),
    readFile: (path) => {
      let content = contents.get(path);
      if (content === undefined) contents.set(path, content = host.readFile(path));
      return content;
    },
  };
}
