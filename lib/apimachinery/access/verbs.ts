// Mirrors `endpoints/request/requestinfo.go, RequestInfoFactory`.

/**
 * The verbs of resources, by name, and the HTTP method of each
 * (`k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`).
 */
export const VERB_METHODS = {
  create: "POST",
  delete: "DELETE",
  deletecollection: "DELETE",
  get: "GET",
  list: "GET",
  patch: "PATCH",
  update: "PUT",
  watch: "GET",
} as const;

/** A verb of a resource, as discovery and RBAC name it. */
export type Verb = keyof typeof VERB_METHODS;

/** The verbs of resources as a list of names. */
export const VERBS: readonly Verb[] = Object.keys(VERB_METHODS) as Verb[];

/**
 * Returns the verbs that an HTTP method can stand for; none for a method that resources do not
 * have.
 */
export function verbsOfMethod(method: string): readonly Verb[] {
  return VERBS.filter((verb) => VERB_METHODS[verb] === method);
}

/** Returns the verb that an HTTP method stands for on one object; `undefined` for other methods. */
export function verbOfMethod(method: string): Verb | undefined {
  return verbsOfMethod(method === "HEAD" ? "GET" : method)[0];
}
