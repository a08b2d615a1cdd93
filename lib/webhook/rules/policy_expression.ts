/**
 * A regular expression that matches the tokens of a CEL expression that are names or may contain a
 * text like a name: comments, string literals (raw ones first, in which a backslash escapes
 * nothing), and names. The groups `name` and `dot` are set for names only: the name, and the dot of
 * a selection before it.
 */
const TOKENS = new RegExp(
  [
    /\/\/[^\n]*/,
    /\b(?:[rR][bB]?|[bB][rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"]*"|'[^']*')/,
    /"""(?:\\[\s\S]|[\s\S])*?"""|'''(?:\\[\s\S]|[\s\S])*?'''/,
    /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/,
    /(?<dot>\.\s*\??\s*)?(?<name>\b[A-Za-z_]\w*)/,
  ].map(({ source }) => source).join("|"),
  "g",
);

/**
 * The variable names of admission policies, by those of CEL rules (admission/plugin/cel/compile.go,
 * ObjectVarName).
 */
const NAMES: ReadonlyMap<string, string> = new Map([["self", "object"], ["oldSelf", "oldObject"]]);

/**
 * Returns the expression of a rule over `self` and `oldSelf`, rewritten with the variable names of
 * admission policies.
 */
export function policyExpression(rule: string): string {
  return rule.replaceAll(TOKENS, (token, ...rest) => {
    const { dot, name } = rest.at(-1) as { readonly dot?: string; readonly name?: string };
    return dot === undefined && name !== undefined ? NAMES.get(name) ?? token : token;
  });
}

/** Reports whether the expression of a CEL rule refers to a variable, such as `oldSelf`. */
export function refersTo(rule: string, variable: string): boolean {
  return [...rule.matchAll(TOKENS)].some(({ groups }) =>
    groups?.name === variable && groups.dot === undefined
  );
}
