import { isMap } from "@xca/apimachinery/internal/values";

/**
 * Returns a message for each option of a resource definition that must be an object or an array and
 * is not, for callers without type checking.
 */
export function shapeProblems(init: unknown): string[] {
  if (!isMap(init)) return ["the definition must be an object"];
  const problems = [
    ...["labels", "annotations"].flatMap((name) => mapProblems(name, init[name])),
    ...optionProblems("", init),
  ];
  const { versions } = init;
  if (versions === undefined) return problems;
  if (!isMap(versions)) return [...problems, ...mapProblems("versions", versions)];
  for (const [name, version] of Object.entries(versions)) {
    const at = `versions.${name}`;
    if (isMap(version)) problems.push(...optionProblems(`${at}.`, version));
    else problems.push(`${at} must be an object, is ${shown(version)}`);
  }
  return problems;
}

function optionProblems(at: string, options: Readonly<Record<string, unknown>>): string[] {
  const { printerColumns: columns = [], selectableFields: paths = [], rules = [] } = options;
  const problems = ["metadata", "subresources", "convert"]
    .flatMap((name) => mapProblems(`${at}${name}`, options[name]));
  const isListOf = (value: unknown, says: (each: unknown) => boolean): boolean =>
    Array.isArray(value) && value.every(says);
  if (!isListOf(columns, isMap)) problems.push(`${at}printerColumns must be an array of columns`);
  if (!isListOf(rules, isMap)) problems.push(`${at}rules must be an array of rules`);
  if (!isListOf(paths, (each) => typeof each === "string")) {
    problems.push(`${at}selectableFields must be an array of paths, such as [".spec.color"]`);
  }
  return problems;
}

function mapProblems(name: string, value: unknown): string[] {
  if (value === undefined || isMap(value)) return [];
  return [`${name} must be an object, is ${shown(value)}`];
}

function shown(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : `of type ${typeof value}`;
}
