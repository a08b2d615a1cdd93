import { Command } from "@commander-js/extra-typings";
import { addEmbeddedFlags, checkNoOtherCluster, type EmbeddedFlags } from "../embedded_flags.ts";

/** The flags of `kubectl xca serve`. */
export type ServeFlags = EmbeddedFlags;

/** Returns the parser's command `kubectl xca serve`. */
export function serveCommand(): Command {
  const command = new Command("serve")
    .summary("run a Kubernetes API server in this process")
    .description(
      "Run a Kubernetes API server in this process, until Ctrl-C: custom resources, watches,\n" +
        "server-side apply, RBAC and the rest, for kubectl and for operators. No nodes, and no\n" +
        "containers. It listens on loopback, with TLS, and leaves ~/.kube alone.",
    );
  addEmbeddedFlags(command as unknown as Command);
  return command.addHelpText("after", EXAMPLES) as unknown as Command;
}

const EXAMPLES = `
Examples:
  # A cluster to try things out, gone with Ctrl-C
  kubectl xca serve

  # One that is still there tomorrow, with what the files hold
  kubectl xca serve --data ./cluster --seed crds.yaml --seed objects.yaml

  # See each request
  kubectl xca serve --audit - | jq -r '[.user.username, .verb, .requestURI] | @tsv'`;

/**
 * Checks combinations of flags of `kubectl xca serve`.
 *
 * @throws {UsageError} When a flag selects a cluster.
 */
export function checkServeFlags(flags: ServeFlags): void {
  checkNoOtherCluster(flags, "serve");
}
