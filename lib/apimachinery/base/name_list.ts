/**
 * Returns the names that a list selects, as the flag `--controllers` of kube-controller-manager has
 * them: names, `*` for all, and names after a minus sign for those to leave out. Of a name that is
 * both selected and left out the first mention counts.
 */
export function selectNames(list: readonly string[], known: readonly string[]): string[] {
  return known.filter((name) => {
    const mention = list.find((each) => each === name || each === `-${name}`);
    return mention === undefined ? list.includes("*") : mention === name;
  });
}

/** Returns the first name of a list that is not known, without its minus sign. */
export function unknownName(list: readonly string[], known: readonly string[]): string | undefined {
  return list.map((name) => name.replace(/^-/, ""))
    .find((name) => name !== "*" && !known.includes(name));
}
