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

/**
 * Installs definitions, and says of each that is new or has changed what its changes mean for the objects
 * that are stored.
 */
export async function installDefinitions(
  client: Client,
  definitions: readonly V1CustomResourceDefinition[],
  { clock, signal, say }: InstallDefinitionsOptions,
): Promise<void> {
  for (const definition of definitions) {
    const name = definition.metadata.name!;
    const found = await ignoreNotFound(client.get(CustomResourceDefinition, name, { signal }));
    if (!found) say(`${name}: installed`);
    else {
      const changes = diffCrd(found as V1CustomResourceDefinition, definition)
        .filter(({ path = "" }) => !path.startsWith("spec.conversion"));
      for (const line of changeLines(name, changes)) say(line);
    }
  }
  await installCrds(client, definitions, { clock, signal, onInstalled: () => {} });
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
