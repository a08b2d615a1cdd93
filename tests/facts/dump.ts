/**
 * Takes the facts of the embedded API server from kube-apiserver and from its Go types, and writes
 * them to `lib/apiserver/facts/`; and from those the TypeScript types of `lib/apimachinery/kubernetes_types/`
 * and the schemas of `lib/apimachinery/kubernetes_schemas/`.
 *
 * ```sh
 * deno task facts:dump
 * ```
 *
 * @module
 */
import { join } from "node:path";
import type { VersionFact } from "../../lib/apiserver/types/fact_shapes.ts";
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { builtinConstants } from "./builtin_constants.ts";
import { dumpColumns } from "./columns.ts";
import type { GetJson } from "./get_json.ts";
import { dumpInternalTypes } from "./internal_types.ts";
import { dumpResources } from "./resources.ts";
import type { Structs } from "./kubernetes_type_graph.ts";
import { kubernetesSchemas } from "./kubernetes_schemas.ts";
import { kubernetesTypes } from "./kubernetes_types.ts";
import { formatted } from "./module_text.ts";
import { dumpTypes } from "./types.ts";
import { validationMarkers } from "./validation_markers.ts";

/** The folder of the facts. */
export const FACTS: URL = new URL("../../lib/apiserver/facts/", import.meta.url);

/** The facts' files by name, with their text. */
export async function dumpFacts(get: GetJson): Promise<Map<string, string>> {
  const resources = await dumpResources(get);
  const types = await dumpTypes(get, resources.versions);
  return new Map([
    ["resources.ts", resources.text],
    ["columns.ts", await dumpColumns(get, resources.versions)],
    ["internal_types.ts", await dumpInternalTypes()],
    ...types.files,
    ...await typesOfKinds(types.structs, resources.versions),
    ...await kubernetesSchemas(types.structs, resources.versions, await validationMarkers()),
  ]);
}

/** The types and the constants of Kubernetes' own kinds: files with their text, by name beside the facts. */
export async function typesOfKinds(
  structs: Structs,
  versions: readonly VersionFact[],
): Promise<[name: string, text: string][]> {
  const types = [...kubernetesTypes(structs, versions)];
  return [
    ...types.map((
      [name, text],
    ): [string, string] => [`../../apimachinery/kubernetes_types/${name}`, text]),
    ["../../apimachinery/meta/builtin.ts", await formatted(builtinConstants(structs, versions))],
  ];
}

/** Calls the running control plane. */
export function jsonOf(plane: ControlPlane): GetJson {
  return async (path, accept = "application/json") => {
    const response = await plane.fetch(path, { headers: { Accept: accept } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
}

if (import.meta.main) {
  await using plane = await ControlPlane.start();
  for (const [name, text] of await dumpFacts(jsonOf(plane))) {
    await Deno.writeTextFile(new URL(name, FACTS), text);
    // deno-lint-ignore no-console
    console.log(join("lib/apiserver/facts", name), text.length);
  }
}
