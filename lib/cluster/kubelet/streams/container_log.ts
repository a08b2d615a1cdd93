// Mirrors `kubelet/kuberuntime/logs/logs.go, ReadLogs`.
import { type Clock, delay } from "@xca/apimachinery/base";
import { booleanParameter } from "@xca/apimachinery/internal/values";
import type { Client } from "../../../client/typed/client.ts";
import type { ReadPod } from "../../pods/pod_state.ts";
import type { ContainerScript } from "../container_script.ts";
import type { ScriptOf } from "../pod_scripts.ts";
import { linesBetween, nextLineMs, type RunTime, type WrittenLine } from "./log_lines.ts";
import { loggedState, podNamed } from "./target_container.ts";

/**
 * The longest interval at which the kubelet's server reads a pod whose log is followed, to find the
 * end of the container run, in milliseconds.
 */
const LOOK_MS = 1000;

/**
 * The dependencies of the functions that read logs from the simulated kubelet: the client that
 * reads pods, the clock, and the scripts of the containers.
 */
export interface LogSource {
  readonly client: Client;
  readonly clock: Clock;
  /** Returns the function that finds the scripts of a pod's containers by container name. */
  readonly scriptsOf: (pod: ReadPod) => ScriptOf;
}

/**
 * A request for the log of a container, with its query parameters and the signal that aborts it.
 */
export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
}

/**
 * Returns the log of a container as a stream that is produced on demand.
 *
 * @throws {KubeletError} When the pod or the container does not exist, or the container has no log.
 */
export async function containerLog(
  source: LogSource,
  request: LogRequest,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { client } = source;
  const pod = await podNamed(client, request.namespace, request.pod);
  const previous = booleanParameter(request.query, "previous") ?? false;
  const run = runOf(source, pod, request.container, previous);
  const chunks = limited(chunksOf(source, request, pod, run), limitOf(request.query));
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void await chunks.return(undefined),
  });
}

/** The run of a container, from a start to an exit, whose log is read. */
interface LoggedRun extends RunTime {
  readonly logs: ContainerScript["logs"];
  /**
   * Reports whether the container was running when the pod was read, so that its log can be
   * followed.
   */
  readonly isRunning: boolean;
}

function runOf(
  { scriptsOf }: LogSource,
  pod: ReadPod,
  container: string,
  previous: boolean,
): LoggedRun {
  const { running, terminated } = loggedState(pod, container, previous);
  const { logs, runMs = Infinity } = scriptsOf(pod)(container);
  const startedMs = Date.parse(running?.startedAt ?? terminated?.startedAt ?? "");
  const endMs = endOf(startedMs + runMs, terminated?.finishedAt);
  return { logs, startedMs, endMs, isRunning: running !== undefined };
}

/**
 * Returns the end of a container run, in milliseconds since the epoch: the scripted end, unless the
 * container terminated earlier. `finishedAt` lacks the fraction of the second, in which lines may
 * be written.
 */
function endOf(scriptedMs: number, finishedAt: string | undefined): number {
  if (finishedAt === undefined) return scriptedMs;
  const finishedMs = Date.parse(finishedAt);
  return scriptedMs < finishedMs + 1000 ? scriptedMs : finishedMs;
}

/**
 * Yields the log of a container run: of the lines so far those that the parameters `tailLines` and
 * `sinceTime` or `sinceSeconds` select, and later ones when the log is followed.
 */
async function* chunksOf(
  source: LogSource,
  request: LogRequest,
  pod: ReadPod,
  run: LoggedRun,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const { query } = request;
  let seenMs = source.clock.now().getTime();
  const all = linesBetween(run.logs, run, -Infinity, seenMs);
  const tail = query.get("tailLines");
  const last = tail === null ? all : all.slice(Math.max(0, all.length - Number(tail)));
  const sinceMs = sinceOf(query, seenMs);
  const first = textOf(last.filter(({ atMs }) => atMs >= sinceMs), query);
  if (first.byteLength > 0) yield first;
  if (!booleanParameter(query, "follow") || !run.isRunning) return;
  for await (const [fromMs, untilMs] of spans(source, request, pod, run, seenMs)) {
    const text = textOf(linesBetween(run.logs, run, fromMs, untilMs), query);
    seenMs = untilMs;
    if (text.byteLength > 0) yield text;
  }
}

/**
 * Yields consecutive time spans, in milliseconds since the epoch, until the followed container run
 * ends or the request is aborted. Each span ends at the next log line, or after a second.
 */
async function* spans(
  { client, clock }: LogSource,
  { namespace, pod: name, container, signal }: LogRequest,
  pod: ReadPod,
  run: LoggedRun,
  startMs: number,
): AsyncGenerator<[number, number]> {
  let seenMs = startMs;
  while (!signal.aborted) {
    const waitMs = Math.min(LOOK_MS, Math.max(0, nextLineMs(run.logs, run, seenMs) - seenMs));
    const isOver = await delay(waitMs, { clock, signal }).then(() => false, () => true);
    if (isOver) return;
    const nowMs = clock.now().getTime();
    yield [seenMs, nowMs];
    seenMs = nowMs;
    if (nowMs >= run.endMs || !await isOn(client, namespace, name, pod, container, run)) return;
  }
}

/** Reports whether the container run whose log is followed continues. */
async function isOn(
  client: Client,
  namespace: string,
  name: string,
  pod: ReadPod,
  container: string,
  { startedMs }: RunTime,
): Promise<boolean> {
  const now = await podNamed(client, namespace, name).catch(() => undefined);
  if (now?.metadata.uid !== pod.metadata.uid || !now) return false;
  const { running } = loggedState(now, container, false);
  return running !== undefined && Date.parse(running.startedAt ?? "") === startedMs;
}

function textOf(lines: readonly WrittenLine[], query: URLSearchParams): Uint8Array<ArrayBuffer> {
  const stamps = booleanParameter(query, "timestamps");
  const stream = (query.get("stream") ?? "All").toLowerCase();
  const text = lines
    .filter((line) => stream === "all" || line.stream === stream)
    .map(({ atMs, text }) => `${stamps ? `${stampOf(atMs)} ` : ""}${text}\n`)
    .join("");
  return new TextEncoder().encode(text);
}

/**
 * Returns a time in milliseconds since the epoch as kubelets print it before a log line, with
 * nanoseconds: `2026-01-31T12:00:00.000000000Z`.
 */
function stampOf(atMs: number): string {
  return new Date(atMs).toISOString().replace("Z", "000000Z");
}

function sinceOf(query: URLSearchParams, nowMs: number): number {
  const seconds = query.get("sinceSeconds");
  if (seconds !== null) return nowMs - Number(seconds) * 1000;
  const time = query.get("sinceTime");
  return time === null ? -Infinity : Date.parse(time);
}

function limitOf(query: URLSearchParams): number {
  const limit = query.get("limitBytes");
  return limit === null ? Infinity : Number(limit);
}

async function* limited(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, undefined>,
  limit: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let left = limit;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, Math.min(left, chunk.byteLength));
    left -= chunk.byteLength;
    if (left <= 0) return;
  }
}
