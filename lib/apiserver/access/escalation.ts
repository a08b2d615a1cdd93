// Mirrors `registry/rbac/clusterrole/policybased/storage.go, Storage.Create` and
// `registry/rbac/escalation_check.go, BindingAuthorized`.
import { isDeepStrictEqual } from "node:util";
import type { Authorizer } from "@xca/apimachinery/internal/access";
import { forbidden, notFound } from "@xca/apimachinery/internal/errors";
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import type { Admission, AdmissionRequest } from "../machinery/admission.ts";
import { joinVerbs, missingRules, type PolicyRule, quotedList, ruleText } from "./policy_rule.ts";
import { MASTERS } from "./role_authorizer.ts";
import { RBAC_GROUP, type RoleRef, type RoleRules, rulesOf } from "./role_rules.ts";

const GUARDED = new Set(["roles", "clusterroles", "rolebindings", "clusterrolebindings"]);

/** The RBAC rules that allow everything, which a role with an aggregation rule can collect. */
const EVERYTHING: readonly PolicyRule[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  { nonResourceURLs: ["*"], verbs: ["*"] },
];

/**
 * An admission plugin that rejects roles and bindings which grant more than the requester holds,
 * unless the requester may `escalate` or `bind`, or is in `system:masters` (RBAC privilege
 * escalation check). Updates of owner references and finalizers alone pass. kube-apiserver does
 * this in the storage of roles, after mutating admission and before validation; so this plugin runs
 * after all other mutating ones.
 */
export class EscalationCheck implements Admission {
  readonly name = "RBACEscalation";
  readonly #rules: RoleRules;
  readonly #authorize: Authorizer;

  constructor(rules: RoleRules, authorize: Authorizer) {
    this.#rules = rules;
    this.#authorize = authorize;
  }

  handles({ context, operation }: AdmissionRequest): boolean {
    const { group, plural } = context.resource;
    return group === RBAC_GROUP && GUARDED.has(plural) &&
      (operation === "CREATE" || operation === "UPDATE") &&
      !context.user.groups.includes(MASTERS);
  }

  mutate(request: AdmissionRequest): void {
    if (request.old && changesForDeletionAlone(request.object!, request.old)) return;
    if (request.context.resource.plural.endsWith("bindings")) this.#checkBinding(request);
    else this.#checkRole(request);
  }

  #checkRole(request: AdmissionRequest): void {
    const { context, old } = request;
    const object = request.object!;
    const { plural } = context.resource;
    if (this.#may(request, "escalate", plural, context.name)) return;
    const name = object.metadata.name ?? "";
    this.#checkHeld(request, rulesOf(object));
    if (plural !== "clusterroles" || !object["aggregationRule"] && !old?.["aggregationRule"]) {
      return;
    }
    if (this.#missing(request, EVERYTHING).length > 0) {
      const why = "must have cluster-admin privileges to use the aggregationRule";
      throw forbidden({ group: RBAC_GROUP, resource: plural }, name, why);
    }
  }

  #checkBinding(request: AdmissionRequest): void {
    const { namespace, resource: { plural } } = request.context;
    const ref = request.object!["roleRef"] as RoleRef | undefined;
    if (ref?.kind !== "Role" && ref?.kind !== "ClusterRole") {
      throw new Error(`unsupported role reference kind: ${goQuote(ref?.kind ?? "")}`);
    }
    const resource = ref.kind === "Role" ? "roles" : "clusterroles";
    if (this.#may(request, "bind", resource, ref.name)) return;
    const rules = this.#rules.ofRole(ref, namespace);
    // Like kube-apiserver, the error names the resource of the binding with the name of the role.
    if (!rules) throw notFound({ group: RBAC_GROUP, resource: plural }, ref.name);
    this.#checkHeld(request, rules);
  }

  #may({ context }: AdmissionRequest, verb: string, resource: string, name: string): boolean {
    return this.#authorize({
      user: context.user,
      verb,
      isResource: true,
      group: RBAC_GROUP,
      version: "*",
      resource,
      subresource: "",
      namespace: context.namespace,
      name,
      path: "",
    }).allowed;
  }

  #missing({ context }: AdmissionRequest, wanted: readonly PolicyRule[]): PolicyRule[] {
    const granted = [...this.#rules.of(context.user, context.namespace)];
    return missingRules(granted.flatMap((each) => each.missing ? [] : [each.rule]), wanted);
  }

  /**
   * Throws an error unless the requester holds all rules that a role or binding would grant.
   *
   * @throws {StatusError} 403 if the requester lacks one of them.
   */
  #checkHeld(request: AdmissionRequest, wanted: readonly PolicyRule[]): void {
    const missing = this.#missing(request, wanted);
    if (missing.length === 0) return;
    const { user, resource: { plural } } = request.context;
    const texts = [...new Set(joinVerbs(missing).map(ruleText))].sort();
    const why = `user ${goQuote(user.name)} (groups=${quotedList(user.groups)}) is attempting ` +
      `to grant RBAC permissions not currently held:\n${texts.join("\n")}`;
    const name = request.object!.metadata.name ?? "";
    throw forbidden({ group: RBAC_GROUP, resource: plural }, name, why);
  }
}

/**
 * Reports whether an update of a role or binding changes no more than the owner references, the
 * finalizers and the managed fields, as the garbage collector does without holding the rules.
 */
function changesForDeletionAlone(object: ApiObject, old: ApiObject): boolean {
  return isDeepStrictEqual(withoutOwners(object), withoutOwners(old));
}

function withoutOwners(object: ApiObject): unknown {
  const { ownerReferences: _o, finalizers: _f, managedFields: _m, ...metadata } = object.metadata;
  return { ...object, metadata };
}
