// Mirrors `endpoints/filters/impersonation/constrained_impersonation.go,
// WithConstrainedImpersonation`.
import type { AccessAttributes, Authorizer, RequestUser } from "@xca/apimachinery/internal/access";
import { badRequest } from "@xca/apimachinery/internal/errors";
import { decodePercent, goQuote } from "@xca/apimachinery/internal/values";
import { NODE_PREFIX } from "./node_authorizer.ts";
import { forbiddenAccess } from "./role_authorizer.ts";
import { serviceAccountGroups } from "./tokens/service_account_groups.ts";

/**
 * The user that a request's impersonation headers name, as {@linkcode wantedUser} returns it,
 * before any check: with UID, groups and extra values. An empty `uid` means that the headers name
 * none.
 */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const EXTRA_PREFIX = "impersonate-extra-";

/**
 * Returns the user that the impersonation headers of a request name; `undefined` if there are none.
 * If the user or UID header is repeated, the first non-empty one counts.
 *
 * @throws {StatusError} 400 if they name groups or other attributes, but no user.
 */
export function wantedUser(headers: Iterable<readonly [string, string]>): WantedUser | undefined {
  let name = "";
  let uid = "";
  const groups: string[] = [];
  const extra: Record<string, string[]> = Object.create(null); // Clients choose the keys.
  for (const [given, value] of headers) {
    const header = given.toLowerCase();
    if (!header.startsWith("impersonate-")) continue;
    if (header === "impersonate-user") name ||= value;
    else if (header === "impersonate-uid") uid ||= value;
    else if (header === "impersonate-group") groups.push(value);
    else if (header.startsWith(EXTRA_PREFIX)) {
      (extra[decodePercent(header.slice(EXTRA_PREFIX.length))] ??= []).push(value);
    }
  }
  if (name !== "") return { name, uid, groups, extra };
  if (uid === "" && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw badRequest(`requested ${goStruct(uid, groups, extra)} without impersonating a user name`);
}

/**
 * Formats a user without a name like Go's `%#v`, as kube-apiserver's impersonation errors show it.
 */
function goStruct(
  uid: string,
  groups: readonly string[],
  extra: Readonly<Record<string, readonly string[]>>,
): string {
  const list = (values: readonly string[]): string =>
    `{${values.map((value) => goQuote(value)).join(", ")}}`;
  const groupText = groups.length === 0 ? "[]string(nil)" : `[]string${list(groups)}`;
  const entries = Object.keys(extra).sort().map((key) =>
    `${goQuote(key)}:[]string${list(extra[key]!)}`
  );
  const extraText = entries.length === 0
    ? "map[string][]string(nil)"
    : `map[string][]string{${entries.join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${groupText}, Extra:${extraText}}`;
}

/**
 * A mode of constrained impersonation: the name of the mode in RBAC verbs, and the users that the
 * mode applies to.
 */
interface Mode {
  /**
   * The name of the impersonation mode in verbs; absent for the legacy mode, whose only verb is
   * `impersonate`.
   */
  readonly name?: "arbitrary-node" | "serviceaccount" | "user-info";
  fits(wanted: WantedUser): boolean;
}

const MODES: readonly Mode[] = [
  { name: "arbitrary-node", fits: (wanted) => hasNameAlone(wanted) && isNode(wanted.name) },
  {
    name: "serviceaccount",
    fits: (wanted) => hasNameAlone(wanted) && serviceAccountOf(wanted.name) !== undefined,
  },
  {
    name: "user-info",
    fits: ({ name }) => !isNode(name) && serviceAccountOf(name) === undefined,
  },
  { fits: () => true },
];

/**
 * Returns the impersonated user, if a constrained mode allows the impersonation and the request, or
 * otherwise the legacy verb `impersonate` allows the impersonation.
 *
 * @throws {StatusError} 403 with the error of the first mode that applies to the wanted user.
 */
export function impersonate(
  wanted: WantedUser,
  asked: AccessAttributes,
  authorize: Authorizer,
): RequestUser {
  let first: unknown;
  for (const mode of MODES) {
    if (!mode.fits(wanted)) continue;
    try {
      return new Impersonation(mode, asked, authorize).check(wanted);
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/**
 * The minimum number of groups or extra values for which the constrained modes try a single check
 * of the right to all of them before a check for each.
 */
const MANY = 4;

class Impersonation {
  readonly #mode: Mode;
  readonly #asked: AccessAttributes;
  readonly #authorize: Authorizer;

  constructor(mode: Mode, asked: AccessAttributes, authorize: Authorizer) {
    this.#mode = mode;
    this.#asked = asked;
    this.#authorize = authorize;
  }

  check(wanted: WantedUser): RequestUser {
    if (this.#mode.name) {
      this.#demand({
        ...this.#asked,
        verb: `impersonate-on:${this.#mode.name}:${this.#asked.verb}`,
      });
    }
    const groups = this.#checkName(wanted);
    if (wanted.uid !== "") this.#demand(this.#attributes("uids", wanted.uid));
    this.#checkGroups(wanted.groups);
    this.#checkExtra(wanted.extra);
    return {
      name: wanted.name,
      ...(wanted.uid !== "" && { uid: wanted.uid }),
      groups: withImpliedGroup(wanted.name, groups),
      ...(Object.keys(wanted.extra).length > 0 && { extra: wanted.extra }),
    };
  }

  /**
   * Checks that the requester may impersonate the user name. Returns the wanted groups of the
   * impersonated user, or else those of a service account or, under `arbitrary-node`, of a node.
   * `system:authenticated` is not added.
   *
   * @throws {StatusError} 403
   */
  #checkName({ name, groups }: WantedUser): readonly string[] {
    const account = serviceAccountOf(name);
    if (account) {
      this.#demand({
        ...this.#attributes("serviceaccounts", account.name),
        namespace: account.namespace,
      });
      return groups.length > 0 ? groups : serviceAccountGroups(account.namespace);
    }
    if (this.#mode.name === "arbitrary-node") {
      this.#demand(this.#attributes("nodes", name.slice(NODE_PREFIX.length)));
      return ["system:nodes"];
    }
    this.#demand(this.#attributes("users", name));
    return groups;
  }

  #checkGroups(groups: readonly string[]): void {
    const all = this.#attributes("groups", "");
    if (this.#mode.name) {
      if (groups.includes("")) {
        throw forbiddenAccess(all, "impersonating the empty string group is not allowed");
      }
      if (groups.includes("system:masters")) {
        const why = "impersonating the system:masters group is not allowed";
        throw forbiddenAccess({ ...all, name: "system:masters" }, why);
      }
      if (groups.length >= MANY && this.#authorize({ ...all, name: "*" }).allowed) return;
    }
    for (const name of groups) this.#demand({ ...all, name });
  }

  #checkExtra(extra: WantedUser["extra"]): void {
    const entries = Object.entries(extra);
    const all = this.#attributes("userextras", "");
    if (this.#mode.name) {
      const why = entries.map(([key, values]) => wrongExtra(key, values)).find(Boolean);
      if (why) throw forbiddenAccess(all, why);
      const count = entries.reduce((sum, [, values]) => sum + values.length, 0);
      const star = { ...all, subresource: "*", name: "*" };
      if (count >= MANY && this.#authorize(star).allowed) return;
    }
    for (const [subresource, values] of entries) {
      for (const name of values) this.#demand({ ...all, subresource, name });
    }
  }

  #demand(attributes: AccessAttributes): void {
    const { allowed, reason } = this.#authorize(attributes);
    if (!allowed) throw forbiddenAccess(attributes, reason);
  }

  #attributes(resource: string, name: string): AccessAttributes {
    // The legacy mode checks users and groups in the core group, and the rest in their own.
    const isOld = !this.#mode.name && ["users", "groups", "serviceaccounts"].includes(resource);
    return {
      user: this.#asked.user,
      verb: this.#mode.name ? `impersonate:${this.#mode.name}` : "impersonate",
      isResource: true,
      group: isOld ? "" : "authentication.k8s.io",
      version: "v1",
      resource,
      subresource: "",
      namespace: "",
      name,
      path: "",
    };
  }
}

function wrongExtra(key: string, values: readonly string[]): string | undefined {
  if (key === "") return "impersonating the empty string key in extra is not allowed";
  if (key !== key.toLowerCase()) {
    return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
  }
  return values.includes("")
    ? "impersonating the empty string value in extra is not allowed"
    : undefined;
}

function withImpliedGroup(name: string, groups: readonly string[]): readonly string[] {
  const outside = "system:unauthenticated";
  if (name !== "system:anonymous" && groups.includes(outside)) return groups;
  const implied = name === "system:anonymous" ? outside : "system:authenticated";
  return groups.includes(implied) ? groups : [...groups, implied];
}

function hasNameAlone({ uid, groups, extra }: WantedUser): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function isNode(name: string): boolean {
  const node = name.slice(NODE_PREFIX.length);
  return name.startsWith(NODE_PREFIX) && node.length <= 253 && SUBDOMAIN.test(node);
}

/**
 * Parses the user name `system:serviceaccount:<namespace>:<name>`; `undefined` for another user,
 * and for an invalid namespace or name.
 */
function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(user) ?? [];
  if (!namespace || !name || namespace.length > 63 || name.length > 253) return undefined;
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace) || !SUBDOMAIN.test(name)) return undefined;
  return { namespace, name };
}
