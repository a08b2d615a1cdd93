/**
 * The names that a generated module imports, declares or refers to, and that no other generated
 * declaration may have.
 */
const TAKEN: readonly string[] = [
  "AnySchema",
  "Array",
  "KubeObject",
  "Record",
  "ResourceType",
  "Stored",
  "StoredOf",
  "UnstructuredObject",
  "V1CustomResourceDefinition",
  "V1JSONSchemaProps",
  "Schema",
  "defineResource",
  "extend",
  "fromJson",
  "resourceType",
  "s",
];

/** The allocator of unique names in a generated module. */
export class Names {
  readonly #taken = new Set<string>(TAKEN);

  /**
   * Returns the first of the candidate names that is not used yet, and reserves it; if all are
   * used, the last one with a number from 2 on.
   */
  take(candidates: readonly string[]): string {
    const last = candidates.at(-1)!;
    const numbered = function* (): Generator<string> {
      yield* candidates;
      for (let number = 2;; number++) yield `${last}${number}`;
    };
    for (const name of numbered()) {
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
    throw new Error("unreachable: the candidates have no end");
  }
}

/**
 * Returns the PascalCase of words, as the name of a type: `MyField` for `my-field`, `Type2fa` for
 * `2fa`.
 */
export function pascalCase(words: string): string {
  const joined = words.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")
    .map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
}

/**
 * Returns the name of one item of a list, by the rules of English spelling: `policy` for
 * `policies`.
 */
export function singular(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return `${plural.slice(0, -3)}y`;
  if (/(ss|sh|ch|x)es$/.test(plural)) return plural.slice(0, -2);
  return /[^s]s$/.test(plural) && !/(us|is)$/.test(plural) ? plural.slice(0, -1) : plural;
}

/**
 * Returns a field's name as TypeScript writes it in types and objects: in quotes unless it is an
 * identifier.
 */
export function fieldName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
