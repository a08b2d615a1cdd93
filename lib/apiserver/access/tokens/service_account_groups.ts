// Mirrors `authentication/serviceaccount/util.go, MakeGroupNames`.
/** Returns the groups that every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}
