import type { Client } from "../../../lib/client/typed/client.ts";
import type { ClusterRun } from "../../../lib/project/deploy/cluster_run.ts";
import { FakeClock } from "../../../lib/testing/fake_clock.ts";

/** The run of a deployment command with its clock and its steps, such as `configmap/a deleted`. */
export interface RecordedRun {
  readonly run: ClusterRun;
  readonly clock: FakeClock;
  readonly steps: string[];
}

/** Returns a run of a deployment command that records its steps and is not aborted. */
export function recordedRun(client: Client): RecordedRun {
  const clock = new FakeClock();
  const steps: string[] = [];
  const { signal } = new AbortController();
  const onStep: ClusterRun["onStep"] = ({ object, action }) => steps.push(`${object} ${action}`);
  return { run: { client, clock, signal, onStep }, clock, steps };
}
