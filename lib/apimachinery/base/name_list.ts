/**
 * Returns the known names that a list selects, in the order of `known`. The list has the syntax of
 * the flag `--controllers` of kube-controller-manager: names, `*` for all, and names after a minus
 * sign, which are left out. If a name is both selected and left out, its first mention counts.
 */
export function selectNames(list: readonly string[], known: readonly string[]): string[] {
  return known.filter((name) => {
    const mention = list.find((each) => each === name || each === `-${name}`);
    return mention === undefined ? list.includes("*") : mention === name;
  });
}

/**
 * Returns the first name of a list, without its minus sign, that is neither known nor `*`;
 * `undefined` when all are known.
 */
export function unknownName(list: readonly string[], known: readonly string[]): string | undefined {
  return list.map((name) => name.replace(/^-/, ""))
    .find((name) => name !== "*" && !known.includes(name));
}
