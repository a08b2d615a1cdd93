import { fileURLToPath } from "node:url";

/** The path of the root folder of the plugin's repository, with a slash at the end. */
export const root: string = fileURLToPath(new URL("../", import.meta.url));
