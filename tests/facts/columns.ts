import type { ColumnFact, VersionFact } from "../../lib/apiserver/types/fact_shapes.ts";
import type { GetJson } from "./get_json.ts";
import { factsModule } from "./module_text.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** The columns of a resource that defines none. */
const DEFAULT = JSON.stringify([["Name", "string", "name"], ["Created At", "date"]]);

/** The columns of all resources that have some of their own, by `<group>/<plural>`. */
export async function dumpColumns(
  get: GetJson,
  versions: readonly VersionFact[],
): Promise<string> {
  const lines: string[] = [];
  for (const { group, version, resources } of versions) {
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    for (const { plural, verbs } of resources) {
      if (!verbs.includes("list")) continue;
      const { columnDefinitions } = await get(`${root}/${plural}?limit=1`, TABLE);
      const columns = JSON.stringify(columnDefinitions.map(columnFact));
      const line = `${JSON.stringify(`${group}/${plural}`)}:${columns}`;
      if (columns !== DEFAULT && !lines.includes(line)) lines.push(line);
    }
  }
  return factsModule("COLUMN_FACTS", `{\n${lines.join(",\n")}\n}`);
}

// deno-lint-ignore no-explicit-any
function columnFact({ name, type, format, priority }: any): ColumnFact {
  if (priority) return [name, type, format, priority];
  return format ? [name, type, format] : [name, type];
}
