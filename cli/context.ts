import {
  type Clock,
  type Host,
  type Random,
  systemClock,
  systemHost,
  systemRandom,
} from "@xca/apimachinery/base";
import { ExitCode } from "./exit_code.ts";

/**
 * The name of a signal that ends a command: `SIGINT` (Ctrl-C), `SIGTERM`, or `SIGHUP` (the terminal
 * was closed).
 */
export type Interrupt = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * The process environment of a command (files, time, output, signals) as a parameter, so that a
 * test can replace it.
 */
export interface CliContext {
  /** The host of the process: environment variables, files and programs. */
  readonly host: Host;
  /** The clock by which the command measures time. */
  readonly clock: Clock;
  /** The random number source that the command uses. */
  readonly random: Random;
  /** Reads the command's standard input to its end. */
  readInput(): Promise<Uint8Array>;
  /**
   * Writes data to standard output, synchronously. Ends the process, with exit code 141, when the
   * reader has closed the pipe.
   */
  out(text: string): void;
  /** Writes messages to the command's standard error, synchronously. Write errors are ignored. */
  err(text: string): void;
  /**
   * Calls `callback` at each interrupt of the process (Ctrl-C, SIGTERM, SIGHUP) until the caller
   * disposes of the result.
   */
  onInterrupt(callback: (interrupt: Interrupt) => void): Disposable;
  /**
   * Calls `callback` at each unhandled promise rejection of the process until the caller disposes
   * of the result; the process continues.
   */
  onFloatingRejection(callback: (reason: unknown) => void): Disposable;
  /**
   * Calls `callback` at each uncaught error of a timer or event listener until the caller disposes
   * of the result; the process continues. Absent when the process belongs to another program.
   */
  onUncaughtError?(callback: (error: unknown) => void): Disposable;
  /**
   * Calls `callback` when the process ends, including by `Deno.exit`, unless the caller has
   * disposed of the result. The callback must be synchronous. Absent when the process belongs to
   * another program.
   */
  onExit?(callback: () => void): Disposable;
  /** Revokes the process's permission to run programs. Absent when other code needs it. */
  dropRunPermission?(): void;
  /** Revokes the process's permission to write files. Absent when other code needs it. */
  dropWritePermission?(): void;
  /**
   * Imports a user's module by its path from the working directory, or by URL; resolves to its
   * exports.
   */
  importModule(specifier: string): Promise<unknown>;
  /** Ends the process at once with an exit code; commands call it at the second interrupt. */
  exit(code: number): void;
}

/** Returns the command context of this process. */
export function processContext(): CliContext {
  const encoder = new TextEncoder();
  return {
    host: systemHost,
    clock: systemClock,
    random: systemRandom,
    readInput: async () => new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer()),
    out: (text) => writeData(encoder.encode(text)),
    err: (text) => writeNote(encoder.encode(text)),
    onInterrupt,
    onFloatingRejection,
    onUncaughtError,
    onExit,
    dropRunPermission: () => void Deno.permissions.revokeSync({ name: "run" }),
    dropWritePermission: () => void Deno.permissions.revokeSync({ name: "write" }),
    importModule: async (specifier) => {
      const { moduleUrl } = await import("./module/module_url.ts");
      return await import(moduleUrl(specifier));
    },
    exit: (code) => Deno.exit(code),
  };
}

/**
 * Writes data to standard output; ends the process quietly when the reader has closed the pipe, as
 * SIGPIPE ends other programs.
 */
function writeData(bytes: Uint8Array): void {
  try {
    writeAll(Deno.stdout, bytes);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(ExitCode.brokenPipe);
    throw error;
  }
}

/**
 * Writes a message to standard error. Errors are ignored, since an exception in a signal listener
 * would end the delivery of signals, and an operator continues when the reader of its log has gone.
 */
function writeNote(bytes: Uint8Array): void {
  try {
    writeAll(Deno.stderr, bytes);
  } catch {
    // No reader is left to report to.
  }
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += stream.writeSync(bytes.subarray(written));
  }
}

function onInterrupt(callback: (interrupt: Interrupt) => void): Disposable {
  const listeners = signals().map(({ signal, isIgnored }) => ({
    signal,
    listener: isIgnored ? () => {} : () => callback(signal),
  }));
  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  return {
    [Symbol.dispose]() {
      for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
    },
  };
}

/**
 * Returns the signals that a command listens to; on a SIGHUP that is marked as ignored, the command
 * does nothing. Under `nohup`, the process must ignore SIGHUP. The runtime, once it listens to any
 * signal, ends at SIGHUP unless it listens to SIGHUP too. Since the runtime cannot determine
 * whether SIGHUP is ignored, the launcher does for `run`, `serve` and `dev`, and sets the variable
 * `XCA_HANGUP`. Without the variable, a process that writes to no terminal does not listen to
 * SIGHUP, which ends the process at once. On Windows, the command listens to SIGINT alone.
 */
function signals(): readonly { readonly signal: Interrupt; readonly isIgnored?: boolean }[] {
  if (Deno.build.os === "windows") return [{ signal: "SIGINT" }];
  const told = Deno.env.get("XCA_HANGUP");
  const isHeard = told !== undefined || Deno.stdout.isTerminal() || Deno.stderr.isTerminal();
  const hangup = { signal: "SIGHUP", isIgnored: told === "ignored" } as const;
  return [{ signal: "SIGINT" }, { signal: "SIGTERM" }, ...isHeard ? [hangup] : []];
}

function onFloatingRejection(callback: (reason: unknown) => void): Disposable {
  return listening("unhandledrejection", (event) => {
    event.preventDefault();
    callback(event.reason);
  });
}

function onUncaughtError(callback: (error: unknown) => void): Disposable {
  return listening("error", (event) => {
    event.preventDefault();
    callback(event.error);
  });
}

function onExit(callback: () => void): Disposable {
  globalThis.addEventListener("unload", callback);
  return { [Symbol.dispose]: () => globalThis.removeEventListener("unload", callback) };
}

function listening<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): Disposable {
  globalThis.addEventListener(type, listener);
  return { [Symbol.dispose]: () => globalThis.removeEventListener(type, listener) };
}
