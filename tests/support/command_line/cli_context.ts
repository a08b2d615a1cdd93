import { type Host, seededRandom, systemClock } from "../../../lib/apimachinery/base/mod.ts";
import type { CliContext, Interrupt } from "../../../cli/context.ts";

/** A {@linkcode CliContext} in memory, with the output of the command. */
export interface TestContext extends CliContext {
  /** The standard output so far. */
  readonly stdout: () => string;
  /** The standard error so far. */
  readonly stderr: () => string;
  /** Interrupts the command. */
  readonly interrupt: (interrupt: Interrupt) => void;
  /** The exit codes with which the command ended the process at once. */
  readonly exits: readonly number[];
}

/** Options of {@linkcode testContext}. */
export interface TestContextInit {
  /** The environment. @default empty */
  readonly env?: Readonly<Record<string, string>>;
  /** Files by path, read before those of the machine. @default none */
  readonly files?: Readonly<Record<string, string>>;
  /** The text on standard input. @default empty */
  readonly input?: string;
}

/** Creates a context with only the given environment and files, which keeps the output. */
export function testContext(
  { env = {}, files = {}, input = "" }: TestContextInit = {},
): TestContext {
  const written = { out: "", err: "" };
  const listeners = new Set<(interrupt: Interrupt) => void>();
  const exits: number[] = [];
  const host: Host = {
    os: "linux",
    env: (name) => env[name],
    readFile: (path) => {
      const text = files[path];
      return text === undefined
        ? Deno.readFile(path)
        : Promise.resolve(new TextEncoder().encode(text));
    },
  };
  return {
    host,
    clock: systemClock,
    random: seededRandom(1),
    readInput: () => Promise.resolve(new TextEncoder().encode(input)),
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    onInterrupt(callback) {
      listeners.add(callback);
      return { [Symbol.dispose]: () => void listeners.delete(callback) };
    },
    onFloatingRejection: () => ({ [Symbol.dispose]: () => {} }),
    importModule: (specifier) => import(specifier),
    exit: (code) => void exits.push(code),
    stdout: () => written.out,
    stderr: () => written.err,
    interrupt: (interrupt) => {
      for (const listener of [...listeners]) listener(interrupt);
    },
    exits,
  };
}
