import { listWatch, SharedInformer } from "../../../lib/cache/mod.ts";
import type { Client } from "../../../lib/client/mod.ts";
import type { Xca } from "../../../lib/xca/mod.ts";
import { xcaType } from "../../../lib/xca/xca_type.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { INTERRUPT_CODES } from "../../interruptible.ts";
import { documentText, withoutManagedFields } from "../../output/format.ts";
import { TableLayout } from "../../output/table.ts";
import { xcaHeader, xcaName, xcaRow } from "../../output/xca_table.ts";
import { listAll, noneFound } from "./xca_list.ts";
import type { StatusFlags } from "./status.ts";

/**
 * The argument of {@linkcode watchStatus}, which prints the status of Xca objects at each change.
 */
export interface WatchStatusInit {
  readonly client: Client;
  /** The namespace of the Xca objects to show; `undefined` for all. */
  readonly namespace: string | undefined;
  /** The names of the Xca objects to show; all when empty. */
  readonly names: readonly string[];
  readonly flags: StatusFlags;
  readonly context: CliContext;
}

/**
 * Runs `kubectl xca status --watch`: prints the table of Xca objects, then a row for each change,
 * until interrupted. An informer reads the objects, so that the command survives restarts of the
 * server and shows deletions that happened meanwhile. Returns the exit code of the interrupt.
 *
 * @throws {UsageError} When the server cannot parse the selector.
 * @throws {MissingResourceError} When the server does not serve the kind.
 */
export async function watchStatus(init: WatchStatusInit): Promise<ExitCode> {
  const { client, namespace, names, flags, context } = init;
  await listAll(client, namespace, flags.selector); // Throws if the cluster cannot be listed.
  const stop = new AbortController();
  let interrupted: ExitCode = ExitCode.interrupted;
  using _interrupts = context.onInterrupt((interrupt) => {
    interrupted = INTERRUPT_CODES[interrupt];
    stop.abort(interrupt);
  });
  const informer = new SharedInformer<Xca>({
    listerWatcher: listWatch(client, xcaType, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
      ...(names.length === 1 ? { fieldSelector: `metadata.name=${names[0]}` } : {}),
    }),
    type: xcaType,
    clock: context.clock,
    random: context.random,
  });
  const printer = new ChangePrinter(init);
  const registration = informer.addHandler({
    onAdd: (xca, { isInInitialList }) => printer.show(xca.read(), isInInitialList),
    onUpdate: (_old, xca) => printer.show(xca.read(), false),
    onDelete: (xca) => printer.show(xca.read(), false),
  });
  const running = informer.run(stop.signal);
  try {
    await registration.whenSynced(stop.signal);
    await printer.initialDone();
    for (const name of names) if (!printer.seen.has(name)) context.err(`${notFound(name)}\n`);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  await running;
  return interrupted;
}

/**
 * Returns kubectl's message for an object name that does not exist. The watch shows the object when
 * it is created.
 */
function notFound(name: string): string {
  return `Error from server (NotFound): ${xcaType.plural}.${xcaType.group} "${name}" not found`;
}

/**
 * A printer of Xca objects as they change: the initial objects sorted and together, later changes
 * at once.
 */
class ChangePrinter {
  readonly #init: WatchStatusInit;
  readonly #layout = new TableLayout();
  readonly #initial: Xca[] = [];
  /**
   * The names of the command line whose Xca objects `kubectl xca status --watch` has received so
   * far, deleted ones included; empty when the command line has no names.
   */
  readonly seen = new Set<string>();
  #headed = false;

  constructor(init: WatchStatusInit) {
    this.#init = init;
  }

  async show(xca: Xca, isInitial: boolean): Promise<void> {
    const { names } = this.#init;
    const { name = "" } = xca.metadata;
    if (names.length > 0) {
      if (!names.includes(name)) return;
      this.seen.add(name);
    }
    if (isInitial) this.#initial.push(xca);
    else await this.#print([xca]);
  }

  async initialDone(): Promise<void> {
    const place = (xca: Xca): string => `${xca.metadata.namespace}/${xca.metadata.name}`;
    this.#initial.sort((a, b) => place(a) < place(b) ? -1 : 1);
    const { flags, names, namespace, context } = this.#init;
    const quiet = flags.output === "json" || flags.output === "yaml" || flags.output === "name";
    if (this.#initial.length === 0 && names.length === 0 && !quiet) {
      context.err(`${noneFound(namespace)}\n`);
    }
    await this.#print(this.#initial.splice(0));
  }

  async #print(xcas: readonly Xca[]): Promise<void> {
    const { flags, context } = this.#init;
    const format = flags.output ?? "table";
    for (const xca of xcas) {
      if (format === "json") context.out(await documentText(withoutManagedFields(xca), format));
      else if (format === "yaml") {
        context.out(`---\n${await documentText(withoutManagedFields(xca), format)}`);
      } else if (format === "name") context.out(`${xcaName(xca)}\n`);
    }
    if ((format !== "table" && format !== "wide") || xcas.length === 0) return;
    const options = { namespaces: flags.allNamespaces ?? false, wide: format === "wide" };
    const now = context.clock.now();
    const rows = xcas.map((xca) => xcaRow(xca, options, now));
    const lines = this.#layout.lines(this.#headed ? rows : [xcaHeader(options), ...rows]);
    this.#headed = true;
    context.out(lines.map((line) => `${line}\n`).join(""));
  }
}
