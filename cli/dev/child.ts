import { getLogger } from "@logtape/logtape";
import { errorText, startLogging } from "@xca/apimachinery/base";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { type Client, type ClientConfig, loadConfig } from "../../lib/client/mod.ts";
import { type Operator, runtimeOf } from "../../lib/controller/mod.ts";
import { managerOf } from "../commands/run_manager.ts";
import { type RunWebhooks, runWebhooks } from "../commands/run_webhooks.ts";
import type { CliContext } from "../context.ts";
import { ExitCode } from "../exit_code.ts";
import { configOverrides, type GlobalFlags } from "../global_flags.ts";
import { loadOperator } from "../module/operator_module.ts";
import { logUnheardErrors } from "../module/unheard_errors.ts";
import { installDefinitions, withFormerConversions } from "./dev_definitions.ts";
import { type DevMessage, GO, messageLine } from "./messages.ts";
import { quietLog } from "./quiet_log.ts";
import { TextLineStream } from "./text_lines.ts";

/** The flags that `kubectl xca dev` passes to the operator process. */
export interface ChildFlags extends GlobalFlags {
  /**
   * The host name by which the API server calls the webhooks; absent when the API server cannot
   * reach them.
   */
  readonly webhookHost?: string | undefined;
}

/**
 * Runs the operator of a module for `kubectl xca dev`, in a separate process: loads the operator,
 * waits for the line on standard input that starts it, and ends at the end of standard input, so
 * that the process never outlives the command. Writes its progress to standard output, as lines of
 * {@linkcode DevMessage}. Returns exit code 1 if the operator cannot be loaded or fails, 0 if it
 * was stopped.
 */
export async function runDevChild(
  module: string,
  flags: ChildFlags,
  context: CliContext,
): Promise<ExitCode> {
  const tell = (message: DevMessage): void => context.out(messageLine(message));
  const stop = new AbortController();
  using _interrupts = context.onInterrupt(() => stop.abort()); // Ctrl-C reaches all processes.
  await using _logging = await startLogging({
    verbosity: flags.v ?? 0,
    format: flags.logFormat === "json" ? "json" : "text",
    write: flags.v ? context.err : quietLog(context.err),
  });
  using _unheard = logUnheardErrors(module, context);
  try {
    const operator = await loadOperator(module, context);
    tell({ type: "loaded" });
    if (!await begins(stop)) return ExitCode.ok;
    await runOperator(operator, flags, { context, tell, signal: stop.signal });
  } catch (error) {
    if (stop.signal.aborted) return ExitCode.ok;
    tell({ type: "failed", reason: errorText(error) });
    return ExitCode.notSo;
  }
  return ExitCode.ok;
}

/**
 * Resolves with true when the first line on standard input is {@linkcode GO}, with false for
 * another line or the end of standard input, and if `stop` is aborted by then; the end of standard
 * input after the line aborts `stop`.
 */
async function begins(stop: AbortController): Promise<boolean> {
  const lines = Deno.stdin.readable.pipeThrough(new TextLineStream()).getReader();
  const { value } = await lines.read();
  void (async () => {
    while (!(await lines.read()).done);
    stop.abort();
  })().catch(() => stop.abort());
  return value === GO && !stop.signal.aborted;
}

/** The dependencies of running an operator in the process that `kubectl xca dev` starts. */
interface Surroundings {
  readonly context: CliContext;
  readonly tell: (message: DevMessage) => void;
  readonly signal: AbortSignal;
}

async function runOperator(
  operator: Operator,
  flags: ChildFlags,
  { context, tell, signal }: Surroundings,
): Promise<void> {
  const { clock, random } = context;
  const config: ClientConfig = await loadConfig(configOverrides(flags), context.host);
  const found = await runtimeOf(operator);
  using client = found.runtime.createClient(config, { clock, random });
  const say = (line: string): void => tell({ type: "said", line });
  const definitions = operator.crds as unknown as readonly V1CustomResourceDefinition[];
  const { webhookHost } = flags;
  const served = webhookHost !== undefined
    ? await runWebhooks(
      operator,
      { client, flags: { webhookHost, webhookPort: 0 }, metrics: undefined, signal },
      context,
    )
    : undefined;
  await using webhooks = served;
  if (!webhooks && await hasWebhooks(operator)) {
    say(
      "no webhooks: the API server cannot call this machine; give an address that it reaches by --webhook-host",
    );
  }
  const crds = (webhooks?.crds ?? definitions) as unknown as readonly V1CustomResourceDefinition[];
  const former = await installDefinitions(client, crds, { clock, signal, say });
  await webhooks?.configure();
  try {
    await managed(operator, flags, { client, found, webhooks, context, tell, signal });
  } finally {
    const converted = definitions.filter((each) => !crds.includes(each));
    await restoreConversions(client, withFormerConversions(converted, former), context);
  }
}

/** Reports whether an operator has webhooks or conversions that the API server calls. */
async function hasWebhooks(operator: Operator): Promise<boolean> {
  const { conversionsOf } = await import("../../lib/webhook/mod.ts");
  const isRegistered = operator.webhooks.some(({ registrations }) => registrations.length > 0);
  return isRegistered || conversionsOf(operator).length > 0;
}

async function managed(
  operator: Operator,
  flags: ChildFlags,
  { client, found, webhooks, context, tell, signal }: Surroundings & {
    readonly client: Client;
    readonly found: Awaited<ReturnType<typeof runtimeOf>>;
    readonly webhooks: RunWebhooks | undefined;
  },
): Promise<void> {
  const { namespaces } = flags;
  const { manager } = managerOf(
    operator,
    { client, found, metrics: undefined, namespaces, flags: {} },
    context,
  );
  webhooks?.addTo(manager);
  const running = manager.start({ signal });
  await Promise.race([running.started, running.done]);
  if (!signal.aborted) tell({ type: "running" });
  await running.done;
}

/**
 * The time limit for restoring the conversion settings of CustomResourceDefinitions, in
 * milliseconds.
 */
const REMOVAL_MS = 5_000;

/**
 * Installs CustomResourceDefinitions with their earlier conversion settings, since the conversion
 * webhook on this machine stops. A failure is only logged.
 */
async function restoreConversions(
  client: Client,
  definitions: readonly V1CustomResourceDefinition[],
  { clock }: CliContext,
): Promise<void> {
  if (definitions.length === 0) return;
  const signal = AbortSignal.timeout(REMOVAL_MS);
  await installDefinitions(client, definitions, { clock, signal, say: () => {} }).catch((error) =>
    getLogger("xca").warn("Cannot restore the conversions of the definitions: {reason}", {
      reason: errorText(error),
    })
  );
}
