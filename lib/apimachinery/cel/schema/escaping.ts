// Mirrors `cel/escaping.go, Escape`.
const RESERVED: ReadonlySet<string> = new Set(
  ("true false null in as break const continue else for function if import let loop package " +
    "namespace return var void while").split(" "),
);

const WORDS: Readonly<Record<string, string>> = {
  "__": "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).map(([sign, word]) => [word.slice(2, -2), sign]),
);

/**
 * Returns the escaped name of a property in CEL expressions; `undefined` for a name that cannot be
 * escaped.
 */
export function escapeProperty(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (sign) => WORDS[sign]!);
}

/**
 * Returns the name of the property that an escaped name in a CEL expression denotes; `undefined`
 * for an invalid escape.
 */
export function unescapeProperty(name: string): string | undefined {
  let isValid = true;
  const property = name.replace(/__[^_]+__/g, (word) => {
    const inner = word.slice(2, -2);
    const sign = SIGNS.get(inner);
    if (sign !== undefined) return sign;
    if (!RESERVED.has(inner) || word.length !== name.length) isValid = false;
    return inner;
  });
  return isValid ? property : undefined;
}
