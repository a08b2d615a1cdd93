/** The fields that the kubelet and the API server set. */
const LEFT_OUT = new Set(["apiVersion", "imageID", "lastState", "qosClass"]);

/** The default values of fields, which the API server fills in and no controller decides. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  kind: ["Pod"],
  blockOwnerDeletion: [true],
  controller: [true],
  dnsPolicy: ["ClusterFirst"],
  enableServiceLinks: [true],
  imagePullPolicy: ["Always", "IfNotPresent"],
  preemptionPolicy: ["PreemptLowerPriority"],
  priority: [0],
  resources: [{}],
  schedulerName: ["default-scheduler"],
  securityContext: [{}],
  serviceAccount: ["default"],
  serviceAccountName: ["default"],
  terminationGracePeriodSeconds: [30],
  terminationMessagePath: ["/dev/termination-log"],
  terminationMessagePolicy: ["File"],
};

/**
 * Returns a settled state without the fields that the API server sets: defaults, and the specs of
 * pods and templates except for labels, annotations, images and the fields that controllers set.
 * Equal objects are listed once, with their number.
 */
export function compactState(state: unknown): Record<string, unknown> {
  const kinds = Object.entries(state as Record<string, unknown[]>);
  return Object.fromEntries(
    kinds.filter(([, items]) => items.length > 0).map(([kind, items]) => [
      kind,
      counted(items.map((item) => compact(item, ""))),
    ]),
  );
}

/** Returns the distinct items of a list, each with the number of its occurrences. */
function counted(items: readonly unknown[]): unknown[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(item));
  return [...groups.values()].map(([item, ...others]) => {
    if (others.length === 0) return item;
    return typeof item === "string"
      ? `${others.length + 1} times ${item}`
      : { times: others.length + 1, ...item as object };
  });
}

function compact(value: unknown, field: string): unknown {
  if (Array.isArray(value)) {
    if (field === "conditions") return value.map(conditionText);
    if (field === "tolerations") return value.filter((item) => !isDefaultToleration(item));
    if (field === "containers" || field === "containerStatuses") {
      return value.map((item) => shortened(compact(item, "")));
    }
    return value.map((item) => compact(item, ""));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name, item]) => !isDefault(name, item) && !LEFT_OUT.has(name))
    .map(([name, item]) => [name, compact(item, name)] as const)
    .filter(([, item]) => !isEmpty(item));
  return Object.fromEntries(entries);
}

function conditionText(condition: Record<string, string>): string {
  const { type, status, reason, message } = condition;
  const head = [`${type}=${status}`, reason].filter(Boolean).join(" ");
  return message ? `${head}: ${message}` : head;
}

/** Returns a container or its status, as one text if it has few fields. */
function shortened(item: unknown): unknown {
  const fields = Object.entries(item as Record<string, unknown>)
    .map(([name, field]) => `${name}=${typeof field === "string" ? field : JSON.stringify(field)}`);
  return fields.join(" ");
}

function isDefault(name: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  return DEFAULTS[name]?.some((each) => JSON.stringify(each) === text) ?? false;
}

function isDefaultToleration(item: { key?: string; tolerationSeconds?: number }): boolean {
  return item.tolerationSeconds === 300 && (item.key ?? "").startsWith("node.kubernetes.io/");
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
