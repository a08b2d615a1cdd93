import { errorText } from "@xca/apimachinery/base";

/**
 * Options for {@linkcode GuardedProcess.create}: the program, which cannot outlive this process,
 * and its files.
 */
export interface GuardedProcessOptions {
  /** The path of the guarded program. */
  readonly program: string;
  /** The command line arguments of the guarded program. */
  readonly args: readonly string[];
  /** The file to which the program's output is appended. */
  readonly logFile: string;
  /**
   * The folder that the guard removes, with its contents, when this process dies without having
   * disposed the guard.
   */
  readonly removeOnOrphan: string;
}

/**
 * The shell script of the guard process. The script reads commands from a pipe of this process, one
 * per line, and answers each with a line. When the pipe closes without the command `exit`, it kills
 * the program, waits for its end and removes the folder. Several guards may share a folder: each
 * removes it after the end of its own program, so that no program writes there when the last one
 * does.
 *
 * `jobs` makes every shell notice ended programs; `kill -0` alone would find a zombie. A stop takes
 * effect only when a thread of the program runs, so a stopped program on a busy machine may answer
 * for a while.
 */
const GUARD = `
log=$1; folder=$2; shift 2
exec 3<&0 4>&1 >/dev/null 2>&1
program=
finish() { [ "$program" ] && kill -KILL "$program"; wait; program=; }
stop() {
  kill -STOP "$program"
  while state=$(ps -o stat= -p "$program"); do
    case $state in [TZ]*) return ;; esac
  done
}
while read -r command <&3; do
  case $command in
  start) "$@" </dev/null >>"$log" 2>&1 3<&- 4>&- & program=$!; answer=$program ;;
  poll) jobs; [ "$program" ] && kill -0 "$program" || program=; answer=$program ;;
  kill) finish; answer= ;;
  STOP) [ "$program" ] && stop; answer= ;;
  exit) finish; exit 0 ;;
  *) [ "$program" ] && kill "-$command" "$program"; answer= ;;
  esac
  echo "$answer" >&4
done
finish
rm -rf "$folder"
`;

/**
 * A child process that cannot outlive this process: a small shell, the guard, is its parent and
 * kills it when this process is gone, even by SIGKILL.
 *
 * The program can be started several times under one guard. No operation is pending between calls,
 * so a test may restart a program that was started outside of it. The guard has its own session, so
 * that Ctrl-C in a terminal reaches this process only; the guard does not keep this process alive.
 */
export class GuardedProcess implements AsyncDisposable {
  readonly #name: string;
  readonly #guard: Deno.ChildProcess;
  readonly #commands: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers: ReadableStreamDefaultReader<Uint8Array>;
  #last: Promise<unknown> = Promise.resolve();
  #pid: number | undefined;
  #disposed = false;

  private constructor(name: string, guard: Deno.ChildProcess) {
    this.#name = name;
    this.#guard = guard;
    this.#commands = guard.stdin.getWriter();
    this.#answers = guard.stdout.getReader();
    guard.unref();
  }

  /**
   * Creates the guard process without starting the guarded program.
   *
   * @throws {Error} When the shell (`/bin/sh`) cannot be started.
   */
  static create(options: GuardedProcessOptions): GuardedProcess {
    const { program, args, logFile, removeOnOrphan } = options;
    const name = program.slice(program.lastIndexOf("/") + 1);
    try {
      const guard = new Deno.Command("/bin/sh", {
        args: ["-c", GUARD, "guard", logFile, removeOnOrphan, program, ...args],
        stdin: "piped",
        stdout: "piped",
        stderr: "null",
        detached: true,
      }).spawn();
      return new GuardedProcess(name, guard);
    } catch (cause) {
      throw new Error(`Cannot guard ${name}: ${errorText(cause)}`, { cause });
    }
  }

  /**
   * The process id of the guarded program; `undefined` before its start, and once it was killed or
   * {@linkcode running} saw its end.
   */
  get pid(): number | undefined {
    return this.#pid;
  }

  /**
   * Starts the guarded program, for the first time or again after its end. A program that cannot be
   * executed ends at once, with the reason in the log file.
   *
   * @throws {Error} When the program is running, or the guard is gone.
   */
  async start(): Promise<void> {
    if (await this.running()) throw new Error(`Cannot start ${this.#name}: it already runs`);
    this.#pid = Number(await this.#ask("start"));
  }

  /**
   * Reports whether the guarded program is running; a paused program (SIGSTOP) counts as running.
   */
  async running(): Promise<boolean> {
    const answer = await this.#ask("poll");
    if (answer === "") this.#pid = undefined;
    return answer !== "";
  }

  /**
   * Sends a signal to the guarded program if it is running. After `STOP` it waits until the program
   * has stopped, if `ps` can report that.
   */
  async signal(signal: "TERM" | "STOP" | "CONT"): Promise<void> {
    await this.#ask(signal);
  }

  /**
   * Kills the guarded program with SIGKILL and waits for its end; does nothing if it is not
   * running.
   */
  async kill(): Promise<void> {
    await this.#ask("kill");
    this.#pid = undefined;
  }

  /**
   * Kills the guarded program and ends the guard process, and waits for both; the program's folder
   * is kept.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.#ask("exit").catch(() => {});
    this.#guard.ref();
    await this.#guard.status;
    await this.#answers.cancel();
    await this.#commands.close().catch(() => {});
    this.#pid = undefined;
  }

  /**
   * Sends a command to the guard after the responses to all earlier commands, and resolves to the
   * response.
   */
  #ask(command: string): Promise<string> {
    const answer = this.#last.then(() => this.#exchange(command));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #exchange(command: string): Promise<string> {
    let text = "";
    this.#guard.ref();
    try {
      await this.#commands.write(new TextEncoder().encode(`${command}\n`));
      while (!text.endsWith("\n")) {
        const { value, done } = await this.#answers.read();
        if (done) throw new Error("its guard has ended");
        text += new TextDecoder().decode(value);
      }
    } catch (cause) {
      throw new Error(`Cannot ${command} ${this.#name}: ${errorText(cause)}`, { cause });
    } finally {
      this.#guard.unref();
    }
    return text.trim();
  }
}
