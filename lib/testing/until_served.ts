import { type Clock, delay } from "@xca/apimachinery/base";
import type { ApiObject } from "@xca/apimachinery/internal/values";

const ORIGIN = "https://embedded.invalid";
const TRIES = 100;
const PAUSE_MS = 10;

/**
 * The fields of a CustomResourceDefinition's spec from which the URL paths of its objects follow.
 */
interface DefinedKind {
  readonly group?: string;
  readonly names?: { readonly plural?: string };
  readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
}

/** Options of {@linkcode untilServed}, which waits until custom resources are served. */
export interface UntilServedOptions {
  /** The function that sends requests to the API server. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The clock of the API server, for the pauses between requests. */
  readonly clock: Clock;
}

/**
 * Resolves when the API server's discovery lists each served version of the
 * CustomResourceDefinitions among objects, or, without an error, after about a second per version:
 * a definition whose names are taken is never served.
 */
export async function untilServed(
  objects: readonly ApiObject[],
  { fetch, clock }: UntilServedOptions,
): Promise<void> {
  for (const { kind, spec } of objects) {
    if (kind !== "CustomResourceDefinition") continue;
    const { group = "", names: { plural = "" } = {}, versions = [] } = spec as DefinedKind;
    for (const { name: version, served } of versions) {
      if (!served) continue;
      for (let attempt = 0; attempt < TRIES; attempt++) {
        if (await isServed(fetch, `/apis/${group}/${version}`, plural)) break;
        await delay(PAUSE_MS, { clock });
      }
    }
  }
}

async function isServed(
  fetch: UntilServedOptions["fetch"],
  path: string,
  plural: string,
): Promise<boolean> {
  const response = await fetch(new Request(ORIGIN + path));
  if (!response.ok) {
    await response.body?.cancel();
    return false;
  }
  const { resources = [] } = await response.json() as { resources?: { name: string }[] };
  return resources.some(({ name }) => name === plural);
}
