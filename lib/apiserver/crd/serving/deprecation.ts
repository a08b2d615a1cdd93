import { compareVersions } from "../../machinery/compare_versions.ts";
import type { DefinitionSpec, DefinitionVersion } from "@xca/apimachinery/internal/schema";

/**
 * Returns the text of the `Warning` header about a deprecated version of a custom resource: that of
 * the definition, or a default text, which names the newest served version to use instead if there
 * is a newer one that is not deprecated (`apiserver/customresource_handler.go,
 * defaultDeprecationWarning`). Returns `undefined` for a version that is not deprecated.
 */
export function deprecationWarning(
  spec: DefinitionSpec,
  version: DefinitionVersion,
): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names: { kind } } = spec;
  const [newest] = spec.versions
    .filter((each) => each.served && !each.deprecated)
    .map(({ name }) => name)
    .filter((name) => compareVersions(name, version.name) < 0)
    .sort(compareVersions);
  const instead = newest === undefined ? "" : `; use ${group}/${newest} ${kind}`;
  return `${group}/${version.name} ${kind} is deprecated${instead}`;
}
