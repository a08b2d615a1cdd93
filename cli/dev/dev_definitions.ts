import type { Clock } from "@xca/apimachinery/base";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { CustomResourceDefinition } from "@xca/apimachinery/meta";
import { type Client, ignoreNotFound } from "../../lib/client/mod.ts";
import { type CrdChange, diffCrd } from "../../lib/resource/evolution/mod.ts";
import { installCrds } from "../install_crds.ts";

/** The number of changes of a definition that are named. */
const NAMED = 3;

/** Options of {@linkcode installDefinitions}. */
export interface InstallDefinitionsOptions {
  /** The clock of the waits for the server. */
  readonly clock: Clock;
  /** The signal that ends the installation. */
  readonly signal: AbortSignal;
  /** Prints a line about a definition that is new or has changed. */
  readonly say: (line: string) => void;
}

/** The conversions that definitions had in the cluster before they were installed, by their names. */
export type FormerConversions = ReadonlyMap<string, Conversion>;

type Conversion = NonNullable<V1CustomResourceDefinition["spec"]["conversion"]>;

/**
 * Installs definitions, and says of each that is new or has changed what its changes mean for the objects
 * that are stored. Returns the conversions that they had before.
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
      // An address outside of the cluster is that of a session that was killed.
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

/** Returns definitions with the conversions that they had before, or none. */
export function withFormerConversions(
  definitions: readonly V1CustomResourceDefinition[],
  former: FormerConversions,
): V1CustomResourceDefinition[] {
  return definitions.map((definition) => {
    const conversion = former.get(definition.metadata.name!) ?? { strategy: "None" };
    return { ...definition, spec: { ...definition.spec, conversion } };
  });
}

/** Returns the lines about the changes of a definition, those first that break stored objects. */
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
