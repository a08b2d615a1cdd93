/** Prints the files of the public entry points, for `deno task doc:lint`. */
import { PUBLIC_DOORS } from "./packages.ts";

// deno-lint-ignore no-console
for (const file of PUBLIC_DOORS.values()) console.log(file);
