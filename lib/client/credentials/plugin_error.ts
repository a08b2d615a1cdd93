import { ConfigError } from "../config/config.ts";
import { quoted } from "../config/config_place.ts";
import type { ExecConfig } from "../config/plugin_config.ts";

/**
 * The parts of a credential plugin's configuration that error messages contain: the user and file,
 * and the program.
 */
type Plugin = Pick<ExecConfig, "command" | "place">;

/**
 * Creates the ConfigError for a credential plugin that did not run, failed, or printed no usable
 * credentials. The message is one line; `advice` names the remedy.
 */
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
