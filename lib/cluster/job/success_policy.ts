// Mirrors `controller/job/success_policy.go, matchSuccessPolicy`.
import type { V1Job } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import { parseIndexes } from "./completion_indexes.ts";

/**
 * Returns the message about the first success policy rule that the succeeded completion indexes of
 * a Job satisfy; `undefined` if they satisfy none.
 */
export function successMessage(
  { spec }: DeepReadonly<V1Job>,
  succeeded: ReadonlySet<number>,
): string | undefined {
  if (succeeded.size === 0) return undefined;
  const met = (spec?.successPolicy?.rules ?? []).findIndex((rule) => {
    const { succeededIndexes, succeededCount = Infinity } = rule;
    if (succeededIndexes === undefined) return succeeded.size >= succeededCount;
    const required = [...parseIndexes(succeededIndexes)]
      .filter((index) => index < (spec?.completions ?? 0));
    const count = required.filter((index) => succeeded.has(index)).length;
    return required.length > 0 && (count === required.length || count >= succeededCount);
  });
  return met === -1 ? undefined : `Matched rules at index ${met}`;
}
