// Mirrors `registry/rbac/validation/rule.go, DefaultRuleResolver.VisitRulesFor`.
import type { RequestUser } from "@xca/apimachinery/internal/access";
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import type { StoredChange } from "../machinery/registry.ts";
import type { RegistryReader } from "../machinery/registry_reader.ts";
import type { PolicyRule } from "./policy_rule.ts";

/** The API group of RBAC roles and bindings. */
export const RBAC_GROUP = "rbac.authorization.k8s.io";

/** A subject of a RoleBinding or ClusterRoleBinding: a user, a group or a service account. */
interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** A reference to the Role or ClusterRole that a binding grants (`roleRef`). */
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

interface Binding {
  readonly name: string;
  readonly namespace: string;
  readonly subjects: readonly Subject[];
  readonly roleRef: RoleRef;
}

/**
 * A result of {@linkcode RoleRules.of}: an RBAC rule that a user has, with its origin, or the
 * reference to a role that a binding of the user names but that does not exist (`missing`).
 * `source` returns the text that names the binding, for the reason of a decision.
 */
export type GrantedRule =
  | { readonly rule: PolicyRule; readonly source: () => string; readonly missing?: undefined }
  | { readonly missing: RoleRef };

/**
 * A lookup of the RBAC rules of a user in the stored roles and bindings. Parsed objects are cached
 * until a write changes them; the absence of objects is not cached, since users choose the names in
 * their requests.
 */
export class RoleRules {
  readonly #registry: RegistryReader;
  readonly #bindings = new Map<string, readonly Binding[]>();
  readonly #roles = new Map<string, readonly PolicyRule[]>();

  constructor(registry: RegistryReader) {
    this.#registry = registry;
  }

  /**
   * Drops the cached rules of a role that a write has changed, or the cached bindings of the
   * namespace of a changed binding.
   */
  forget({ group, resource, namespace, name }: StoredChange): void {
    if (group !== RBAC_GROUP) return;
    if (resource.endsWith("bindings")) this.#bindings.delete(namespace);
    else this.#roles.delete(`${namespace}/${name}`);
  }

  /**
   * Yields the RBAC rules of a user in a namespace: those granted by ClusterRoleBindings, and those
   * granted by the RoleBindings of the namespace. For an empty namespace, yields the former only.
   * For a binding whose role does not exist, yields the reference to the role.
   */
  *of(user: RequestUser, namespace: string): Iterable<GrantedRule> {
    yield* this.#granted(user, "");
    if (namespace !== "") yield* this.#granted(user, namespace);
  }

  /**
   * Returns the rules of the Role or ClusterRole that a binding names; `undefined` if the role does
   * not exist. `namespace` is that of the binding, in which a Role is looked up.
   */
  ofRole(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const at = ref.kind === "Role" ? namespace : "";
    const key = `${at}/${ref.name}`;
    const cached = this.#roles.get(key);
    if (cached) return cached;
    const resource = ref.kind === "Role" ? "roles" : "clusterroles";
    const role = this.#registry.get(RBAC_GROUP, resource, at, ref.name);
    if (!role) return undefined;
    const rules = rulesOf(role);
    this.#roles.set(key, rules);
    return rules;
  }

  *#granted(user: RequestUser, namespace: string): Iterable<GrantedRule> {
    for (const binding of this.#bindingsOf(namespace)) {
      const subject = binding.subjects.find((each) => isMeant(each, user, namespace));
      if (!subject) continue;
      const rules = this.ofRole(binding.roleRef, namespace);
      if (!rules) yield { missing: binding.roleRef };
      for (const rule of rules ?? []) yield { rule, source: () => sourceText(binding, subject) };
    }
  }

  #bindingsOf(namespace: string): readonly Binding[] {
    const cached = this.#bindings.get(namespace);
    if (cached) return cached;
    const objects = namespace === ""
      ? this.#registry.list(RBAC_GROUP, "clusterrolebindings")
      : this.#registry.list(RBAC_GROUP, "rolebindings", namespace);
    const found = [...objects].map(bindingOf);
    if (found.length > 0) this.#bindings.set(namespace, found);
    return found;
  }
}

/** Returns the rules of a Role or ClusterRole object; empty if it has none. */
export function rulesOf(role: ApiObject): readonly PolicyRule[] {
  return (role["rules"] as readonly PolicyRule[] | null | undefined) ?? [];
}

function bindingOf(object: ApiObject): Binding {
  return {
    name: object.metadata.name!,
    namespace: object.metadata.namespace ?? "",
    subjects: (object["subjects"] as Subject[] | null | undefined) ?? [],
    roleRef: object["roleRef"] as RoleRef,
  };
}

function isMeant(
  { kind, name, namespace }: Subject,
  user: RequestUser,
  bindingNamespace: string,
): boolean {
  if (kind === "User") return user.name === name;
  if (kind === "Group") return user.groups.includes(name);
  const at = namespace || bindingNamespace;
  return kind === "ServiceAccount" && at !== "" &&
    user.name === `system:serviceaccount:${at}:${name}`;
}

function sourceText({ name, namespace, roleRef }: Binding, subject: Subject): string {
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const binding = goQuote(namespace === "" ? name : `${name}/${namespace}`);
  const whom = subject.kind === "ServiceAccount"
    ? `${subject.name}/${subject.namespace || namespace}`
    : subject.name;
  return `${kind} ${binding} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${subject.kind} ${
    goQuote(whom)
  }`;
}
