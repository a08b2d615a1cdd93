/** The project of the tests that load `@kubernetes/client-node`, which has a lock file of its own. */
export const CLIENT_NODE_PROJECT: URL = new URL("../../client_node/", import.meta.url);

let cached: Promise<void> | undefined;

/**
 * Fetches `@kubernetes/client-node` into the cache once, for processes that only read the cache.
 */
export function cacheClientNode(): Promise<void> {
  return cached ??= cache();
}

async function cache(): Promise<void> {
  const { pathname } = CLIENT_NODE_PROJECT;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--no-check", `--config=${pathname}deno.json`, `${pathname}program.ts`],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
