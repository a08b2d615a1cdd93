import { Command } from "@commander-js/extra-typings";
import { MAX_TIMER_MS } from "@xca/apimachinery/base";
import { isDnsSubdomain } from "@xca/apimachinery/internal/meta";
import { isDnsLabel } from "@xca/apimachinery/meta";
import { parseGoDuration } from "../duration.ts";
import { checkNamespace } from "../global_flags.ts";
import { addServerFlags, checkServerFlags, type ServerFlags } from "./server_flags.ts";
import { addWebhookFlags, checkWebhookFlags, type WebhookFlags } from "./webhook_flags.ts";
import { UsageError } from "../usage_error.ts";
import {
  addEmbeddedFlags,
  checkNoOtherCluster,
  type EmbeddedFlags,
  ownServerFlag,
} from "../embedded/embedded_flags.ts";

/** The flags of `kubectl xca run`. */
export interface RunFlags extends EmbeddedFlags, ServerFlags, WebhookFlags {
  readonly allNamespaces?: boolean | undefined;
  readonly installCrds?: boolean | undefined;
  readonly workers?: number | undefined;
  readonly once?: boolean | undefined;
  readonly embedded?: boolean | undefined;
  readonly leaderElect?: boolean | undefined;
  readonly leaderElectionId?: string | undefined;
  readonly leaderElectionNamespace?: string | undefined;
  /**
   * The grace period of the operator's shutdown in milliseconds; `Infinity` for no limit, absent
   * for 30 seconds.
   */
  readonly gracefulShutdownTimeout?: number | undefined;
}

/**
 * Returns the definition of `kubectl xca run` for the command line parser, to which the caller adds
 * the action.
 */
export function runCommand(): Command<[string | undefined]> {
  const command = new Command("run")
    .summary("run an operator on the current context")
    .description(
      "Run an operator on the current context, until Ctrl-C: the one that MODULE exports,\n" +
        "or, without MODULE, the Xca operator.\n\n" +
        "MODULE is a local TypeScript or JavaScript file whose default export (or export named\n" +
        "`operator`) comes from defineOperator(). It watches the namespace of the context, of -n,\n" +
        "which may be given several times, or all of them with -A.",
    )
    .argument("[module]", "path of a module that exports an operator")
    .option("-A, --all-namespaces", "watch all namespaces")
    .option("--install-crds", "first install the operator's CustomResourceDefinitions and policies")
    .option(
      "--workers <count>",
      "how many objects each controller reconciles at once",
      parseWorkers,
    )
    .option(
      "--once",
      "end when every object there was at the start had a run and nothing waits; " +
        "1 when one still fails",
    )
    .option(
      "--leader-elect",
      "reconcile only while this process holds a Lease, so that several replicas may run",
    )
    .option(
      "--leader-election-id <name>",
      "with --leader-elect: the name of the Lease, instead of the operator's",
      parseLeaseName,
    )
    .option(
      "--leader-election-namespace <namespace>",
      "with --leader-elect: the namespace of the Lease, instead of the context's",
      parseLeaseNamespace,
    )
    .option(
      "--graceful-shutdown-timeout <duration>",
      "how long runs in progress may take at a stop, such as 30s or 2m; 0 does not wait, -1s has no limit",
      parseGracePeriod,
    )
    .option(
      "--embedded",
      "bring the API server too, in this process, with the operator's definitions installed",
    );
  addServerFlags(command as unknown as Command);
  addWebhookFlags(command as unknown as Command);
  addEmbeddedFlags(command as unknown as Command, "with --embedded: ");
  return command.addHelpText("after", EXAMPLES) as unknown as Command<[string | undefined]>;
}

const EXAMPLES = `
Examples:
  # Reconcile the Xca objects of all namespaces; make the resource known to the cluster first
  kubectl xca run --install-crds -A

  # Run the operator of a local module, one pass
  kubectl xca run ./operator.ts --once

  # One of several replicas: the others take over when it ends
  kubectl xca run ./operator.ts -A --leader-elect --leader-election-namespace operators

  # In a pod: metrics over TLS for those who may read them, and probes for the kubelet
  kubectl xca run ./operator.ts -A --leader-elect --metrics-bind-address=:8443 \\
    --health-probe-bind-address=:8081 --webhook-cert-path=/tmp/k8s-webhook-server/serving-certs

  # Without any cluster: with an API server in the same process
  kubectl xca run ./operator.ts --embedded --seed objects.yaml`;

/**
 * Checks combinations of flags of `kubectl xca run`.
 *
 * @throws {UsageError} When flags contradict each other or have no effect: for example `-n` with
 * `-A`, a flag of the election without `--leader-elect`, a flag of the embedded server without
 * `--embedded`, or a flag that selects a cluster with `--embedded`.
 */
export function checkRunFlags(flags: RunFlags): void {
  for (const namespace of flags.namespaces ?? []) if (namespace) checkNamespace(namespace);
  if (flags.allNamespaces && flags.namespace !== undefined) {
    throw new UsageError("-n and -A cannot go together: leave out one of them");
  }
  if (flags.leaderElect && !flags.leaderElectionNamespace && (flags.namespaces?.length ?? 0) > 1) {
    throw new UsageError(
      "--leader-elect with several namespaces needs --leader-election-namespace, which all replicas share",
    );
  }
  checkServerFlags(flags);
  checkWebhookFlags(flags);
  const election = flags.leaderElectionId !== undefined
    ? "--leader-election-id"
    : flags.leaderElectionNamespace !== undefined
    ? "--leader-election-namespace"
    : undefined;
  if (election && !flags.leaderElect) {
    throw new UsageError(
      `${election} is for a leader election: add --leader-elect, or leave it out`,
    );
  }
  if (flags.embedded) return checkNoOtherCluster(flags, "run --embedded");
  const own = ownServerFlag(flags);
  if (own) {
    throw new UsageError(`${own} is for a server of our own: add --embedded, or leave it out`);
  }
}

function parseGracePeriod(value: string): number {
  const ms = parseGoDuration(value);
  if (ms !== undefined && ms <= MAX_TIMER_MS) return ms < 0 ? Infinity : ms;
  throw new UsageError(
    "--graceful-shutdown-timeout must be a duration of at most 24 days, such as 30s or 2m, is " +
      JSON.stringify(value),
  );
}

function parseWorkers(value: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(value)) return Number(value);
  throw new UsageError(`--workers must be a number from 1 to 9999, is ${JSON.stringify(value)}`);
}

function parseLeaseName(value: string): string {
  if (isDnsSubdomain(value)) return value;
  throw new UsageError(
    `--leader-election-id must be the name of a Lease, such as my-operator.example.org, is ` +
      JSON.stringify(value),
  );
}

function parseLeaseNamespace(value: string): string {
  if (isDnsLabel(value)) return value;
  throw new UsageError(
    `--leader-election-namespace must be a namespace, is ${JSON.stringify(value)}`,
  );
}
