import { errorText } from "../lib/base/mod.ts";
import { isOperator, type Operator } from "../lib/controller/mod.ts";
import type { CliContext } from "./context.ts";
import { UsageError } from "./usage_error.ts";

/**
 * Loads the operator that a module exports, as its default or under the name `operator`.
 *
 * @throws {UsageError} When there is no such module, it fails to load, or exports no operator.
 */
export async function loadOperator(specifier: string, context: CliContext): Promise<Operator> {
  const exports = await importModule(specifier, context);
  for (const name of ["default", "operator"]) {
    const candidate = exports[name];
    if (isOperator(candidate)) return candidate;
  }
  const names = Object.keys(exports).join(", ") || "nothing";
  throw new UsageError(
    `module ${specifier} exports no operator (it exports ${names}): ` +
      "add `export default defineOperator({ ... })`",
  );
}

async function importModule(
  specifier: string,
  context: CliContext,
): Promise<Record<string, unknown>> {
  try {
    return await context.importModule(specifier) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`cannot load module ${specifier}: ${loadFailure(error)}`, {
      cause: error,
    });
  }
}

/** Why a module did not load, in one line: the runtime's own text may be many. */
function loadFailure(error: unknown): string {
  return errorText(error).replace(/^(TypeError|Error): /, "");
}
