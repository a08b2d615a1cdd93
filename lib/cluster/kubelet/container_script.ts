import type { ReadPod } from "../pods/pod_state.ts";

/**
 * The behaviour of a simulated container. Without a script a container starts at once, is ready at
 * once, and runs until its pod is deleted; init containers other than sidecars, and the containers
 * of a Job, exit at once with exit code 0.
 *
 * Times count from whole seconds, since a pod's status has no finer ones: a container that runs for
 * 5000 ms ends after four to five seconds.
 */
export interface ContainerScript {
  /**
   * The duration of the image pull before the container's first start, in milliseconds.
   *
   * @default {0}
   */
  readonly pullMs?: number;
  /**
   * The availability of the container's image; a container with a missing image waits with the
   * reason `ImagePullBackOff` for ever. @default {"present"}
   */
  readonly image?: "present" | "missing";
  /**
   * The time from the start of the container until it is ready, in milliseconds; `"never"` for a
   * container that never becomes ready.
   *
   * @default {0}
   */
  readonly readyAfterMs?: number | "never";
  /**
   * The time from the start of the container until it exits, in milliseconds.
   *
   * @default {never; 0 for init containers, sidecars apart, and for the containers of a Job}
   */
  readonly runMs?: number;
  /**
   * The exit code of the container. A script that sets an exit code for a container that never
   * exits is invalid.
   *
   * @default {0, or 137 when the container is out of memory}
   */
  readonly exitCode?: number;
  /**
   * Sets whether the container exits because it is out of memory, with reason `OOMKilled`. A script
   * that sets this field for a container that never exits is invalid.
   *
   * @default {false}
   */
  readonly outOfMemory?: boolean;
  /**
   * The time that the container takes to stop when its pod is deleted, in milliseconds; at most the
   * grace period of the pod. Without effect on init containers, sidecars included.
   *
   * @default {0}
   */
  readonly stopMs?: number;
  /**
   * The lines that the container writes to its log, with their times since its start; each restart
   * begins at the first line.
   *
   * @default {[]}
   */
  readonly logs?: readonly LogEntry[];
  /**
   * The CPU usage of the simulated container in CPUs (not its request or limit): one quantity, or
   * quantities that change over time.
   *
   * @default {"1m"}
   */
  readonly cpu?: UsageScript;
  /**
   * The memory usage of the simulated container in bytes (not its request or limit): one quantity,
   * or quantities that change over time.
   *
   * @default {"8Mi"}
   */
  readonly memory?: UsageScript;
}

/**
 * The scripted usage of a resource by a container: one quantity, or quantities that apply from
 * given times after the container's start, in ascending order of these times. Before the first time
 * the default usage applies.
 */
export type UsageScript =
  | string
  | readonly {
    /**
     * The time after the start of the container from which the quantity applies, in milliseconds.
     */
    readonly afterMs: number;
    /** The CPU or memory usage of the simulated container from then on, as a quantity: `250m`. */
    readonly value: string;
  }[];

/**
 * A scripted entry of a container's log: a line, or a line with the times at which it is written.
 */
export type LogEntry = string | {
  /** The text of the log line, without a line end. */
  readonly text: string;
  /**
   * The time from the start of the container until the line is written, in milliseconds.
   *
   * @default {0}
   */
  readonly afterMs?: number;
  /**
   * The interval at which the log line is repeated until the container exits, in milliseconds.
   *
   * @default {never}
   */
  readonly everyMs?: number;
  /** The output stream that the line is written to. @default {"stdout"} */
  readonly stream?: "stdout" | "stderr";
};

/**
 * A function that returns the script of a pod's container, for tests. A returned script takes
 * precedence over the script of the pod's annotation, which applies for `undefined`.
 */
export type PodScripter = (
  pod: ReadPod,
  container: string,
) => ContainerScript | undefined;
