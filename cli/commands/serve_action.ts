import { API_SERVER_CONTROLLERS, type ApiObject } from "@xca/apiserver";
import { shellWord } from "../arguments.ts";
import type { CliContext } from "../context.ts";
import { startEmbedded } from "../embedded/embedded_server.ts";
import type { ExitCode } from "../exit_code.ts";
import { interruptible } from "../interruptible.ts";
import { startLogging } from "@xca/apimachinery/base";
import { createClient } from "../../lib/client/mod.ts";
import {
  CLUSTER_CONTROLLERS,
  componentsOf,
  currentControllerNames,
  startCluster,
} from "../../lib/cluster/mod.ts";
import { selectNames, unknownName } from "@xca/apimachinery/internal/base";
import { UsageError } from "../usage_error.ts";
import { controllersOf, type ServeFlags } from "./serve.ts";

/** The name of the controller that creates a service account in each namespace. */
const ACCOUNT_CONTROLLER = "serviceaccount-controller";
/**
 * The name of the admission plugin that sets the service account of each pod and requires its
 * existence.
 */
const ACCOUNT_PLUGIN = "ServiceAccount";

/**
 * Runs `kubectl xca serve`: the embedded API server, with the selected controllers and simulated
 * nodes, until it is interrupted. Returns the exit code of the interrupt.
 *
 * @throws {UsageError} When the value of a flag, a file or the address cannot be used, or the
 * server refuses a manifest of `--seed`.
 */
export async function serve(flags: ServeFlags, context: CliContext): Promise<ExitCode> {
  context.dropRunPermission?.();
  const { own, living } = checkedControllers(flags);
  await using _logging = await startLogging({
    verbosity: flags.v ?? 0,
    format: flags.logFormat === "json" ? "json" : "text",
    write: context.err,
    quiet: true,
  });
  using stop = interruptible(context);
  const names = selectNames(living, CLUSTER_CONTROLLERS);
  const hasAccounts = names.includes(ACCOUNT_CONTROLLER);
  await using server = await startEmbedded(flags, context, {
    controllers: own,
    components: componentsOf(names),
    enableAdmissionPlugins: hasAccounts ? [ACCOUNT_PLUGIN] : [],
  });
  // Pods need the service account of their namespace, which a controller creates.
  const isLater = (object: ApiObject): boolean => hasAccounts && object.kind === "Pod";
  const early = await server.seed((object) => !isLater(object));
  const { clock, random } = context;
  // The Endpoints controller uses a deprecated API; users cannot act on the warning.
  const onWarning = (): void => {};
  using client = createClient(server.config, { fetch: server.fetch, clock, random, onWarning });
  const { nodes } = flags;
  await using _cluster = living.length === 0 ? undefined : await startCluster({
    client,
    clock,
    random,
    controllers: living,
    serviceAccountKey: server.serviceAccountKey,
    clusterSigning: server.authority,
    ...(nodes !== undefined && { nodes }),
  });
  const seeded = early + await server.seed(isLater);
  if (seeded > 0) context.err(`Seeded ${seeded} objects.\n`);
  context.err(`Listening on ${server.url}; Ctrl-C ends it. In another terminal:\n\n`);
  // Standard output may be used for the audit log.
  const say = flags.audit === "-" ? context.err : context.out;
  say(`export KUBECONFIG=${shellWord(server.kubeconfigPath)}\n`);
  if (!stop.signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    stop.signal.addEventListener("abort", () => resolve());
    await promise;
  }
  return stop.code();
}

/** The controllers that the flag `--controllers` of `kubectl xca serve` selects. */
interface SelectedControllers {
  /** The names of the selected controllers that are part of the embedded API server. */
  readonly own: readonly string[];
  /**
   * The entries of the flag for the cluster simulation beside the API server: names, `*`, and
   * exclusions such as `-scheduler`; empty for no controller.
   */
  readonly living: readonly string[];
}

/**
 * Returns the controllers that the flag `--controllers` selects. The controllers of the API server
 * run unless the list excludes them.
 *
 * @throws {UsageError} When a name is unknown, or the list selects none.
 */
function checkedControllers(flags: ServeFlags): SelectedControllers {
  const names = currentControllerNames(controllersOf(flags));
  const known = [...API_SERVER_CONTROLLERS, ...CLUSTER_CONTROLLERS].toSorted();
  const unknown = unknownName(names, known);
  if (unknown !== undefined) {
    throw new UsageError(
      `--controllers has ${JSON.stringify(unknown)}: known are ${known.join(", ")}`,
    );
  }
  if (names.length > 0 && selectNames(names, known).length === 0) {
    throw new UsageError(
      `--controllers=${flags.controllers} selects no controller: give *,${flags.controllers} for ` +
        "all others, or none for no controller",
    );
  }
  const isLiving = selectNames(names, CLUSTER_CONTROLLERS).length > 0;
  return {
    own: selectNames([...names, "*"], API_SERVER_CONTROLLERS),
    living: isLiving ? names.filter((name) => !isOwn(name)) : [],
  };
}

/**
 * Reports whether an entry of `--controllers`, with or without the `-` of an exclusion, is one of
 * the API server's controllers.
 */
function isOwn(name: string): boolean {
  return API_SERVER_CONTROLLERS.includes(name.replace(/^-/, ""));
}
