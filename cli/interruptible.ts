import type { CliContext, Interrupt } from "./context.ts";
import { ExitCode } from "./exit_code.ts";

/** A command that goes on until it is interrupted. */
export interface Interruptible extends Disposable {
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** What the process ends with, once stopped. */
  code(): ExitCode;
}

/** What the process ends with, by the interrupt that stopped it. A polite kill is no failure. */
export const INTERRUPT_CODES: Readonly<Record<Interrupt, ExitCode>> = {
  SIGINT: ExitCode.interrupted,
  SIGTERM: ExitCode.ok,
  SIGHUP: ExitCode.hangup,
};

/** The first interrupt asks to stop; the second ends the process at once. */
export function interruptible(context: CliContext): Interruptible {
  const stop = new AbortController();
  let first: Interrupt | undefined;
  const listener = context.onInterrupt((interrupt) => {
    if (first !== undefined) context.exit(INTERRUPT_CODES[interrupt] || ExitCode.interrupted);
    first = interrupt;
    context.err(`Stopping on ${interrupt}; once more ends at once.\n`);
    stop.abort(new DOMException(`stopped by ${interrupt}`, "AbortError"));
  });
  return {
    signal: stop.signal,
    code: () => first === undefined ? ExitCode.ok : INTERRUPT_CODES[first],
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  };
}
