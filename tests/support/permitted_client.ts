/**
 * The client under test of `tests/permissions_test.ts`, with no more permissions than it is given: one
 * call to the cluster of the kubeconfig, and a line about how it went.
 *
 * @module
 */
import { createClient, loadConfig } from "../../lib/client/mod.ts";

const [context] = Deno.args;
let line: string;
try {
  using client = createClient(await loadConfig(context ? { context } : {}));
  line = JSON.stringify(await client.requestJson({ path: "/version", retry: false }));
} catch (error) {
  line = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
// deno-lint-ignore no-console -- what the test reads
console.log(line);
