import type { Clock } from "@xca/apimachinery/base";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { CustomResourceDefinition } from "@xca/apimachinery/meta";
import { type Client, ignoreNotFound } from "../../lib/client/mod.ts";
import { type CrdChange, diffCrd } from "../../lib/resource/evolution/mod.ts";
import { installCrds } from "../install_crds.ts";

/**
 * The maximum number of breaking changes to one CustomResourceDefinition that `kubectl xca dev`
 * lists.
 */
const NAMED = 3;

/**
 * Options of {@linkcode installDefinitions}, which installs CustomResourceDefinitions in a cluster.
 */
export interface InstallDefinitionsOptions {
  /** The clock that limits the wait until the API server serves a new definition. */
  readonly clock: Clock;
  /** The signal that aborts the installation of CustomResourceDefinitions. */
  readonly signal: AbortSignal;
  /** Prints a line about a new or changed CustomResourceDefinition. */
  readonly say: (line: string) => void;
}

/**
 * The conversion settings that CustomResourceDefinitions had in the cluster before they were
 * installed, by the names of the definitions. Webhooks with a URL, which a killed `kubectl xca dev`
 * left there, are not included.
 */
export type FormerConversions = ReadonlyMap<string, Conversion>;

type Conversion = NonNullable<V1CustomResourceDefinition["spec"]["conversion"]>;

/**
 * Installs CustomResourceDefinitions, and waits until the server serves them. Prints a line for
 * each new one, and for each changed one the effect of the changes, other than of its conversion,
 * on stored objects. Returns the conversion settings that the definitions had in the cluster
 * before.
 */
export async function installDefinitions(
  client: Client,
  definitions: readonly V1CustomResourceDefinition[],
  { clock, signal, say }: InstallDefinitionsOptions,
): Promise<FormerConversions> {
  const former = new Map<string, Conversion>();
  for (const definition of definitions) {
    const name = definition.metadata.name!;
    const found = await ignoreNotFound(client.get(CustomResourceDefinition, name, { signal }));
    if (!found) say(`${name}: installed`);
    else {
      const old = found as V1CustomResourceDefinition;
      // A converter with a URL is that of a session of this command that was killed.
      const { conversion } = old.spec;
      if (conversion && !conversion.webhook?.clientConfig?.url) former.set(name, conversion);
      const changes = diffCrd(old, definition)
        .filter(({ path = "" }) => !path.startsWith("spec.conversion"));
      for (const line of changeLines(name, changes)) say(line);
    }
  }
  await installCrds(client, definitions, { clock, signal, onInstalled: () => {} });
  return former;
}

/**
 * Returns CustomResourceDefinitions with the conversion settings that they had in the cluster
 * before, or with the strategy `None`.
 */
export function withFormerConversions(
  definitions: readonly V1CustomResourceDefinition[],
  former: FormerConversions,
): V1CustomResourceDefinition[] {
  return definitions.map((definition) => {
    const conversion = former.get(definition.metadata.name!) ?? { strategy: "None" };
    return { ...definition, spec: { ...definition.spec, conversion } };
  });
}

/**
 * Returns the output lines about the changes of a CustomResourceDefinition: the first three
 * breaking changes and the number of the others; one line if no change is breaking; none without
 * changes.
 */
export function changeLines(name: string, changes: readonly CrdChange[]): string[] {
  const breaking = changes.filter(({ level }) => level === "breaking");
  if (breaking.length === 0) {
    return changes.length === 0 ? [] : [`${name}: changed, and stored objects stay valid`];
  }
  const lines = breaking.slice(0, NAMED).map(({ version, path, reason }) =>
    `${name}: BREAKING: ${[version, path].filter(Boolean).join(" ")}: ${reason}`
  );
  const more = breaking.length - NAMED;
  return more > 0 ? [...lines, `${name}: ${more} more; see kubectl xca crd diff`] : lines;
}
