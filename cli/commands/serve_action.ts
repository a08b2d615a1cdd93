import type { ApiObject } from "@xca/apiserver";
import { shellWord } from "../arguments.ts";
import type { CliContext } from "../context.ts";
import { startEmbedded } from "../embedded/embedded_server.ts";
import type { ExitCode } from "../exit_code.ts";
import { interruptible } from "../interruptible.ts";
import { startLogging } from "@xca/apimachinery/base";
import { createClient } from "../../lib/client/mod.ts";
import { CLUSTER_CONTROLLERS, selectedControllers, startCluster } from "../../lib/cluster/mod.ts";
import { UsageError } from "../usage_error.ts";
import { controllersOf, type ServeFlags } from "./serve.ts";

/** The controller that creates a service account in each namespace. */
const ACCOUNT_CONTROLLER = "serviceaccount-controller";
/** The admission plugin that gives each pod a service account, which must exist. */
const ACCOUNT_PLUGIN = "ServiceAccount";

/** Runs `kubectl xca serve`: the embedded API server until it is interrupted. */
export async function serve(flags: ServeFlags, context: CliContext): Promise<ExitCode> {
  context.dropRunPermission?.();
  const controllers = checkedControllers(flags);
  await using _logging = await startLogging({
    verbosity: flags.v ?? 0,
    format: flags.logFormat === "json" ? "json" : "text",
    write: context.err,
    quiet: true,
  });
  using stop = interruptible(context);
  const hasAccounts = controllers.length > 0 &&
    selectedControllers(controllers).includes(ACCOUNT_CONTROLLER);
  await using server = await startEmbedded(flags, context, {
    enableAdmissionPlugins: hasAccounts ? [ACCOUNT_PLUGIN] : [],
  });
  // Pods need the service account of their namespace, which a controller creates.
  const isLater = (object: ApiObject): boolean => hasAccounts && object.kind === "Pod";
  const early = await server.seed((object) => !isLater(object));
  const { clock, random } = context;
  // The controller of Endpoints needs an API that is deprecated: no user can mend that.
  const onWarning = (): void => {};
  using client = createClient(server.config, { fetch: server.fetch, clock, random, onWarning });
  const { nodes } = flags;
  await using _cluster = controllers.length === 0 ? undefined : await startCluster({
    client,
    clock,
    random,
    controllers,
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

/** Returns the names of `--controllers`. @throws {UsageError} When one is unknown, or none selects. */
function checkedControllers(flags: ServeFlags): readonly string[] {
  const names = controllersOf(flags);
  const unknown = names.map((name) => name.replace(/^-/, ""))
    .find((name) => name !== "*" && !CLUSTER_CONTROLLERS.includes(name));
  if (unknown === undefined) {
    if (names.length === 0 || names.some((name) => !name.startsWith("-"))) return names;
    throw new UsageError(
      `--controllers=${flags.controllers} selects no controller: give *,${flags.controllers} for ` +
        "all others, or none for no controller",
    );
  }
  throw new UsageError(
    `--controllers has ${JSON.stringify(unknown)}: known are ${CLUSTER_CONTROLLERS.join(", ")}`,
  );
}
