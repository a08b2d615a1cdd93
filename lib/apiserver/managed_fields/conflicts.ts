// Mirrors `managedfields/internal/conflict.go, NewConflictError`.
import { applyConflict, type StatusError } from "@xca/apimachinery/internal/errors";
import { goQuote, sortTexts } from "@xca/apimachinery/internal/values";
import { type FieldSet, forEachPath } from "./field_set/field_set.ts";
import type { Managed } from "./managed_entries.ts";
import { showPath } from "./field_set/path_element.ts";

/**
 * A conflict of a server-side apply: a field that the apply would change and that another field
 * manager owns.
 */
export interface Conflict {
  readonly managerId: string;
  readonly manager: Managed;
  readonly path: readonly string[];
}

/** The error for a server-side apply that conflicts with other field managers. */
export class ConflictsError extends Error {
  override readonly name = "ConflictsError";
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/**
 * Returns the conflicts of a server-side apply with one field manager: one for each path of `set`.
 */
export function conflictsWith(managerId: string, manager: Managed, set: FieldSet): Conflict[] {
  const conflicts: Conflict[] = [];
  forEachPath(set, (path) => conflicts.push({ managerId, manager, path }));
  return conflicts;
}

/** Returns the 409 error about the conflicts of a server-side apply. */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${showManager(manager)}`,
    field: showPath(path),
  }));
  return applyConflict(causes, conflictMessage(conflicts));
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  if (conflicts.length === 1) {
    const [{ manager, path }] = conflicts as [Conflict];
    return `Apply failed with 1 conflict: conflict with ${showManager(manager)}: ${showPath(path)}`;
  }
  const byManager = Map.groupBy(conflicts, ({ managerId }) => managerId);
  const lines = sortTexts([...byManager.keys()]).flatMap((id) => {
    const group = byManager.get(id)!;
    return [
      `conflicts with ${showManager(group[0]!.manager)}:`,
      ...group.map(({ path }) => `- ${showPath(path)}`),
    ];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function showManager({ manager, subresource, operation, apiVersion }: Managed): string {
  const name = goQuote(manager);
  const where = subresource === "" ? name : `${name} with subresource ${goQuote(subresource)}`;
  return operation === "Update" ? `${where} using ${apiVersion}` : where;
}
