import { startLogging } from "@xca/apimachinery/base";
import { type Client, type ClientConfig, createClient } from "../lib/client/mod.ts";
import type { CliContext } from "./context.ts";
import { configOverrides, type GlobalFlags } from "./global_flags.ts";
import { loadCliConfig } from "./load_cli_config.ts";

/**
 * A client of the cluster that the flags of a command select, with its configuration. Disposal
 * closes the client and the command's log.
 */
export interface Connection extends AsyncDisposable {
  readonly config: ClientConfig;
  readonly client: Client;
}

/**
 * Starts the log of a command, and creates a client of the cluster that its flags and the
 * kubeconfig select. Sends no request. Revokes permissions as {@linkcode loadCliConfig} does.
 *
 * @throws {ConfigError} If there is no cluster configuration, or if it or the value of a flag is
 * invalid.
 * @throws {UsageError} If `--namespace` is not a valid name, or `--server` and `--master` differ.
 */
export async function connect(flags: GlobalFlags, context: CliContext): Promise<Connection> {
  const config = await loadCliConfig(configOverrides(flags), context);
  await using stack = new AsyncDisposableStack();
  stack.use(
    await startLogging({
      verbosity: flags.v ?? 0,
      quiet: true,
      format: flags.logFormat === "json" ? "json" : "text",
      write: context.err,
    }),
  );
  const { clock, random } = context;
  const client = stack.use(createClient(config, { clock, random }));
  const open = stack.move();
  return { config, client, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
