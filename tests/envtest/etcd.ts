/**
 * Stands in for the etcd that `envtest` starts: it reports healthy and stores nothing.
 *
 * @module
 */
import { parseArgs } from "node:util";

const { values } = parseArgs({
  strict: false,
  options: { "listen-client-urls": { type: "string" } },
});
if (Deno.args.includes("--help")) Deno.exit(0);
const { hostname, port } = new URL(String(values["listen-client-urls"]));
Deno.serve(
  { hostname, port: Number(port), onListen: () => {} },
  () => Response.json({ health: "true" }),
);
