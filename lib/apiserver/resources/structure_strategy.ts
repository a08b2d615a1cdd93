import type { ApiObject } from "../machinery/api_object.ts";
import type { KindStrategy } from "../machinery/strategy.ts";

/** What stands in an object beside what it says. */
const COMMON = new Set(["apiVersion", "kind", "metadata", "status"]);

/**
 * A kind of which only the structure is known, and that it has a status: who writes the object does
 * not write that, and who writes the status writes nothing else.
 */
export const STRUCTURE_WITH_STATUS: KindStrategy = {
  prepareForCreate(object): void {
    delete object.status;
  },
  prepareForUpdate(object, old): void {
    restore(object, old, ["status"]);
  },
  status: {
    prepareForUpdate(object, old): void {
      const names = [...Object.keys(object), ...Object.keys(old)];
      restore(object, old, names.filter((name) => !COMMON.has(name)));
    },
  },
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
};

function restore(object: ApiObject, old: ApiObject, names: readonly string[]): void {
  for (const name of names) {
    if (old[name] === undefined) delete object[name];
    else object[name] = structuredClone(old[name]);
  }
}
