import {
  type Clock,
  type Host,
  type Random,
  systemClock,
  systemHost,
  systemRandom,
} from "../lib/base/mod.ts";
import { ExitCode } from "./exit_code.ts";

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
  /** Writes to standard output. Data only. Ends the process when nobody reads it any more. */
  out(text: string): void;
  /** Writes to standard error: everything that is not data. Lost when it cannot be written. */
  err(text: string): void;
  /** Calls back at each interrupt until disposed. */
  onInterrupt(callback: (interrupt: Interrupt) => void): Disposable;
  /**
   * Calls back at each promise that was rejected with nobody to hear it, until disposed; the process
   * then goes on.
   */
  onFloatingRejection(callback: (reason: unknown) => void): Disposable;
  /** Gives up the right to run programs, for good. Absent where others need it still. */
  dropRunPermission?(): void;
  /** Gives up the right to write files, for good. Absent where others need it still. */
  dropWritePermission?(): void;
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
    out: (text) => writeData(encoder.encode(text)),
    err: (text) => writeNote(encoder.encode(text)),
    onInterrupt,
    onFloatingRejection,
    dropRunPermission: () => void Deno.permissions.revokeSync({ name: "run" }),
    dropWritePermission: () => void Deno.permissions.revokeSync({ name: "write" }),
    importModule: (specifier) => import(moduleUrl(specifier)),
    exit: (code) => Deno.exit(code),
  };
}

/** `| head` has read enough: end quietly, as SIGPIPE ends other programs. */
function writeData(bytes: Uint8Array): void {
  try {
    writeAll(Deno.stdout, bytes);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(ExitCode.brokenPipe);
    throw error;
  }
}

/**
 * Notes come from anywhere, signal listeners too, where an exception would end the runtime's delivery of
 * signals. An operator goes on when whoever reads its log has gone.
 */
function writeNote(bytes: Uint8Array): void {
  try {
    writeAll(Deno.stderr, bytes);
  } catch {
    // There is nobody left to tell.
  }
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
