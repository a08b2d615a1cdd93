/**
 * Authorizes the requests of kubelets: a node may read the objects that its pods refer to, and
 * write its own objects (plugin/pkg/auth/authorizer/node, `NodeAuthorizer.Authorize`).
 *
 * @module
 */
import type { AccessAttributes, RequestUser } from "@xca/apimachinery/internal/access";
import type { RegistryReader } from "../machinery/registry_reader.ts";
import { fieldTermsOf } from "./field_terms.ts";
import { isRelated } from "./node_references.ts";
import { type PolicyRule, ruleAllows } from "./policy_rule.ts";
import { RBAC_GROUP } from "./role_rules.ts";

/** The prefix of the user names of nodes. */
export const NODE_PREFIX = "system:node:";
const NODES = "system:nodes";
const LEASES = "kube-node-lease";
const OWN_VERBS = ["get", "create", "update", "patch", "delete"];
const READ_VERBS = ["get", "list", "watch"];

/**
 * The decision of the node authorizer: `true` if a request is allowed; otherwise the reason, empty
 * for none, and the RBAC authorizer decides.
 */
type Verdict = true | string;

/**
 * Authorizes a request of a kubelet by the access rights of its node. The verdict on a request of
 * another user (without the prefix `system:node:` or the group `system:nodes`) is empty.
 */
export function authorizeNode(registry: RegistryReader, asked: AccessAttributes): Verdict {
  if (!isNode(asked.user)) return "";
  const node = asked.user.name.slice(NODE_PREFIX.length);
  if (node === "") return `unknown node for user "${asked.user.name}"`;
  const judge = asked.isResource ? JUDGES[`${asked.resource}.${asked.group}`] : undefined;
  return judge ? judge({ registry, node, asked }) : byRules(registry, asked);
}

/** Reports whether a user is a node, as kubelets are. */
export function isNode({ name, groups }: RequestUser): boolean {
  return name.startsWith(NODE_PREFIX) && groups.includes(NODES);
}

interface Question {
  readonly registry: RegistryReader;
  readonly node: string;
  readonly asked: AccessAttributes;
}

const JUDGES: Readonly<Record<string, (question: Question) => Verdict>> = {
  "secrets.": readOfNamespace,
  "configmaps.": readOfNamespace,
  "persistentvolumeclaims.": (question) => {
    const { subresource, verb } = question.asked;
    if (subresource !== "status") return getOne(question);
    const mayChange = verb === "update" || verb === "patch";
    return mayChange ? related(question) : "can only get/update/patch this type";
  },
  "persistentvolumes.": getOne,
  "resourceclaims.resource.k8s.io": getOne,
  "volumeattachments.storage.k8s.io": getOne,
  "serviceaccounts.": serviceAccount,
  "leases.coordination.k8s.io": lease,
  "csinodes.storage.k8s.io": csiNode,
  "resourceslices.resource.k8s.io": resourceSlice,
  "nodes.": ownNode,
  "pods.": pod,
};

/**
 * Decides a node's request by the rules of the ClusterRole `system:node`, to which no user is
 * bound. Without a rule that allows the request, the verdict is an empty reason.
 */
function byRules(registry: RegistryReader, asked: AccessAttributes): Verdict {
  const role = registry.get(RBAC_GROUP, "clusterroles", "", "system:node");
  const rules = (role?.["rules"] ?? []) as readonly PolicyRule[];
  return rules.some((rule) => ruleAllows(rule, asked)) || "";
}

function related({ registry, node, asked }: Question): Verdict {
  if (asked.name === "") return "No Object name found";
  return isRelated(registry, node, asked) ||
    `no relationship found between node '${node}' and this object`;
}

function getOne(question: Question): Verdict {
  const { verb, subresource } = question.asked;
  if (verb !== "get") return "can only get individual resources of this type";
  return subresource === "" ? related(question) : "cannot get subresource";
}

function readOfNamespace(question: Question): Verdict {
  const { verb, subresource, namespace } = question.asked;
  if (!READ_VERBS.includes(verb)) return "can only read resources of this type";
  if (subresource !== "") return "cannot read subresource";
  return namespace === "" ? "can only read namespaced object of this type" : related(question);
}

function serviceAccount(question: Question): Verdict {
  const { verb, subresource, name } = question.asked;
  if (verb === "get" && subresource === "") return readOfNamespace(question);
  if (verb !== "create" || name === "") {
    return "can only create tokens for individual service accounts";
  }
  return subresource === "token"
    ? related(question)
    : "can only create token subresource of serviceaccount";
}

function lease({ node, asked: { verb, namespace, name } }: Question): Verdict {
  if (!OWN_VERBS.includes(verb)) {
    return "can only get, create, update, patch, or delete a node lease";
  }
  if (namespace !== LEASES) return `can only access leases in the "${LEASES}" system namespace`;
  return verb === "create" || name === node ||
    "can only access node lease with the same name as the requesting node";
}

function csiNode({ node, asked: { verb, subresource, name } }: Question): Verdict {
  if (!OWN_VERBS.includes(verb)) return "can only get, create, update, patch, or delete a CSINode";
  if (subresource !== "") return "cannot authorize CSINode subresources";
  return verb === "create" || name === node ||
    "can only access CSINode with the same name as the requesting node";
}

function resourceSlice(question: Question): Verdict {
  const { verb, subresource } = question.asked;
  if (subresource !== "") return "cannot authorize ResourceSlice subresources";
  if (verb === "create") return true;
  if (OWN_VERBS.includes(verb)) return related(question);
  if (verb === "list" || verb === "watch" || verb === "deletecollection") {
    return selectsNode(question) ||
      "can only list/watch/deletecollection resourceslices with nodeName field selector";
  }
  return "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, " +
    "update, patch, delete, deletecollection";
}

function ownNode({ node, asked: { verb, subresource, name } }: Question): Verdict {
  if (subresource === "status") return verb === "update" || verb === "patch" || "";
  if (subresource !== "") return "";
  if (["create", "update", "patch"].includes(verb)) return true;
  if (!READ_VERBS.includes(verb)) return "";
  if (name === node) return true;
  return name === ""
    ? `node '${node}' cannot read all nodes, only its own Node object`
    : `node '${node}' cannot read '${name}', only its own Node object`;
}

function pod(question: Question): Verdict {
  const { verb, subresource, name } = question.asked;
  if (subresource === "status") return verb === "update" || verb === "patch" || "";
  if (subresource === "eviction") return verb === "create" || "";
  if (subresource !== "") return "";
  if (verb === "get") return related(question);
  if (verb === "create" || verb === "delete") return true;
  if (verb !== "list" && verb !== "watch") return "";
  if (selectsNode(question)) return true;
  return name === ""
    ? "can only list/watch pods with spec.nodeName field selector"
    : related(question);
}

/**
 * Reports whether the field selector of a kubelet's request restricts it to objects of its own
 * node.
 */
function selectsNode({ node, asked: { fieldSelector = "" } }: Question): boolean {
  return fieldTermsOf(fieldSelector)
    .some(({ field, equal, value }) => equal && field === "spec.nodeName" && value === node);
}
