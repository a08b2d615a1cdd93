// What `first_get.ts` does, with nothing of ours.
import { getJson } from "./floor_https.ts";

const { metadata } = await getJson<{ metadata: { name: string } }>("/api/v1/namespaces/default");
// deno-lint-ignore no-console -- a program prints
console.log(metadata.name);
Deno.exit(0);
