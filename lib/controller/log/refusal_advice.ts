import {
  hasStatusCause,
  isConflict,
  isForbidden,
  isUnauthorized,
} from "../../client/errors/api_error.ts";
import type { ImpersonateConfig } from "../../client/config/config.ts";

/**
 * A regular expression that matches, anywhere in the message of a Forbidden error, the sentence in
 * which every authorizer of kube-apiserver names the refused call: groups `user`, `verb`,
 * `resource`, `group` (empty for the core group), and, where present, `subresource` and
 * `namespace`.
 */
const RESOURCE = new RegExp(
  /User "(?<user>[^"]*)" cannot (?<verb>[a-z]+) /.source +
    /resource "(?<resource>[a-z0-9][a-z0-9.-]*)(?:\/(?<subresource>[a-z0-9./-]+))?" /.source +
    /in API group "(?<group>[a-z0-9.-]*)" /.source +
    /(?:in the namespace "(?<namespace>[a-z0-9][a-z0-9-]*)"|at the cluster scope)/.source,
);
const PATH = /User "(?<user>[^"]*)" cannot (?<verb>[a-z]+) path "(?<path>\/[\w./-]*)"/;

/** A regular expression that matches a whole, nonempty name that needs no quoting in a shell. */
const PLAIN = /^[\w:.@-]+$/;

/**
 * Reports whether an error is an `ApiError` by which the server refused a server-side apply because
 * other field managers own some of its fields.
 */
export function isFieldConflict(error: unknown): boolean {
  return isConflict(error) && hasStatusCause(error, "FieldManagerConflict");
}

/**
 * Returns advice on how to resolve a refusal by the API server: for unknown credentials, a field
 * manager conflict, or a missing permission. The advice is a clause that ends a log message; it has
 * no braces, which a log message would take for placeholders. Returns `undefined` for other errors,
 * such as a refusal by an admission policy, whose messages say all that is known.
 *
 * @param impersonate The identity that the client impersonates; `undefined` for none.
 */
export function refusalAdvice(
  error: unknown,
  impersonate: ImpersonateConfig | undefined,
): string | undefined {
  if (isUnauthorized(error)) {
    return "the server does not know these credentials: renew the token or the client certificate";
  }
  if (isFieldConflict(error)) {
    return "other field managers own these fields, which no retry changes: leave the fields out, or take " +
      "them over by the option force";
  }
  if (!isForbidden(error)) return undefined;
  const { user = "", ...right } = (RESOURCE.exec(error.message) ?? PATH.exec(error.message))
    ?.groups ?? {};
  if (right.verb === undefined) return undefined;
  const who = asUser(user, impersonate);
  return who === undefined
    ? "grant that right"
    : `grant that right, then check: kubectl auth can-i ${asArguments(right)}${who}`;
}

function asArguments(right: Readonly<Record<string, string | undefined>>): string {
  const { verb, path, resource, group, subresource, namespace } = right;
  if (path) return `${verb} ${path}`;
  return `${verb} ${resource}${group ? `.${group}` : ""}` +
    (subresource ? ` --subresource=${subresource}` : "") +
    (namespace ? ` -n ${namespace}` : " -A");
}

/**
 * Returns the kubectl flags that impersonate the refused user if it is a service account, or the
 * user that the client impersonates; then also the flags for the impersonated groups. For another
 * user returns an empty text, since such a user runs kubectl as itself, and impersonating oneself
 * also needs a permission. Returns `undefined` when a name would have to be quoted in a shell.
 */
function asUser(user: string, impersonate: ImpersonateConfig | undefined): string | undefined {
  const acts = impersonate?.user === user;
  if (!acts && !user.startsWith("system:serviceaccount:")) return "";
  const groups = acts ? impersonate.groups ?? [] : [];
  if (![user, ...groups].every((name) => PLAIN.test(name))) return undefined;
  return [` --as=${user}`, ...groups.map((group) => ` --as-group=${group}`)].join("");
}
