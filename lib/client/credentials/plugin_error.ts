import { ConfigError } from "../config/config.ts";
import { quoted } from "../config/config_place.ts";
import type { ExecConfig } from "../config/plugin_config.ts";

/** What a message tells of a plugin: the user and the file, and the program. */
type Plugin = Pick<ExecConfig, "command" | "place">;

/** The error for a plugin that gave no credentials; one line, `advice` says what to do. */
export function pluginError(
  { command, place }: Plugin,
  reason: string,
  advice: string,
  cause?: unknown,
): ConfigError {
  return new ConfigError(
    `Cannot get credentials from the plugin ${quoted(command)}${place ? ` of ${place}` : ""}: ` +
      `${reason}; ${advice}`,
    cause === undefined ? {} : { cause },
  );
}
