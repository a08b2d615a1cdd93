// Mirrors `endpoints/request/requestinfo.go, RequestInfoFactory`.

/**
 * A record of the HTTP method of each verb of resources, such as `POST` for `create`
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
 * The name of a verb of resources in discovery and RBAC rules, such as `get` or `deletecollection`.
 */
export type Verb = keyof typeof VERB_METHODS;

/** The list of the names of all verbs of resources. */
export const VERBS: readonly Verb[] = Object.keys(VERB_METHODS) as Verb[];

/**
 * Returns the verbs of resources that an HTTP method can stand for, such as `get`, `list` and
 * `watch` for `GET`; an empty list for a method that resources do not support.
 */
export function verbsOfMethod(method: string): readonly Verb[] {
  return VERBS.filter((verb) => VERB_METHODS[verb] === method);
}

/**
 * Returns the verb that an HTTP method stands for on one object, such as `get` for `GET` and
 * `HEAD`; `undefined` for a method that resources do not support.
 */
export function verbOfMethod(method: string): Verb | undefined {
  return verbsOfMethod(method === "HEAD" ? "GET" : method)[0];
}
