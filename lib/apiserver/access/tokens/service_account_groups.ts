// Mirrors `authentication/serviceaccount/util.go, MakeGroupNames`.
/**
 * Returns the names of the groups to which each service account of a namespace belongs, without
 * `system:authenticated`.
 */
export function serviceAccountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}
