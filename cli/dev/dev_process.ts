import { TextLineStream } from "./text_lines.ts";
import { type Clock, delay } from "@xca/apimachinery/base";
import type { DevProcess } from "./dev_loop.ts";
import { type DevMessage, GO, parseMessage } from "./messages.ts";

/** The time that a stopped operator has to end, in milliseconds; then its process is killed. */
const STOP_MS = 15_000;

/** Options of {@linkcode startProcess}, which starts the process of an operator. */
export interface StartProcessOptions {
  /** The command-line arguments of the `deno` command that starts the operator process. */
  readonly args: readonly string[];
  /** The working folder of the operator process. */
  readonly folder: string;
  /** The clock of the time limit for stopping the process. */
  readonly clock: Clock;
  /**
   * The signal that ends the standard input of the operator process, at which the process stops.
   */
  readonly signal: AbortSignal;
  /** Prints a line that the operator process sends for the user. */
  readonly say: (line: string) => void;
  /**
   * Writes the standard output of the operator process, without its messages to `kubectl xca dev`.
   */
  readonly out: (text: string) => void;
}

/**
 * Starts the process of an operator, which loads the operator and then waits for {@linkcode
 * DevProcess.proceed}.
 */
export function startProcess(options: StartProcessOptions): DevProcess {
  const { args, folder, clock, signal, say, out } = options;
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  // The operator process ends when its standard input ends.
  const close = (): Promise<void> => input.close().catch(() => {});
  signal.addEventListener("abort", close, { once: true });
  const loaded = Promise.withResolvers<string | undefined>();
  const running = Promise.withResolvers<boolean>();
  let failure: string | undefined;
  const take = (message: DevMessage): void => {
    if (message.type === "loaded") loaded.resolve(undefined);
    else if (message.type === "running") running.resolve(true);
    else if (message.type === "said") say(message.line);
    else loaded.resolve(failure = message.reason);
  };
  const reading = (async () => {
    for await (const line of child.stdout.pipeThrough(new TextLineStream())) {
      const message = parseMessage(line);
      if (message) take(message);
      else out(`${line}\n`);
    }
  })();
  let isStopped = false;
  const ended = (async () => {
    const [{ code, signal: killed }] = await Promise.all([child.status, reading]);
    signal.removeEventListener("abort", close);
    await close();
    const reason = failure ?? (code === 0 ? undefined : `it ended with ${killed ?? code}`);
    loaded.resolve(reason ?? "it ended before it was loaded");
    running.resolve(false);
    return isStopped || signal.aborted ? undefined : reason;
  })();
  return {
    loaded: loaded.promise,
    ended,
    proceed: async () => {
      await input.write(new TextEncoder().encode(`${GO}\n`)).catch(() => {});
      return await running.promise;
    },
    stop: async () => {
      isStopped = true;
      await close();
      const waiting = new AbortController();
      const late = delay(STOP_MS, { clock, signal: waiting.signal }).then(
        () => child.kill("SIGKILL"),
        () => {},
      );
      await ended;
      waiting.abort();
      await late;
    },
  };
}
