/**
 * Comparison of two definitions by the fields that objects lose and the values that become invalid
 * between versions without a conversion webhook, where a conversion changes only the `apiVersion`.
 *
 * @module
 */
import type {
  V1CustomResourceDefinition,
  V1CustomResourceDefinitionVersion,
} from "@xca/apimachinery/kubernetes-types";
import type { FoundChange, Report } from "../change.ts";
import { storedVersionsOf, strategyOf } from "./definitions.ts";
import { compareSchemas } from "./schemas.ts";
import { schemaOf } from "./versions.ts";

/**
 * A function that returns the callback for the changes of one version of a
 * CustomResourceDefinition.
 */
type Reporter = (version: string) => Report;

/**
 * Reports the fields that objects lose, and the values that one version allows and another refuses,
 * where objects are stored in one version and read in another without a conversion webhook. Losses
 * that the old definition has too are left out.
 */
export function compareConversions(
  old: V1CustomResourceDefinition,
  now: V1CustomResourceDefinition,
  report: Reporter,
): void {
  const stored = storedVersionsOf(old);
  const known = new Set(losses(old, stored).map(({ key }) => key));
  for (const { key, version, change } of losses(now, stored)) {
    if (!known.has(key)) report(version)(change);
  }
}

interface Loss {
  readonly key: string;
  readonly version: string;
  readonly change: FoundChange;
}

/**
 * Returns the breaking differences between the storage version of a CustomResourceDefinition and
 * each other version that is served or in which objects are stored, in both directions: fields that
 * objects lose, and values that only one of the versions allows. Returns none if the definition has
 * a conversion webhook.
 */
function losses(definition: V1CustomResourceDefinition, stored: readonly string[]): Loss[] {
  const storage = definition.spec.versions.find((version) => version.storage);
  if (strategyOf(definition) !== "None" || storage === undefined) return [];
  return definition.spec.versions
    .filter((version) => version !== storage && (version.served || stored.includes(version.name)))
    .flatMap((version) => [...between(version, storage), ...between(storage, version)]);
}

function between(
  from: V1CustomResourceDefinitionVersion,
  to: V1CustomResourceDefinitionVersion,
): Loss[] {
  const found: Loss[] = [];
  compareSchemas(schemaOf(from), schemaOf(to), (change) => {
    if (change.level !== "breaking") return;
    const { rule, path } = change;
    const loses = rule === "field-removed" || rule === "unknown-fields-dropped";
    const reason = loses
      ? `objects written in ${from.name} lose it in ${to.name}, since no webhook converts them`
      : `objects written in ${from.name} may not be valid in ${to.name}, and no webhook converts ` +
        `them: ${change.reason}`;
    found.push({
      key: [from.name, to.name, rule, path].join(" "),
      version: to.name,
      change: { level: "breaking", rule: "conversion-loss", path, reason },
    });
  });
  return found;
}
