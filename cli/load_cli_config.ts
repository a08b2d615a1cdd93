import { type ClientConfig, type ConfigOverrides, loadConfig } from "../lib/client/mod.ts";
import type { CliContext } from "./context.ts";

/**
 * Loads the client configuration of a command's cluster. The launcher cannot know the credential
 * plugin of a kubeconfig and permits all programs; when the kubeconfig has none, the permission is
 * revoked here, before other code is loaded.
 *
 * @throws {ConfigError} When there is no configuration, or the one found cannot be used.
 */
export async function loadCliConfig(
  overrides: ConfigOverrides,
  context: CliContext,
): Promise<ClientConfig> {
  context.dropWritePermission?.(); // Only an embedded API server writes files, and that uses no configuration.
  const config = await loadConfig(overrides, context.host);
  const { exec, authProvider } = config.credentials ?? {};
  if (!exec && !authProvider) context.dropRunPermission?.();
  return config;
}
