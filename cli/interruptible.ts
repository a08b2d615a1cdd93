import type { CliContext, Interrupt } from "./context.ts";
import { ExitCode } from "./exit_code.ts";

/**
 * The handler of interrupts of a command that runs until it is interrupted; the result of
 * {@linkcode interruptible}. Disposal removes the handler.
 */
export interface Interruptible extends Disposable {
  /** The signal that is aborted by the first interrupt of the command. */
  readonly signal: AbortSignal;
  /**
   * Returns the exit code of the command after its end: that of the first interrupt by {@linkcode
   * INTERRUPT_CODES}, or 0 without an interrupt.
   */
  code(): ExitCode;
}

/**
 * The exit codes of commands that an interrupt ends, by the interrupt. SIGTERM is a regular end.
 */
export const INTERRUPT_CODES: Readonly<Record<Interrupt, ExitCode>> = {
  SIGINT: ExitCode.interrupted,
  SIGTERM: ExitCode.ok,
  SIGHUP: ExitCode.hangup,
};

/**
 * Installs the interrupt handler of a command: the first interrupt writes a message and aborts the
 * signal; the second one ends the process at once, with its exit code of {@linkcode
 * INTERRUPT_CODES}, or 130 for SIGTERM.
 */
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
