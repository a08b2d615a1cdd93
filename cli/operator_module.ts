import { delay, errorText } from "../lib/base/mod.ts";
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

/** What a module exports, by name. */
type Exports = Record<string, unknown>;

/** How long a module may take to load: what it awaits at its top level must come to an end. */
const LOAD_TIMEOUT_MS = 30_000;

async function importModule(specifier: string, context: CliContext): Promise<Exports> {
  try {
    const waiting = new AbortController();
    const tooLong = delay(LOAD_TIMEOUT_MS, { clock: context.clock, signal: waiting.signal })
      .then(() =>
        Promise.reject(new Error(`it does not finish within ${LOAD_TIMEOUT_MS / 1000} s`))
      );
    tooLong.catch(() => {}); // Nobody waits for it once the module is there.
    try {
      return await Promise.race([context.importModule(specifier), tooLong]) as Exports;
    } finally {
      waiting.abort();
    }
  } catch (error) {
    throw new UsageError(`cannot load module ${specifier}: ${loadFailure(error)}`, {
      cause: error,
    });
  }
}

/**
 * Why a module did not load, in one line, and what to do when it is a name that does not resolve: a
 * compiled plugin knows no import map, and the launcher only that of the folder it is called in.
 */
function loadFailure(error: unknown): string {
  const text = stripAnsi(errorText(error)).replace(/ hint: .*$/, "") || `it throws ${error}`;
  return /not a dependency|not in import map|not prefixed with/.test(text)
    ? `${text}; call this in the folder of the module's deno.json, or bundle it first: ` +
      "deno bundle --platform=deno -o operator.js MODULE"
    : text;
}

function stripAnsi(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}
