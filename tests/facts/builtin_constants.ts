/** The constants of Kubernetes' own kinds, made from what kube-apiserver serves. */
import type { ResourceFact, VersionFact } from "../../lib/apiserver/types/fact_shapes.ts";
import type { Structs } from "./kubernetes_type_graph.ts";
import { kindIds, nameTypes } from "./kubernetes_type_names.ts";
import { filesOf } from "./kubernetes_types.ts";

/**
 * Constants that are not named as their kind, by their ids: those whose kind is served by another
 * version or group too, which has the plain name, since it is what kubectl means by it.
 */
const NAMES: Readonly<Record<string, string>> = {
  "horizontalpodautoscalers.v1.autoscaling": "HorizontalPodAutoscalerV1",
  "events.v1.events.k8s.io": "EventsEvent",
};

/** The text of `lib/apimachinery/meta/builtin.ts`. */
export function builtinConstants(structs: Structs, versions: readonly VersionFact[]): string {
  const names = nameTypes(structs, versions);
  const ids = kindIds(structs);
  const files = filesOf(structs, [...names.keys()]);
  const imports = new Map<string, string[]>();
  const constants: string[] = [];
  for (const { group, version, resources } of versions) {
    for (const resource of resources) {
      const structId = ids.get(`${group}/${version}/${resource.kind}`)!;
      const type = names.get(structId)!;
      const file = files.get(structId)!;
      imports.set(file, [...imports.get(file) ?? [], type]);
      constants.push(constantText({ group, version, resource, type }));
    }
  }
  return [
    "// Written by `deno task facts:dump`.\n",
    ...[...imports].sort().map(([file, types]) =>
      `import type { ${types.join(", ")} } from "../kubernetes_types/types/${file}.ts";\n`
    ),
    'import { clusterScoped, namespaced } from "./builtin_type.ts";\n',
    'import type { ResourceType } from "./resource_type.ts";\n\n',
    ...constants,
  ].join("");
}

function constantText({ group, version, resource, type }: {
  readonly group: string;
  readonly version: string;
  readonly resource: ResourceFact;
  readonly type: string;
}): string {
  const { plural, kind, namespaced } = resource;
  const id = `${plural}.${version}${group && `.${group}`}`;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const name = NAMES[id] ?? kind;
  const make = namespaced ? "namespaced" : "clusterScoped";
  return `/** The resource type of \`${plural}\` in \`${apiVersion}\`${
    namespaced ? "" : ", cluster-scoped"
  }. */\n` +
    // Bundlers drop those that nobody imports.
    `export const ${name}: ResourceType<${type}> = /* @__PURE__ */ ${make}(\n` +
    `  ${JSON.stringify(id)},\n  ${JSON.stringify(kind)},\n);\n`;
}
