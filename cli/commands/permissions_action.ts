import { findPermissions, permissionFlags } from "../../lib/client/mod.ts";
import type { CliContext } from "../context.ts";
import { ExitCode } from "../exit_code.ts";
import { configOverrides } from "../global_flags.ts";
import type { PermissionsFlags } from "./permissions.ts";

/**
 * Runs `kubectl xca permissions`: prints the Deno permissions that a program needs to reach the
 * cluster. Sends no request and runs no credential plugin.
 *
 * @throws {ConfigError} When there is no configuration, or it is invalid.
 */
export async function permissions(
  flags: PermissionsFlags,
  context: CliContext,
): Promise<ExitCode> {
  const found = await findPermissions(configOverrides(flags), context.host, {
    streams: flags.streams ?? false,
  });
  if (flags.output === "json") {
    context.out(`${JSON.stringify(found, null, 4)}\n`);
    return ExitCode.ok;
  }
  const words = permissionFlags(found);
  const odd = words.find((word) => /[\s*?[\]\\'"$`]/.test(word.replace(/\[[0-9a-f:]*\]/g, "")));
  if (odd !== undefined) {
    context.err(`warning: a shell splits ${odd}: quote it yourself, or use -o json\n`);
  }
  context.out(`${words.join(" ")}\n`);
  return ExitCode.ok;
}
