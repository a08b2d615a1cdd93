// Mirrors `api/meta/conditions.go, SetStatusCondition`.

/** A status condition, with the fields that {@linkcode setCondition} needs. */
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | Date;
}

/**
 * Sets a condition in the list of a status, in place. The condition replaces an existing one of the
 * same type, whose `lastTransitionTime` it keeps unless the status changes, or is added at the end
 * (`meta.SetStatusCondition`).
 */
export function setCondition<C extends Condition>(conditions: C[], condition: C): void {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[at];
  if (!before) conditions.push(condition);
  else if (before.status !== condition.status) conditions[at] = condition;
  else conditions[at] = { ...condition, lastTransitionTime: before.lastTransitionTime };
}
