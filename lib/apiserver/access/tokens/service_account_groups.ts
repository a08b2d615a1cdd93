// Mirrors `authentication/serviceaccount/util.go, MakeGroupNames`.
/** Returns the groups of every service account in a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}
