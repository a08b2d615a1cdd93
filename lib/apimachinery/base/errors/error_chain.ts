/** Maximum length of an error's chain of causes; a getter may return a new cause at each call. */
const MOST_CAUSES = 32;

/**
 * Reports whether a value is an instance of a class. Never throws, where `instanceof` runs the traps of a
 * Proxy.
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
 * Returns a member of a thrown value when it is a string. Never throws, whatever getters or Proxies the
 * value brings.
 */
export function textMember(value: unknown, name: "message" | "name" | "stack"): string | undefined {
  try {
    const member = (value as Partial<Record<typeof name, unknown>>)[name];
    return typeof member === "string" ? member : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a thrown value and its causes, the outermost first. Never throws. */
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
