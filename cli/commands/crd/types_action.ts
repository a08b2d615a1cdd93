import { definitionModule, interfaceModule } from "../../../lib/resource/evolution/mod.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { UsageError } from "../../usage_error.ts";
import { loadDefinitions } from "./load_definitions.ts";
import type { TypesFlags } from "./types.ts";

/**
 * Runs `kubectl xca types`: prints a TypeScript module with the types of CustomResourceDefinitions.
 *
 * @throws {UsageError} When the source cannot be read, or a definition lacks the version of
 * `--api-version`.
 * @throws {MissingResourceError} When the source names a definition that the cluster lacks.
 */
export async function types(
  source: string,
  flags: TypesFlags,
  context: CliContext,
): Promise<ExitCode> {
  const definitions = await loadDefinitions(source, flags, context);
  const write = flags.output === "interfaces" ? interfaceModule : definitionModule;
  try {
    context.out(write(definitions, { version: flags.apiVersion }));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
  return ExitCode.ok;
}
