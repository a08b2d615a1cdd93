import {
  type Clock,
  type Host,
  type Random,
  systemClock,
  systemHost,
  systemRandom,
} from "../lib/base/mod.ts";

/** A request of the user to stop: Ctrl-C, or a polite kill. */
export type Interrupt = "SIGINT" | "SIGTERM";

/** Everything of the world that a command touches, so that a test can hand in its own. */
export interface CliContext {
  /** Environment and files. */
  readonly host: Host;
  /** Where time comes from. */
  readonly clock: Clock;
  /** Where chance comes from. */
  readonly random: Random;
  /** Writes to standard output. Data only. */
  out(text: string): void;
  /** Writes to standard error: everything that is not data. */
  err(text: string): void;
  /** Calls back at each interrupt until disposed. */
  onInterrupt(callback: (interrupt: Interrupt) => void): Disposable;
  /**
   * Calls back at each promise that was rejected with nobody to hear it, until disposed; the process
   * then goes on.
   */
  onFloatingRejection(callback: (reason: unknown) => void): Disposable;
  /** Loads a module by its path from the working directory, or by a URL. */
  importModule(specifier: string): Promise<unknown>;
  /** Ends the process at once: the second Ctrl-C. */
  exit(code: number): void;
}

/** The context of the real process. */
export function processContext(): CliContext {
  const encoder = new TextEncoder();
  return {
    host: systemHost,
    clock: systemClock,
    random: systemRandom,
    out: (text) => writeAll(Deno.stdout, encoder.encode(text)),
    err: (text) => writeAll(Deno.stderr, encoder.encode(text)),
    onInterrupt,
    onFloatingRejection,
    importModule: (specifier) => import(moduleUrl(specifier)),
    exit: (code) => Deno.exit(code),
  };
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += stream.writeSync(bytes.subarray(written));
  }
}

function onInterrupt(callback: (interrupt: Interrupt) => void): Disposable {
  const signals: Interrupt[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  const listeners = signals.map((signal) => ({ signal, listener: () => callback(signal) }));
  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  return {
    [Symbol.dispose]() {
      for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
    },
  };
}

function onFloatingRejection(callback: (reason: unknown) => void): Disposable {
  const listener = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    callback(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", listener);
  return {
    [Symbol.dispose]: () => globalThis.removeEventListener("unhandledrejection", listener),
  };
}

function moduleUrl(specifier: string): string {
  if (/^(file|https?|data|npm|jsr):/.test(specifier)) return specifier;
  const folder = new URL(`file://${encodeURI(Deno.cwd().replaceAll("\\", "/"))}/`);
  return new URL(encodeURI(specifier.replaceAll("\\", "/")), folder).href;
}
