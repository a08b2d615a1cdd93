import { errorText } from "@xca/apimachinery/base";

/** The operator of the sources as they were at one save, in a process of its own. */
export interface DevProcess {
  /**
   * Resolves when the process has loaded the operator: with `undefined`, or with the reason why it
   * cannot. A loaded operator does nothing before {@linkcode DevProcess.proceed}.
   */
  readonly loaded: Promise<string | undefined>;
  /** Resolves when the process has ended: with the reason, or with `undefined` when it was stopped. */
  readonly ended: Promise<string | undefined>;
  /** Lets the loaded operator begin. Resolves with true when it runs, with false when it has ended. */
  proceed(): Promise<boolean>;
  /** Stops the operator, and resolves when the process has ended. */
  stop(): Promise<void>;
}

/** The surroundings of {@linkcode devLoop}. */
export interface DevPorts {
  /** Starts a process for the sources of now. */
  start(): DevProcess;
  /** The paths that were saved, in batches; it ends with the loop. */
  readonly saves: AsyncIterable<readonly string[]>;
  /** Prints a line about a start or restart. */
  say(line: string): void;
}

/**
 * Runs the operator of a project, and after each save that of the new sources, until `saves` ends.
 *
 * The new operator is loaded while the old one still runs, and takes over only when that succeeded: after
 * a save that does not load, the operator of the last good one continues.
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

/** The operator that runs, and the one that replaces it. */
class DevLoop {
  readonly #ports: DevPorts;
  #running: DevProcess | undefined;

  constructor(ports: DevPorts) {
    this.#ports = ports;
  }

  /** Replaces the operator by that of the sources of now. */
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

  /** Stops the operator. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }
}

/** The maximum number of saved files that a line of the output names. */
const NAMED = 3;

function changed(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED).join(", ");
  const more = paths.length - NAMED;
  return more > 0 ? `${named} and ${more} more changed` : `${named} changed`;
}
