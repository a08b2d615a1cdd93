// Mirrors `util/flowcontrol/rule.go, matchesFlowSchema` and `util/flowcontrol/apf_controller.go,
// configController`.
import type { AccessAttributes, RequestUser } from "@xca/apimachinery/internal/access";
import type { StoredChange } from "../machinery/registry.ts";
import type { RegistryReader } from "../machinery/registry_reader.ts";

const FLOW_GROUP = "flowcontrol.apiserver.k8s.io";
const ALL = "*";

/**
 * The UIDs of the FlowSchema and the priority level (API priority and fairness) of a request, which
 * {@linkcode FlowSchemas.of} returns for the response headers.
 */
export interface Flow {
  /** The UID of the FlowSchema that the request matches. */
  readonly schemaUid: string;
  /** The UID of the PriorityLevelConfiguration that the FlowSchema names. */
  readonly levelUid: string;
}

interface FlowSubject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

interface PathRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

interface FlowRules {
  readonly subjects: readonly FlowSubject[];
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly PathRule[];
}

interface FlowSchemaSpec {
  readonly matchingPrecedence?: number;
  readonly priorityLevelConfiguration: { readonly name: string };
  readonly rules?: readonly FlowRules[];
}

interface RankedSchema {
  readonly name: string;
  readonly precedence: number;
  readonly rules: readonly FlowRules[];
  readonly flow: Flow;
}

/** The default `matchingPrecedence` of a FlowSchema. */
const DEFAULT_PRECEDENCE = 1000;

/**
 * A classifier of requests by FlowSchema (API priority and fairness), for the response headers of
 * kube-apiserver. This server never queues requests, so that the FlowSchema affects the headers
 * only.
 */
export class FlowSchemas {
  readonly #registry: RegistryReader;
  #ranked: readonly RankedSchema[] | undefined;

  constructor(registry: RegistryReader) {
    this.#registry = registry;
  }

  /** Drops the cached FlowSchemas after a write of a FlowSchema or a PriorityLevelConfiguration. */
  forget({ group }: StoredChange): void {
    if (group === FLOW_GROUP) this.#ranked = undefined;
  }

  /**
   * Returns the UIDs of the FlowSchema that a request matches and of its priority level. Returns
   * `undefined` if no FlowSchema matches, and for every long-running request except a watch.
   */
  of(asked: AccessAttributes): Flow | undefined {
    if (asked.verb !== "watch" && isLongRunning(asked)) return undefined;
    return this.#schemas().find(({ rules }) => rules.some((rule) => matches(rule, asked)))?.flow;
  }

  /** Returns all FlowSchemas whose priority level exists, in matching order. */
  #schemas(): readonly RankedSchema[] {
    return this.#ranked ??= [...this.#registry.list(FLOW_GROUP, "flowschemas")].flatMap(
      (schema) => {
        const { name, uid } = schema.metadata;
        const spec = schema["spec"] as unknown as FlowSchemaSpec;
        const level = spec.priorityLevelConfiguration.name;
        const found = this.#registry.get(FLOW_GROUP, "prioritylevelconfigurations", "", level);
        if (!found) return [];
        const flow = { schemaUid: uid ?? "", levelUid: found.metadata.uid ?? "" };
        const precedence = spec.matchingPrecedence ?? DEFAULT_PRECEDENCE;
        return [{ name: name!, precedence, rules: spec.rules ?? [], flow }];
      },
    ).sort((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1));
  }
}

/**
 * Reports whether a request may run indefinitely by kube-apiserver's defaults: a watch, a proxy, or
 * a subresource `attach`, `exec`, `log` or `portforward` (`server/filters/longrunning.go,
 * BasicLongRunningRequestCheck`).
 */
export function isLongRunning(asked: Omit<AccessAttributes, "user">): boolean {
  const { verb, isResource, subresource } = asked;
  return verb === "watch" || verb === "proxy" ||
    (isResource && ["attach", "exec", "proxy", "log", "portforward"].includes(subresource));
}

function matches(rules: FlowRules, asked: AccessAttributes): boolean {
  if (!rules.subjects.some((subject) => isMeant(subject, asked.user))) return false;
  return asked.isResource
    ? rules.resourceRules?.some((rule) => matchesResource(rule, asked)) ?? false
    : rules.nonResourceRules?.some((rule) => matchesPath(rule, asked)) ?? false;
}

function isMeant({ kind, user, group, serviceAccount }: FlowSubject, asking: RequestUser): boolean {
  switch (kind) {
    case "User":
      return user?.name === ALL || user?.name === asking.name;
    case "Group":
      return group !== undefined && (group.name === ALL || asking.groups.includes(group.name));
    case "ServiceAccount": {
      if (!serviceAccount) return false;
      const { namespace, name } = serviceAccount;
      const prefix = `system:serviceaccount:${namespace}:`;
      return name === ALL ? asking.name.startsWith(prefix) : asking.name === prefix + name;
    }
    default:
      return false;
  }
}

function matchesResource(rule: ResourceRule, asked: AccessAttributes): boolean {
  const { verb, resource, subresource, group, namespace } = asked;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  if (!has(rule.verbs, verb) || !has(rule.resources, what) || !has(rule.apiGroups, group)) {
    return false;
  }
  return namespace === "" ? rule.clusterScope === true : has(rule.namespaces ?? [], namespace);
}

function matchesPath(rule: PathRule, { verb, path }: AccessAttributes): boolean {
  return has(rule.verbs, verb) && rule.nonResourceURLs.some((url) => {
    if (url === ALL || url === path) return true;
    const prefix = url.endsWith("*") ? url.slice(0, -1) : url;
    return path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
  });
}

/**
 * Reports whether a list in a FlowSchema rule contains a value. `*` means every value only if it is
 * the single element.
 */
function has(list: readonly string[], value: string): boolean {
  return (list.length === 1 && list[0] === ALL) || list.includes(value);
}
