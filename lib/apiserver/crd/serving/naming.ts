// Mirrors `controller/status/naming_controller.go,
// NamingConditionController.calculateNamesAndConditions`.
import {
  conditionOf,
  type CustomResourceDefinition,
  type DefinitionCondition,
  type DefinitionNames,
} from "@xca/apimachinery/internal/schema";
import { goQuote, jsonEqual } from "@xca/apimachinery/internal/values";

/**
 * The result of {@linkcode decideNames}: the names that a CustomResourceDefinition is granted, and
 * the conditions about them.
 */
export interface NamingResult {
  readonly acceptedNames: DefinitionNames;
  readonly namesAccepted: DefinitionCondition;
  readonly established: DefinitionCondition;
}

/**
 * Returns the names that a CustomResourceDefinition is granted, and the conditions about them
 * (`controller/status/naming_controller.go,
 * NamingConditionController.calculateNamesAndConditions`). A requested name is granted if no
 * definition of the group has it, or if this definition has it in the same field; short names are
 * granted all or none. In place of a refused name, the definition keeps its earlier one. `ofGroup`
 * are the accepted names of all definitions of the group. Returns `undefined` if nothing changes.
 */
export function decideNames(
  definition: CustomResourceDefinition,
  ofGroup: Iterable<DefinitionNames>,
): NamingResult | undefined {
  const wanted = definition.spec.names;
  const before = definition.status.acceptedNames;
  if (equalNames(wanted, before)) return undefined;
  const conflicts: DefinitionCondition[] = [];
  const taken = takenNames(ofGroup);
  const accepted: DefinitionNames = { ...before };
  const decide = (
    field: "plural" | "singular" | "kind" | "listKind",
    names: ReadonlySet<string>,
    reason: string,
  ): void => {
    const name = wanted[field] ?? "";
    if (name === (before[field] ?? "") || !names.has(name)) accepted[field] = name;
    else conflicts.push(conflict(reason, [name]));
  };
  decide("plural", taken.resources, "PluralConflict");
  decide("singular", taken.resources, "SingularConflict");
  const clashing = (wanted.shortNames ?? []).filter((name) =>
    !before.shortNames?.includes(name) && taken.resources.has(name)
  );
  if (clashing.length > 0) conflicts.push(conflict("ShortNamesConflict", clashing));
  else assign(accepted, "shortNames", wanted.shortNames);
  decide("kind", taken.kinds, "KindConflict");
  decide("listKind", taken.kinds, "ListKindConflict");
  assign(accepted, "categories", wanted.categories);
  // Only the last of several conflicts is reported.
  const namesAccepted: DefinitionCondition = conflicts.at(-1) ?? {
    type: "NamesAccepted",
    status: "True",
    reason: "NoConflicts",
    message: "no conflicts found",
  };
  const condition = conditionOf(definition, "NamesAccepted");
  const isSame = condition?.status === namesAccepted.status &&
    condition.reason === namesAccepted.reason && condition.message === namesAccepted.message;
  if (isSame && equalNames(accepted, before)) return undefined;
  const established = establishedAfter(definition, namesAccepted.status === "True");
  return { acceptedNames: accepted, namesAccepted, established };
}

function assign(
  names: DefinitionNames,
  field: "shortNames" | "categories",
  value: string[] | undefined,
): void {
  if (value === undefined) delete names[field];
  else names[field] = value;
}

function equalNames(a: DefinitionNames, b: DefinitionNames): boolean {
  const present = (names: DefinitionNames): unknown =>
    Object.fromEntries(Object.entries(names).filter(([, value]) => value?.length));
  return jsonEqual(present(a), present(b));
}

function takenNames(ofGroup: Iterable<DefinitionNames>): {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
} {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const names of ofGroup) {
    for (const name of [names.plural, names.singular ?? "", ...names.shortNames ?? []]) {
      resources.add(name);
    }
    for (const name of [names.kind, names.listKind ?? ""]) kinds.add(name);
  }
  return { resources, kinds };
}

function conflict(reason: string, names: readonly string[]): DefinitionCondition {
  const texts = names.map((name) => `${goQuote(name)} is already in use`);
  const message = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
  return { type: "NamesAccepted", status: "False", reason, message };
}

function establishedAfter(
  definition: CustomResourceDefinition,
  areAccepted: boolean,
): DefinitionCondition {
  const old = conditionOf(definition, "Established");
  if (old?.status !== "True" && areAccepted) {
    return {
      type: "Established",
      status: "False",
      reason: "Installing",
      message: "the initial names have been accepted",
    };
  }
  return old ?? {
    type: "Established",
    status: "False",
    reason: "NotAccepted",
    message: "not all names are accepted",
  };
}
