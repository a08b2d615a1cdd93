import { copyJson, type JsonPatchOperation } from "./json_patch.ts";

/**
 * Returns a copy of a value with a patch applied that `jsonPatchBetween` computed for it. The paths
 * of the patch are not checked, so that other patches may fail.
 */
export function patchedJson<T>(value: T, patch: readonly JsonPatchOperation[]): T {
  const root = { value: copyJson(value) as unknown };
  for (const operation of patch) {
    const keys = ["value", ...operation.path.split("/").slice(1).map(unescaped)];
    const last = keys.pop()!;
    let holder = root as unknown as Record<string, unknown>;
    for (const key of keys) holder = holder[key] as Record<string, unknown>;
    if (Array.isArray(holder)) applyToList(holder, Number(last), operation);
    else if (operation.op === "remove") delete holder[last];
    else Object.defineProperty(holder, last, { ...FIELD, value: copyJson(operation.value) });
  }
  return root.value as T;
}

/**
 * The property attributes of an assigned field; a field named `__proto__` must be defined with
 * these attributes.
 */
const FIELD = { enumerable: true, configurable: true, writable: true };

function applyToList(list: unknown[], at: number, operation: JsonPatchOperation): void {
  if (operation.op === "remove") list.splice(at, 1);
  else list.splice(at, operation.op === "replace" ? 1 : 0, copyJson(operation.value));
}

function unescaped(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}
