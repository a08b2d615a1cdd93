import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { CHANGE_LEVELS, type CrdChange, type FoundChange } from "../change.ts";
import { compareConversions } from "./conversions.ts";
import { compareDefinitions } from "./definitions.ts";
import { compareVersions } from "./versions.ts";

/**
 * Compares the old and the new state of a CustomResourceDefinition, and returns each change with
 * its effect, the most severe first.
 *
 * A change is `safe` only if each object that was valid is valid afterwards and keeps its fields
 * and values; a change that cannot be judged, such as another regular expression or a new CEL rule,
 * is `breaking`. The versions in which objects may be stored are taken from the old definition's
 * status where it has one.
 *
 * Both definitions must be valid: structural schemas, one storage version.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { V1CustomResourceDefinition } from "@xca/operator/kubernetes-types";
 * import { diffCrd, worstLevel } from "@xca/operator/evolution";
 *
 * const definition = (spec: object) => ({
 *   metadata: { name: "locks.example.org" },
 *   spec: {
 *     group: "example.org",
 *     names: { kind: "Lock", plural: "locks" },
 *     scope: "Namespaced",
 *     versions: [{
 *       name: "v1",
 *       served: true,
 *       storage: true,
 *       schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
 *     }],
 *   },
 * } as V1CustomResourceDefinition);
 *
 * const changes = diffCrd(
 *   definition({ type: "object", properties: { holder: { type: "string" } } }),
 *   definition({ type: "object", properties: { owner: { type: "string" } } }),
 * );
 * assert.equal(worstLevel(changes), "breaking");
 * assert.deepEqual(changes.map(({ rule, path }) => [rule, path]), [
 *   ["field-removed", ".spec.holder"],
 *   ["field-added", ".spec.owner"],
 * ]);
 * ```
 */
export function diffCrd(
  old: V1CustomResourceDefinition,
  now: V1CustomResourceDefinition,
): readonly CrdChange[] {
  const changes: CrdChange[] = [];
  const crd = now.metadata.name ?? `${now.spec.names.plural}.${now.spec.group}`;
  const reporter = (version?: string) => (change: FoundChange): void =>
    void changes.push({ ...change, crd, ...(version !== undefined && { version }) });
  compareDefinitions(old, now, reporter());
  for (const version of now.spec.versions) {
    const before = old.spec.versions.find(({ name }) => name === version.name);
    if (before !== undefined) compareVersions(before, version, reporter(version.name));
  }
  compareConversions(old, now, reporter);
  return bySeverity(changes);
}

/**
 * Compares the CustomResourceDefinitions of equal names in two sets, such as those of two releases,
 * and returns all changes, the most severe first. The removal of a definition is a breaking change,
 * since all its objects are deleted with it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { diffCrds, worstLevel } from "@xca/operator/evolution";
 * import { xcaOperator } from "@xca/operator/xca";
 * import type { V1CustomResourceDefinition } from "@xca/operator/kubernetes-types";
 *
 * const released = xcaOperator.crds as V1CustomResourceDefinition[];
 * assert.equal(worstLevel(diffCrds(released, [])), "breaking");
 * ```
 */
export function diffCrds(
  old: readonly V1CustomResourceDefinition[],
  now: readonly V1CustomResourceDefinition[],
): readonly CrdChange[] {
  const nameOf = ({ metadata }: V1CustomResourceDefinition): string => metadata.name ?? "";
  const changes = now.flatMap((definition): readonly CrdChange[] => {
    const before = old.find((each) => nameOf(each) === nameOf(definition));
    if (before !== undefined) return diffCrd(before, definition);
    const crd = nameOf(definition);
    return [{ level: "safe", rule: "definition-added", crd, path: "", reason: "it is new" }];
  });
  const gone = old.filter((each) => !now.some((other) => nameOf(other) === nameOf(each)));
  const reason = "it is gone: its objects are deleted with it";
  return bySeverity([
    ...changes,
    ...gone.map((each): CrdChange => ({
      level: "breaking",
      rule: "definition-removed",
      crd: nameOf(each),
      path: "",
      reason,
    })),
  ]);
}

function bySeverity(changes: readonly CrdChange[]): readonly CrdChange[] {
  const rank = ({ level }: CrdChange): number => -CHANGE_LEVELS.indexOf(level);
  return changes.toSorted((a, b) => rank(a) - rank(b));
}
