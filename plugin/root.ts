import { fileURLToPath } from "node:url";

/** The root folder of the plugin's repository. */
export const root: string = fileURLToPath(new URL("../", import.meta.url));
