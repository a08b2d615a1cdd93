import { type ClientConfig, type ConfigOverrides, loadConfig } from "../lib/client/mod.ts";
import type { CliContext } from "./context.ts";

/**
 * The configuration of the cluster to reach. The launcher cannot know which credential plugin a
 * kubeconfig names, so it lets all programs run; when none is named, that right is given up here,
 * before anything else is loaded.
 *
 * @throws {ConfigError} When there is no configuration, or it cannot be used.
 */
export async function loadCliConfig(
  overrides: ConfigOverrides,
  context: CliContext,
): Promise<ClientConfig> {
  context.dropWritePermission?.(); // For an API server of one's own alone, which takes no configuration.
  const config = await loadConfig(overrides, context.host);
  const { exec, authProvider } = config.credentials ?? {};
  if (!exec && !authProvider) context.dropRunPermission?.();
  return config;
}
