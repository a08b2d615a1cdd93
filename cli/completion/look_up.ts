import { createClient, kubeconfigNames } from "../../lib/client/mod.ts";
import { Namespace } from "@xca/apimachinery/meta";
import { Xca } from "../../lib/xca/mod.ts";
import { loadCliConfig } from "../load_cli_config.ts";
import type { CliContext } from "../context.ts";
import { configOverrides, type GlobalFlags } from "../global_flags.ts";
import type { Candidate } from "./complete.ts";

/** Timeout of a look-up of completions, as a flag's value: the shell waits for the answer. */
const PATIENCE = "2s";

/**
 * Looks up completions of flags and arguments: contexts, clusters and users in the kubeconfig,
 * namespaces and objects in the cluster. Failures yield no candidates and no message.
 */
export async function lookUp(
  what: string,
  flags: Readonly<Record<string, string | true>>,
  context: CliContext,
): Promise<readonly Candidate[]> {
  try {
    return (await namesOf(what, flags, context)).map((word) => ({ word }));
  } catch {
    return []; // A shell that completes a line has no place for an error.
  }
}

async function namesOf(
  what: string,
  flags: Readonly<Record<string, string | true>>,
  context: CliContext,
): Promise<readonly string[]> {
  switch (what) {
    case "context":
    case "cluster":
    case "user": {
      const path = typeof flags["kubeconfig"] === "string" ? flags["kubeconfig"] : undefined;
      const { contexts, clusters, users } = await kubeconfigNames(path, context.host);
      return [...{ context: contexts, cluster: clusters, user: users }[what]];
    }
    case "namespace":
      return await withClient(flags, context, async (client) => {
        const { items } = await client.list(Namespace);
        return items.map(({ metadata }) => metadata.name!);
      });
    case "status names":
      return await withClient(flags, context, async (client, namespace) => {
        const { items } = await client.list(Xca, { namespace });
        return items.map(({ metadata }) => metadata.name!);
      });
    default:
      return [];
  }
}

async function withClient<T>(
  flags: Readonly<Record<string, string | true>>,
  context: CliContext,
  use: (client: ReturnType<typeof createClient>, namespace: string) => Promise<T>,
): Promise<T> {
  const { asGroup, ...others } = flags;
  const config = await loadCliConfig(
    configOverrides({
      requestTimeout: PATIENCE,
      ...others,
      ...(typeof asGroup === "string" ? { asGroup: [asGroup] } : {}),
    } as GlobalFlags),
    context,
  );
  using client = createClient(config, { clock: context.clock, random: context.random });
  return await use(client, config.namespace ?? "default");
}
