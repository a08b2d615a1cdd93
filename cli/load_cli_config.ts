import { type ClientConfig, type ConfigOverrides, loadConfig } from "../lib/client/mod.ts";
import type { CliContext } from "./context.ts";

/**
 * Loads the client configuration of a command's cluster, and revokes permissions before other code
 * is loaded: to write files, and to run programs. The permission to run programs is kept if the
 * configuration has a credential plugin or a legacy auth provider, which the launcher cannot know.
 *
 * @throws {ConfigError} When there is no configuration, or the one found cannot be used.
 */
export async function loadCliConfig(
  overrides: ConfigOverrides,
  context: CliContext,
): Promise<ClientConfig> {
  context.dropWritePermission?.(); // Only an embedded API server writes files.
  const config = await loadConfig(overrides, context.host);
  const { exec, authProvider } = config.credentials ?? {};
  if (!exec && !authProvider) context.dropRunPermission?.();
  return config;
}
