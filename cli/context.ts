import {
  type Clock,
  type Host,
  type Random,
  systemClock,
  systemHost,
  systemRandom,
} from "@xca/apimachinery/base";
import { ExitCode } from "./exit_code.ts";

/** A request of the user to stop: Ctrl-C, a polite kill, or a terminal that is closed. */
export type Interrupt = "SIGINT" | "SIGTERM" | "SIGHUP";

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
  /**
   * Calls back at each error that a callback of a timer or an event throws, until disposed; the process
   * then goes on. Absent where the process is another's.
   */
  onUncaughtError?(callback: (error: unknown) => void): Disposable;
  /**
   * Calls back when the process ends, by whatever calls `Deno.exit`, until disposed. The callback must
   * be synchronous. Absent where the process is another's.
   */
  onExit?(callback: () => void): Disposable;
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
    onUncaughtError,
    onExit,
    dropRunPermission: () => void Deno.permissions.revokeSync({ name: "run" }),
    dropWritePermission: () => void Deno.permissions.revokeSync({ name: "write" }),
    importModule: async (specifier) => {
      const { moduleUrl } = await import("./module_url.ts");
      return await import(moduleUrl(specifier));
    },
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
 * The signals to listen to. `nohup` has a closed terminal ignored; the runtime, once it listens to any
 * signal, ends at that one all the same unless it listens to it too, and cannot tell whether it is to be
 * ignored: the launcher finds out. Without one, who writes to no terminal has none that could be closed.
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
