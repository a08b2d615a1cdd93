import { errorText } from "../base/error_text.ts";

/** Options for {@linkcode GuardedProcess.start}. */
export interface GuardedProcessOptions {
  /** The program to run, as a path. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The file that collects its output; appended to. */
  readonly logFile: string;
  /** A folder to remove when this process dies while the program runs. */
  readonly removeOnOrphan: string;
}

/**
 * The guard holds a pipe from this process on its standard input. While the pipe is open it waits
 * for the program; once it closes, for whatever reason, it kills the program, waits until it is
 * gone and removes the folder. Several guards may share a folder: each removes it after its own
 * program ended, so the last of them finds nobody writing there.
 */
const GUARD = `
log=$1; folder=$2; shift 2
exec 3<&0
"$@" </dev/null >>"$log" 2>&1 3<&- &
program=$!
( read -r _ <&3; trap '' TERM; kill -KILL "$program"; exit 9 ) >/dev/null 2>&1 &
watcher=$!
echo "$program"
exec >/dev/null 2>&1
wait "$program"
status=$?
kill "$watcher"
wait "$watcher"
[ $? = 9 ] && rm -rf "$folder"
exit "$status"
`;

/**
 * A program that cannot outlive this process: a small shell between the two holds a pipe from here
 * and ends the program when the pipe closes, even when this process was killed with SIGKILL.
 *
 * It runs in a session of its own, so Ctrl-C in a terminal reaches this process alone. It does not
 * keep this process alive.
 */
export class GuardedProcess implements AsyncDisposable {
  /** The program's process id. Not to be used once {@linkcode GuardedProcess.ended} settled. */
  readonly pid: number;
  /** Settles when the program has ended, with its exit status (128 + n after signal n). */
  readonly ended: Promise<number>;
  readonly #guard: Deno.ChildProcess;
  #running = true;

  private constructor(pid: number, guard: Deno.ChildProcess) {
    this.pid = pid;
    this.#guard = guard;
    this.ended = guard.status.then((status) => {
      this.#running = false;
      return status.code;
    });
  }

  /** Whether the program still runs; a stopped (SIGSTOP) one counts as running. */
  get running(): boolean {
    return this.#running;
  }

  /**
   * Starts the program and its guard. A program that cannot be executed ends at once with status
   * 126 or 127 and its reason in the log file.
   *
   * @throws {Error} When the guard's shell (`/bin/sh`) cannot be started.
   */
  static async start(options: GuardedProcessOptions): Promise<GuardedProcess> {
    const { program, args, logFile, removeOnOrphan } = options;
    try {
      const guard = new Deno.Command("/bin/sh", {
        args: ["-c", GUARD, "guard", logFile, removeOnOrphan, program, ...args],
        stdin: "piped",
        stdout: "piped",
        stderr: "null",
        detached: true,
      }).spawn();
      const pid = Number(await new Response(guard.stdout).text());
      guard.unref();
      return new GuardedProcess(pid, guard);
    } catch (cause) {
      throw new Error(`Cannot start ${program}: ${errorText(cause)}`, { cause });
    }
  }

  /** Sends a signal to the program; does nothing once it has ended. */
  signal(signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): void {
    if (this.#running) Deno.kill(this.pid, signal);
  }

  /** Kills the program and settles when it is gone. */
  async kill(): Promise<void> {
    this.#guard.ref();
    this.signal("SIGKILL");
    await this.ended;
    if (!this.#guard.stdin.locked) await this.#guard.stdin.close().catch(() => {});
  }

  /** The same as {@linkcode GuardedProcess.kill}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
