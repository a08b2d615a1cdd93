import { Command } from "@commander-js/extra-typings";
import {
  addEmbeddedFlags,
  checkNoOtherCluster,
  type EmbeddedFlags,
} from "../embedded/embedded_flags.ts";
import { UsageError } from "../usage_error.ts";

/** The flags of `kubectl xca serve`. */
export interface ServeFlags extends EmbeddedFlags {
  readonly controllers?: string | undefined;
  readonly nodes?: number | undefined;
}

/**
 * Returns the definition of `kubectl xca serve` for the command line parser, to which the caller
 * adds the action.
 */
export function serveCommand(): Command {
  const command = new Command("serve")
    .summary("run a Kubernetes API server in this process")
    .description(
      "Run a Kubernetes API server in this process, until Ctrl-C: custom resources, watches,\n" +
        "server-side apply, RBAC and the rest, for kubectl and for operators. Deployments get\n" +
        "pods, and these run on simulated nodes, without containers. It listens on loopback, with\n" +
        "TLS, and leaves ~/.kube alone.",
    );
  addEmbeddedFlags(command as unknown as Command);
  command
    .option(
      "--controllers <names>",
      "the controllers to run, as kube-controller-manager's flag has them; none for no controller",
    )
    .option("--nodes <number>", "the number of simulated nodes (3)", parseNodes);
  return command.addHelpText("after", EXAMPLES) as unknown as Command;
}

const EXAMPLES = `
Examples:
  # A cluster to try things out, gone with Ctrl-C
  kubectl xca serve

  # One that is still there tomorrow, with what the files hold
  kubectl xca serve --data ./cluster --seed crds.yaml --seed objects.yaml

  # A Deployment, and a Pod that never gets a node
  kubectl xca serve --controllers='*,-scheduler'

  # See each request
  kubectl xca serve --audit - | jq -r '[.user.username, .verb, .requestURI] | @tsv'`;

/**
 * Checks combinations of flags of `kubectl xca serve`.
 *
 * @throws {UsageError} When a flag selects a cluster, `--controllers` is empty, or two flags
 * contradict each other.
 */
export function checkServeFlags(flags: ServeFlags): void {
  checkNoOtherCluster(flags, "serve");
  if (flags.controllers === "") {
    throw new UsageError("--controllers is empty: give names, or none for no controller");
  }
  if (flags.controllers === NO_CONTROLLERS && flags.nodes !== undefined) {
    throw new UsageError("--nodes needs the kubelet: leave out --controllers=none");
  }
}

/** The value of the flag `--controllers` that selects no controllers. */
const NO_CONTROLLERS = "none";

/**
 * Returns the controllers that the flag `--controllers` lists: names, `*` for all, and names with
 * `-` for exclusions; an empty list for `none`, and `*` without the flag.
 */
export function controllersOf({ controllers = "*" }: ServeFlags): readonly string[] {
  return controllers === NO_CONTROLLERS ? [] : controllers.split(",").map((name) => name.trim());
}

function parseNodes(value: string): number {
  const nodes = Number(value);
  if (/^\d{1,4}$/.test(value) && nodes <= 1000) return nodes;
  throw new UsageError(`--nodes must be a number from 0 to 1000, is ${JSON.stringify(value)}`);
}
