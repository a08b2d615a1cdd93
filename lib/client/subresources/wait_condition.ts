import type { KubeObject } from "@xca/apimachinery/meta";

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
}

interface WithStatus {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly observedGeneration?: number;
  };
}

/**
 * Parses a condition of `kubectl wait --for` into a function that reports whether an object
 * (`undefined` for one that does not exist) meets the condition.
 *
 * @throws {TypeError} When the text is not `create`, `delete` or `condition=TYPE[=STATUS]`.
 */
export function conditionCheck(text: string): (object: KubeObject | undefined) => boolean {
  if (text === "create") return (object) => object !== undefined;
  if (text === "delete") return (object) => object === undefined;
  const [, type, status = "True"] = /^condition=([^=]+)(?:=(.+))?$/.exec(text) ?? [];
  if (type === undefined) {
    throw new TypeError(
      `Cannot wait for ${JSON.stringify(text)}: it must be create, delete, condition=TYPE or ` +
        `condition=TYPE=STATUS`,
    );
  }
  return (object) => object !== undefined && hasCondition(object, { type, status });
}

/**
 * Reports whether an object has a condition with a status, observed for the current generation if
 * that is stated. Compares without regard to case, as kubectl does.
 */
function hasCondition(
  object: KubeObject,
  wanted: { readonly type: string; readonly status: string },
): boolean {
  const { status } = object as WithStatus;
  const found = status?.conditions?.find(({ type = "" }) => same(type, wanted.type));
  if (!found) return false;
  const observed = found.observedGeneration ?? status?.observedGeneration;
  const { generation } = object.metadata;
  if (observed !== undefined && generation !== undefined && observed < generation) return false;
  return same(found.status ?? "", wanted.status);
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
