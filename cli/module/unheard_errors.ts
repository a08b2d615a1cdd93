import { getLogger } from "@logtape/logtape";
import type { CliContext } from "../context.ts";
import { placeInModule } from "./place_in_module.ts";

/**
 * The recorder of unhandled errors of a user's module, which logs them until it is disposed; until
 * then they do not end the process.
 */
export interface UnheardErrors extends Disposable {
  /** The number of unhandled errors that were recorded so far. */
  readonly count: number;
}

/**
 * Logs unhandled rejections and uncaught errors of the process until the result is disposed, with
 * the position in the user's module, if one is given, at which the error was created. The process
 * continues after these errors.
 */
export function logUnheardErrors(module: string | undefined, context: CliContext): UnheardErrors {
  let count = 0;
  const log = (message: string, error: unknown): void => {
    count++;
    const at = module === undefined ? undefined : placeInModule(error, module);
    getLogger("xca").error(message, { error, ...(at !== undefined && { at }) });
  };
  const floating = context.onFloatingRejection((error) =>
    log("A promise that is not awaited was rejected: find and await the promise", error)
  );
  const uncaught = context.onUncaughtError?.((error) =>
    log("A timer or a listener threw an error that is not caught: catch the error there", error)
  );
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]() {
      floating[Symbol.dispose]();
      uncaught?.[Symbol.dispose]();
    },
  };
}
