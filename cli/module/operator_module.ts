import { delay } from "@xca/apimachinery/base";
import { isOperator, type Operator } from "../../lib/controller/mod.ts";
import type { CliContext } from "../context.ts";
import { loadFailure } from "./load_failure.ts";
import { UsageError } from "../usage_error.ts";

/**
 * Loads the operator that a module exports, as its default or as `operator`.
 *
 * @throws {UsageError} When the module does not exist, fails to load, or exports no operator.
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

/** The exports of a module by name. */
type Exports = Record<string, unknown>;

/** Time limit for loading a user's module, in milliseconds: its top-level awaits must end. */
const LOAD_TIMEOUT_MS = 30_000;

async function importModule(specifier: string, context: CliContext): Promise<Exports> {
  try {
    const waiting = new AbortController();
    const tooLong = delay(LOAD_TIMEOUT_MS, { clock: context.clock, signal: waiting.signal })
      .then(() =>
        Promise.reject(new Error(`it does not finish within ${LOAD_TIMEOUT_MS / 1000} s`))
      );
    tooLong.catch(() => {}); // Its rejection must not count as unhandled once the module is loaded.
    try {
      return await Promise.race([context.importModule(specifier), tooLong]) as Exports;
    } finally {
      waiting.abort();
    }
  } catch (error) {
    throw new UsageError(`cannot load module ${specifier}: ${loadFailure(error, specifier)}`, {
      cause: error,
    });
  }
}
