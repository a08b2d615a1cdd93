// Mirrors `endpoints/handlers/rest.go, ConnectResource`.

/** The subresources of pods whose connections need two verbs, `get` and `create`. */
const CONNECTIONS: ReadonlySet<string> = new Set([
  "pods/exec",
  "pods/attach",
  "pods/portforward",
]);

/**
 * Returns the RBAC verbs that a GET of a resource or subresource, such as `pods/exec`, needs. A
 * connection to a pod is opened by a GET, and kube-apiserver from 1.35 on also demands `create`.
 */
export function connectVerbs(resource: string): readonly string[] {
  return CONNECTIONS.has(resource) ? ["get", "create"] : ["get"];
}
