import { delay } from "@xca/apimachinery/base";
import type { OperatorHandle } from "../../lib/controller/mod.ts";
import type { ManagerHandle } from "../../lib/manager/mod.ts";
import type { CliContext } from "../context.ts";
import { ExitCode } from "../exit_code.ts";
import { tableLines } from "../output/table.ts";
import type { UnheardErrors } from "../module/unheard_errors.ts";

/**
 * Runs `kubectl xca run --once`: waits for the first pass of an operator, stops its manager, and
 * prints the counts of the pass and the keys that still fail. Returns exit code 1 if a key fails,
 * or if the operator left an error unhandled.
 *
 * @throws {unknown} The error with which the manager ended before the pass was complete.
 */
export async function runOnce(
  running: ManagerHandle,
  handle: OperatorHandle,
  unheard: UnheardErrors,
  context: CliContext,
): Promise<ExitCode> {
  const report = await handle.settled().catch(async (error: unknown) => {
    await running.done; // The failure of the manager, when there is one.
    throw error;
  });
  await running.stop();
  const { initialKeys, failed, scheduled } = report;
  context.out(
    `${initialKeys} reconciled, ${failed.length} failed, ${scheduled.length} scheduled\n`,
  );
  await nextTurn(context);
  if (unheard.count > 0) {
    const what = unheard.count === 1 ? "an error" : `${unheard.count} errors`;
    context.err(`error: the operator neither awaits nor catches ${what}, logged above\n`);
  }
  if (failed.length === 0) return unheard.count > 0 ? ExitCode.notSo : ExitCode.ok;
  const rows = failed.map(({ controller, key, attempts, error }) => [
    controller,
    key,
    String(attempts),
    error,
  ]);
  const lines = tableLines([["CONTROLLER", "KEY", "ATTEMPTS", "ERROR"], ...rows]);
  context.err(lines.map((line) => `${line}\n`).join(""));
  return ExitCode.notSo;
}

/**
 * Waits one turn of the event loop, since the runtime reports unhandled rejections a turn after
 * they happen.
 */
export function nextTurn({ clock }: CliContext): Promise<void> {
  return delay(0, { clock });
}
