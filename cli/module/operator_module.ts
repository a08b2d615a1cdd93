import { delay } from "@xca/apimachinery/base";
import { isOperator, type Operator } from "../../lib/controller/mod.ts";
import type { CliContext } from "../context.ts";
import { loadFailure } from "./load_failure.ts";
import { ExitCode } from "../exit_code.ts";
import { UsageError } from "../usage_error.ts";

/**
 * Loads the operator that a module exports, as its default or else as `operator`. While the module
 * loads, `console.log` writes to standard error.
 *
 * @throws {UsageError} When the module does not exist, fails to load within 30 seconds, or exports
 * no operator.
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

/** The values that a user's module exports, by name. */
type Exports = Record<string, unknown>;

/** Time limit for loading a user's module, in milliseconds: its top-level awaits must end. */
const LOAD_TIMEOUT_MS = 30_000;

async function importModule(specifier: string, context: CliContext): Promise<Exports> {
  // A command that ends with the module's own exit code would look as if it had succeeded.
  using _exit = context.onExit?.(() => {
    context.err(`error: cannot load module ${specifier}: it ends the process while it is loaded\n`);
    Deno.exitCode = ExitCode.usage;
  });
  using _print = printingToStderr();
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

/**
 * Redirects `console.log`, `info` and `debug` of a module to standard error, until disposed, since
 * the command's standard output may consist of manifests for `kubectl apply -f -`.
 */
function printingToStderr(): Disposable {
  const { log, info, debug } = console;
  // deno-lint-ignore no-console
  const toStderr = (...data: unknown[]): void => console.error(...data);
  Object.assign(console, { log: toStderr, info: toStderr, debug: toStderr });
  return { [Symbol.dispose]: () => void Object.assign(console, { log, info, debug }) };
}
