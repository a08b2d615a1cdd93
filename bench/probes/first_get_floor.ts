// The baseline of `first_get.ts`: the same request without this library.
import { getJson } from "./floor_https.ts";
import { say } from "./say.ts";

const { metadata } = await getJson<{ metadata: { name: string } }>("/api/v1/namespaces/default");
await say(metadata.name);
Deno.exit(0);
