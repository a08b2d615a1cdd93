import { type Client, createClient, kubeconfigNames } from "../../lib/client/mod.ts";
import {
  Lease,
  metadataOf,
  Namespace,
  type ResourceType,
  ServiceAccount,
} from "@xca/apimachinery/meta";
import { xcaType } from "../../lib/xca/xca_type.ts";
import { loadCliConfig } from "../load_cli_config.ts";
import type { CliContext } from "../context.ts";
import { configOverrides, type GlobalFlags } from "../global_flags.ts";
import type { Candidate } from "./complete.ts";
import { kindsAndNames } from "./kinds_and_names.ts";

/**
 * Default of the flag `--request-timeout` for a look-up of completions: short, since the shell
 * waits.
 */
const PATIENCE = "2s";

/**
 * The flag or argument of a command line whose completions are looked up, with the flags of the
 * command line and the word to complete.
 */
export interface LookUpQuestion {
  /** The flag or argument to complete, such as `namespace` or `why object`. */
  readonly what: string;
  /** The flags of the command line with their values, by attribute name. */
  readonly flags: Readonly<Record<string, string | true>>;
  /** The word of the command line to complete. */
  readonly word: string;
}

/**
 * Returns the completions of a flag or argument: contexts, clusters and users in the kubeconfig,
 * namespaces, kinds and objects in the cluster. Failures yield no candidates and no message.
 */
export async function lookUp(
  question: LookUpQuestion,
  context: CliContext,
): Promise<readonly Candidate[]> {
  try {
    return await candidatesOf(question, context);
  } catch {
    return []; // A shell that completes a line has no place for an error.
  }
}

async function candidatesOf(
  { what, flags, word }: LookUpQuestion,
  context: CliContext,
): Promise<readonly Candidate[]> {
  if (what === "context" || what === "cluster" || what === "user") {
    const { contexts, clusters, users } = await kubeconfigNames(
      text(flags, "kubeconfig"),
      context.host,
    );
    return asWords({ context: contexts, cluster: clusters, user: users }[what]);
  }
  return await withClient(flags, context, async (client, namespace) => {
    const operatorNamespace = text(flags, "operatorNamespace") ?? namespace;
    switch (what) {
      case "namespace":
      case "operatorNamespace":
        return asWords(await objectNames(client, Namespace));
      case "status names":
        return asWords(await objectNames(client, xcaType, namespace));
      case "lease":
        return asWords(await objectNames(client, Lease, operatorNamespace));
      case "serviceAccount":
        return asWords(await objectNames(client, ServiceAccount, operatorNamespace));
      case "why object":
        return await kindsAndNames(client, word, (type) => objectNames(client, type, namespace));
      default:
        return [];
    }
  });
}

/**
 * Returns the names of the objects of a resource in a namespace, or in the cluster without one;
 * only the metadata of the objects is read.
 */
async function objectNames(
  client: Client,
  type: ResourceType,
  namespace?: string,
): Promise<readonly string[]> {
  const scope = type.scope === "Cluster" ? {} : { namespace };
  const { items } = await client.list(metadataOf(type), scope);
  return items.map(({ metadata }) => metadata.name!);
}

function asWords(words: Iterable<string>): readonly Candidate[] {
  return Array.from(words, (word) => ({ word }));
}

function text(flags: LookUpQuestion["flags"], name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

async function withClient<T>(
  flags: LookUpQuestion["flags"],
  context: CliContext,
  use: (client: Client, namespace: string) => Promise<T>,
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
