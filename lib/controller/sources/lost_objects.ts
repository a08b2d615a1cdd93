import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { FailingKey } from "../ports/operator_progress.ts";
import type { View, Views } from "./view.ts";

/** The text that stands for the key of an object whose name could not be decoded. */
const UNKNOWN = "(unknown)";

/**
 * Returns a failure for each object of a controller's sources that could not be decoded or
 * transformed and is not cached in an earlier version: the controller receives no event of the
 * object, and no retry of its own can repair that.
 */
export function lostObjects(
  { name: controller, sources }: Pick<ControllerDefinition, "name" | "sources">,
  { perSource }: Pick<Views, "perSource">,
): FailingKey[] {
  const seen = new Set<View>();
  const lost: FailingKey[] = [];
  for (const [at, { type, relation }] of sources.entries()) {
    for (const view of perSource[at]!) {
      if (seen.has(view)) continue;
      seen.add(view);
      for (const key of view.informer.indexer.lost) {
        lost.push({
          controller,
          key: key ?? UNKNOWN,
          ...(relation !== "for" && { mapping: type.id }),
          error: `the object of ${type.id} could not be decoded or transformed (the log says why)`,
          attempts: 1,
          nextTryInMs: undefined,
        });
      }
    }
  }
  return lost;
}
