/**
 * Matches the tokens of a CEL expression that may contain or be a name: comments, texts (raw ones first,
 * in which a backslash escapes nothing), and names with the dot before them.
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

/** The names of policies for those of rules (admission/plugin/cel/compile.go, ObjectVarName). */
const NAMES: ReadonlyMap<string, string> = new Map([["self", "object"], ["oldSelf", "oldObject"]]);

/** Returns the expression of a rule, over `self` and `oldSelf`, with the names of policies. */
export function policyExpression(rule: string): string {
  return rule.replaceAll(TOKENS, (token, ...rest) => {
    const { dot, name } = rest.at(-1) as { readonly dot?: string; readonly name?: string };
    return dot === undefined && name !== undefined ? NAMES.get(name) ?? token : token;
  });
}

/** Reports whether the expression of a rule refers to a variable, as `oldSelf`. */
export function refersTo(rule: string, variable: string): boolean {
  return [...rule.matchAll(TOKENS)].some(({ groups }) =>
    groups?.name === variable && groups.dot === undefined
  );
}
