// Mirrors `apiserver/schema/cel/model/types.go, Escape` of k8s.io/apiserver's CEL environment.

/** Words that CEL reserves, and that a field is therefore escaped for. */
const RESERVED = new Set(
  ("true false null in as break const continue else for function if import let loop package " +
    "namespace return").split(" "),
);

/** Characters that CEL's identifiers cannot have, with their escapes. */
const ESCAPES: Readonly<Record<string, string>> = {
  "__": "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/**
 * Returns the name of a field in CEL expressions: `my-field` is `my__dash__field`. The result of a
 * name with other characters cannot be selected in CEL, which the API server reports.
 */
export function celField(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (part) => ESCAPES[part]!);
}
