import { type Client, isNotFound, podPortForward, UnreachableError } from "../../lib/client/mod.ts";
import { formatKey, type KubeObject, Lease, Pod } from "@xca/apimachinery/meta";
import type { CliContext } from "../context.ts";
import { type DebugReport, NoReportError, readReport } from "./debug_report.ts";
import { webhookRefusals } from "./webhook_refusals.ts";

/** Options of {@linkcode reportOfPod}, which reads the `/debug` report of an operator's pod. */
export interface OperatorPodOptions {
  /** The namespace of the operator's Lease and pods. */
  readonly namespace: string;
  /**
   * The name of the operator's Lease, whose holder is the pod; `undefined` to use the selector
   * alone.
   */
  readonly lease: string | undefined;
  /** The label selector of the operator's pods; `undefined` to use the Lease alone. */
  readonly selector: string | undefined;
  /** The port of the pod's metrics server. */
  readonly port: number;
  /** Sets whether the pod's metrics server is called with TLS, with its certificate unverified. */
  readonly isSecure: boolean;
  /** The bearer token for the pod's metrics server; `undefined` for none. */
  readonly token: string | undefined;
}

/** The `/debug` report of an operator's pod; the result of {@linkcode reportOfPod}. */
export interface PodReport {
  /** The `/debug` report that the operator's pod sent. */
  readonly report: DebugReport;
  /** The name of the pod that sent the `/debug` report. */
  readonly pod: string;
  /** The messages about the pods that were asked before and sent no report. */
  readonly failures: readonly string[];
}

/**
 * Reads the `/debug` report of an operator's pod through a port-forward. The pod is the one that
 * the holder identity of the Lease names, if it matches the selector; otherwise, of the pods that
 * match the selector, the one that leads, or the first one with a report if none leads. A pod that
 * sends no report does not end the search.
 *
 * @throws {NoReportError} When no such pod runs, the Lease is missing or has no holder, or no pod
 * sends a report and the metrics server of at least one answers.
 * @throws {UnreachableError} When no metrics server of the pods answers.
 */
export async function reportOfPod(
  client: Client,
  key: string,
  options: OperatorPodOptions,
  context: CliContext,
): Promise<PodReport> {
  const failures: (NoReportError | UnreachableError)[] = [];
  let found: Omit<PodReport, "failures"> | undefined;
  for (const pod of await podsOf(client, options)) {
    try {
      const report = await reportThrough(client, { pod, key }, options, context);
      if (!found || report.lease.leads) found = { report, pod };
      if (report.lease.leads) break;
    } catch (error) {
      if (!(error instanceof NoReportError || error instanceof UnreachableError)) throw error;
      failures.push(error);
    }
  }
  if (found) return { ...found, failures: failures.map(({ message }) => message) };
  throw failures.find((error) => error instanceof NoReportError) ?? failures[0];
}

/** Reads the `/debug` report of one pod through a port-forward; throws as {@linkcode readReport}. */
async function reportThrough(
  client: Client,
  { pod, key }: { readonly pod: string; readonly key: string },
  { namespace, port, token, isSecure }: OperatorPodOptions,
  context: CliContext,
): Promise<DebugReport> {
  const name = formatKey({ namespace, name: pod });
  let failure: unknown;
  await using forward = await podPortForward(client, name, {
    port,
    clock: context.clock,
    onError: (error) => void (failure = error),
  });
  const scheme = isSecure ? "https" : "http";
  const url = `${scheme}://${forward.hostname}:${forward.port}`;
  const through = { pod: name, port, failure: () => failure };
  return await readReport({ url, token, forward: through }, key, context);
}

/**
 * Returns the names of the running operator pods whose `/debug` report is requested: only the
 * leader, if the Lease names one that matches the selector, otherwise all that match the selector.
 */
async function podsOf(client: Client, options: OperatorPodOptions): Promise<string[]> {
  const { namespace, lease, selector } = options;
  const holder = lease === undefined ? undefined : await holderOf(client, namespace, lease);
  const labelSelector = selector === undefined ? {} : { labelSelector: selector };
  const { items } = await client.list(Pod, { namespace, ...labelSelector });
  const running = items.filter(isRunning).map(({ metadata }) => metadata.name!);
  const byIdentity = running.find((name) => holder === name || holder?.startsWith(`${name}_`));
  if (byIdentity !== undefined) return [byIdentity];
  if (selector !== undefined && running.length > 0) return running;
  if (selector !== undefined) {
    const pods = `no pod of namespace ${namespace} with the labels ${selector} runs`;
    throw new NoReportError([pods, ...await webhookRefusals(client, namespace)].join("; "));
  }
  throw new NoReportError(
    `the holder ${holder} of Lease ${namespace}/${lease} names no pod that runs there: give the labels ` +
      "of the operator's pods by -l, or its metrics server by --url",
  );
}

function isRunning(pod: KubeObject): boolean {
  const { status } = pod as { readonly status?: { readonly phase?: string } };
  return status?.phase === "Running" && pod.metadata.deletionTimestamp === undefined;
}

async function holderOf(client: Client, namespace: string, name: string): Promise<string> {
  try {
    const { spec } = await client.get(Lease, formatKey({ namespace, name }));
    if (spec?.holderIdentity) return spec.holderIdentity;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new NoReportError(
      `there is no Lease ${namespace}/${name}: the operator has never led, or its namespace is another ` +
        "(--operator-namespace)",
      { cause: error },
    );
  }
  const none =
    `no process holds the Lease ${namespace}/${name}, so no replica of the operator works`;
  const refusals = await webhookRefusals(client, namespace);
  const pods = `see its pods: kubectl get pods -n ${namespace}`;
  throw new NoReportError([none, ...refusals, pods].join("; "));
}
