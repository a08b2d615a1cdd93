import { dump } from "js-yaml";

/** Returns objects as a stream of YAML documents, separated by lines of dashes. */
export function yamlDocuments(objects: readonly unknown[]): string {
  return objects.map((object) => dump(object, { noRefs: true, lineWidth: -1 })).join("---\n");
}
