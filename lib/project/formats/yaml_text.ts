import { dump } from "js-yaml";

/** Returns objects as YAML documents, each after a line of dashes but the first. */
export function yamlDocuments(objects: readonly unknown[]): string {
  return objects.map((object) => dump(object, { noRefs: true, lineWidth: -1 })).join("---\n");
}
