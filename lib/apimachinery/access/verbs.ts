// Mirrors `endpoints/request/requestinfo.go, RequestInfoFactory`.

/**
 * A record of HTTP methods by the API verb that they stand for, such as `POST` for `create`
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

/**
 * The type of the name of an API verb in discovery and RBAC rules, such as `get` or
 * `deletecollection`.
 */
export type Verb = keyof typeof VERB_METHODS;

/** The list of the names of all API verbs of resources. */
export const VERBS: readonly Verb[] = Object.keys(VERB_METHODS) as Verb[];

/**
 * Returns the API verbs that an HTTP method (in upper case) can stand for in a request for a
 * resource, such as `get`, `list` and `watch` for `GET`; an empty list for other methods, also for
 * `HEAD`.
 */
export function verbsOfMethod(method: string): readonly Verb[] {
  return VERBS.filter((verb) => VERB_METHODS[verb] === method);
}

/**
 * Returns the API verb that an HTTP method (in upper case) stands for in a request for one object
 * or a create, such as `get` for `GET` and `HEAD`; `undefined` for a method that resources do not
 * support.
 */
export function verbOfMethod(method: string): Verb | undefined {
  return verbsOfMethod(method === "HEAD" ? "GET" : method)[0];
}
