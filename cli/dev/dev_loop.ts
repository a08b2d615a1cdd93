import { errorText } from "@xca/apimachinery/base";

/**
 * An operator process, started from the sources of one save, which loads the operator and then
 * waits.
 */
export interface DevProcess {
  /**
   * Resolves when the operator process has loaded the operator: with `undefined`, or with the
   * reason why the operator cannot be loaded. A loaded operator does nothing before {@linkcode
   * DevProcess.proceed}.
   */
  readonly loaded: Promise<string | undefined>;
  /**
   * Resolves when the operator process has ended: with the reason, or with `undefined` when it was
   * stopped or ended without an error.
   */
  readonly ended: Promise<string | undefined>;
  /**
   * Lets the loaded operator start. Resolves with true when the operator runs, with false when its
   * process has ended.
   */
  proceed(): Promise<boolean>;
  /** Stops the operator process, even while it loads; resolves when the process has ended. */
  stop(): Promise<void>;
}

/** The dependencies of {@linkcode devLoop}, which restarts an operator process after each save. */
export interface DevPorts {
  /** Starts an operator process from the present sources. */
  start(): DevProcess;
  /**
   * The paths of the project files that were saved, in batches; the loop ends when the iteration
   * ends.
   */
  readonly saves: AsyncIterable<readonly string[]>;
  /** Prints a line about a start, a restart, a failure or the end of the operator. */
  say(line: string): void;
}

/**
 * Runs the operator of a project, and after each save that of the new sources, until `saves` ends
 * or throws; then stops the operator.
 *
 * The new operator is loaded while the old one still runs, and replaces it only after it was
 * loaded: after a save that does not load, the operator of the last good one continues.
 */
export async function devLoop(ports: DevPorts): Promise<void> {
  const loop = new DevLoop(ports);
  try {
    await loop.take([]);
    for await (const paths of ports.saves) await loop.take(paths);
  } finally {
    await loop.stop();
  }
}

/** A loop that runs one operator process, and replaces the process after a save. */
class DevLoop {
  readonly #ports: DevPorts;
  #running: DevProcess | undefined;

  constructor(ports: DevPorts) {
    this.#ports = ports;
  }

  /**
   * Replaces the operator process by one from the present sources; keeps the old process if the
   * sources cannot be loaded. `paths` are the saved files.
   */
  async take(paths: readonly string[]): Promise<void> {
    const { start, say } = this.#ports;
    const what = paths.length === 0 ? "" : `${changed(paths)}: `;
    const next = start();
    const problem = await next.loaded.catch(errorText);
    if (problem !== undefined) {
      await next.stop();
      const kept = this.#running
        ? "the operator of the last good save continues"
        : "save a file to try again";
      say(`${what}${problem}; ${kept}`);
      return;
    }
    const old = this.#running;
    this.#running = undefined;
    await old?.stop();
    this.#running = next;
    const runs = await next.proceed();
    if (runs) say(`${what}${old ? "restarted" : "started"}`);
    void next.ended.then((reason) => {
      if (this.#running !== next) return; // It was stopped.
      this.#running = undefined;
      const why = reason === undefined ? "" : `: ${reason}`;
      say(`${runs ? "" : what}the operator has ended${why}; save a file to start it again`);
    });
  }

  /** Stops the operator process. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }
}

/** The maximum number of saved files that an output line names. */
const NAMED = 3;

function changed(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED).join(", ");
  const more = paths.length - NAMED;
  return more > 0 ? `${named} and ${more} more changed` : `${named} changed`;
}
