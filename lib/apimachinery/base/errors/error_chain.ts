/**
 * The maximum number of values that are followed in the chain of an error and its causes. Without a
 * limit, a getter that returns a new cause at each call would make the chain endless.
 */
const MOST_CAUSES = 32;

/**
 * Reports whether a value is an instance of a class. Unlike `instanceof`, it never throws: false
 * for a Proxy whose traps throw.
 */
export function isInstance<Type extends abstract new (...args: never[]) => unknown>(
  value: unknown,
  type: Type,
): value is InstanceType<Type> {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/**
 * Returns the `message`, `name` or `stack` of a thrown value; `undefined` when it is not a string
 * or cannot be read. Never throws, whatever getters or Proxies the value has.
 */
export function textMember(value: unknown, name: "message" | "name" | "stack"): string | undefined {
  try {
    const member = (value as Partial<Record<typeof name, unknown>>)[name];
    return typeof member === "string" ? member : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a list of a thrown value and its chain of causes, the outermost first; at most 32 values,
 * each once. Empty for `undefined` and `null`. Only instances of `Error` have a cause that is
 * followed. Never throws.
 */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && !causes.includes(at); at = causeOf(at)) {
    causes.push(at);
    if (causes.length === MOST_CAUSES) break;
  }
  return causes;
}

function causeOf(value: unknown): unknown {
  try {
    return value instanceof Error ? value.cause : undefined;
  } catch {
    return undefined;
  }
}
