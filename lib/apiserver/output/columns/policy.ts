// Mirrors `printers/internalversion/printers.go, printRoleBinding` and its siblings.
import { selectorText } from "@xca/apimachinery/internal/validation";
import type { Age, CellsByKind, Tree } from "../cell_text.ts";
import { labelText, orNone } from "../cell_text.ts";
import { humanDuration } from "../human_duration.ts";

/**
 * The functions that return the table cells of kinds about access, certificates, admission,
 * scheduling, disruption budgets, devices and the API itself, by kind.
 */
export const POLICY_CELLS: CellsByKind = {
  "PodDisruptionBudget.policy": ({ metadata, spec, status }, age) => [
    metadata.name,
    String(spec.minAvailable ?? "N/A"),
    String(spec.maxUnavailable ?? "N/A"),
    status?.disruptionsAllowed ?? 0,
    age(metadata.creationTimestamp),
  ],
  "RoleBinding.rbac.authorization.k8s.io": (binding, age) => bindingCells(binding, age),
  "ClusterRoleBinding.rbac.authorization.k8s.io": (binding, age) => bindingCells(binding, age),
  "CertificateSigningRequest.certificates.k8s.io": ({ metadata, spec, status }, age) => [
    metadata.name,
    age(metadata.creationTimestamp),
    spec.signerName || "<none>",
    spec.username ?? "",
    spec.expirationSeconds === undefined ? "<none>" : humanDuration(spec.expirationSeconds * 1000),
    requestStatus(status),
  ],
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": ({ metadata, webhooks }, age) => [
    metadata.name,
    webhooks?.length ?? 0,
    age(metadata.creationTimestamp),
  ],
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": ({ metadata, webhooks }, age) => [
    metadata.name,
    webhooks?.length ?? 0,
    age(metadata.creationTimestamp),
  ],
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec.validations?.length ?? 0,
    paramKind(spec),
    age(metadata.creationTimestamp),
  ],
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec.mutations?.length ?? 0,
    paramKind(spec),
    age(metadata.creationTimestamp),
  ],
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec.policyName ?? "",
    paramName(spec.paramRef),
    age(metadata.creationTimestamp),
  ],
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec.policyName ?? "",
    paramName(spec.paramRef),
    age(metadata.creationTimestamp),
  ],
  "PriorityClass.scheduling.k8s.io": (priority, age) => [
    priority.metadata.name,
    priority.value ?? 0,
    priority.globalDefault ?? false,
    age(priority.metadata.creationTimestamp),
    priority.preemptionPolicy ?? "",
  ],
  "Lease.coordination.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec?.holderIdentity ?? "",
    age(metadata.creationTimestamp),
  ],
  "RuntimeClass.node.k8s.io": ({ metadata, handler }, age) => [
    metadata.name,
    handler ?? "",
    age(metadata.creationTimestamp),
  ],
  "APIService.apiregistration.k8s.io": ({ metadata, spec, status }, age) => [
    metadata.name,
    spec?.service ? `${spec.service.namespace}/${spec.service.name}` : "Local",
    availability(status),
    age(metadata.creationTimestamp),
  ],
  "DeviceClass.resource.k8s.io": ({ metadata }, age) => [
    metadata.name,
    age(metadata.creationTimestamp),
  ],
  "ResourceClaim.resource.k8s.io": (claim, age) => [
    claim.metadata.name,
    claimState(claim),
    age(claim.metadata.creationTimestamp),
  ],
  "ResourceClaimTemplate.resource.k8s.io": ({ metadata }, age) => [
    metadata.name,
    age(metadata.creationTimestamp),
  ],
  "ResourceSlice.resource.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec.nodeName ?? "",
    spec.driver ?? "",
    spec.pool?.name ?? "",
    age(metadata.creationTimestamp),
  ],
  "ClusterTrustBundle.certificates.k8s.io": ({ metadata, spec }) => [
    metadata.name,
    orNone(spec.signerName),
  ],
  "PodCertificateRequest.certificates.k8s.io": ({ metadata, spec, status }) => [
    metadata.name,
    spec.podName ?? "",
    spec.serviceAccountName ?? "",
    spec.nodeName ?? "",
    spec.signerName ?? "",
    outcomeOf(status),
    labelText(spec.unverifiedUserAnnotations),
  ],
  "DeviceTaintRule.resource.k8s.io": ({ metadata, spec: { taint } }, age) => [
    metadata.name,
    taint.key ?? "",
    taint.value ?? "",
    taint.effect ?? "",
    taint.timeAdded ? age(taint.timeAdded) : "",
    age(metadata.creationTimestamp),
  ],
  "StorageVersionMigration.storagemigration.k8s.io": ({ metadata, spec, status }) => [
    metadata.name,
    [spec.resource.resource, spec.resource.group].filter(Boolean).join("."),
    migrationState(status),
  ],
  "CustomResourceDefinition.apiextensions.k8s.io": ({ metadata, spec, status }) => [
    metadata.name,
    spec.scope ?? "",
    servedVersions(spec.versions),
    metadata.creationTimestamp ?? null,
    spec.group ?? "",
    spec.names?.kind ?? "",
    (spec.names?.shortNames ?? []).join(","),
    hasCondition(status, "Established"),
  ],
  "FlowSchema.flowcontrol.apiserver.k8s.io": ({ metadata, spec, status }, age) => [
    metadata.name,
    spec.priorityLevelConfiguration?.name ?? "",
    spec.matchingPrecedence ?? 0,
    spec.distinguisherMethod?.type ?? "<none>",
    age(metadata.creationTimestamp),
    status?.conditions?.find((each: Tree) => each.type === "Dangling")?.status ?? "?",
  ],
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io": ({ metadata, spec }, age) => {
    const queuing = spec.limited?.limitResponse?.queuing;
    return [
      metadata.name,
      spec.type ?? "",
      spec.limited?.nominalConcurrencyShares ?? "<none>",
      queuing?.queues ?? "<none>",
      queuing?.handSize ?? "<none>",
      queuing?.queueLengthLimit ?? "<none>",
      age(metadata.creationTimestamp),
    ];
  },
};

/** Formats the outcome of a PodCertificateRequest; of several conditions the last one decides. */
function outcomeOf(status: Tree): string {
  const outcomes = ["Issued", "Denied", "Failed"];
  const found = (status?.conditions ?? []).map(({ type }: Tree) => type)
    .filter((type: string) => outcomes.includes(type));
  return found.at(-1) ?? "Pending";
}

function migrationState(status: Tree): string {
  const states = ["Running", "Failed", "Succeeded"];
  const found = (status?.conditions ?? []).filter(({ status }: Tree) => status === "True")
    .map(({ type }: Tree) => type).filter((type: string) => states.includes(type));
  return found.at(-1) ?? "Unknown";
}

function servedVersions(versions: Tree): string {
  return (versions ?? []).filter(({ served }: Tree) => served)
    .map(({ name, storage }: Tree) => storage ? `${name}(storage)` : name).sort().join(",");
}

function hasCondition(status: Tree, type: string): boolean {
  return (status?.conditions ?? [])
    .some((each: Tree) => each.type === type && each.status === "True");
}

function bindingCells(
  { metadata, roleRef, subjects }: Tree,
  age: Age,
): unknown[] {
  const of = (kind: string): Tree[] => (subjects ?? []).filter((each: Tree) => each.kind === kind);
  const names = (list: readonly Tree[]): string => list.map(({ name }) => name).join(", ");
  const accounts = of("ServiceAccount").map(({ namespace = "", name }) => `${namespace}/${name}`);
  return [
    metadata.name,
    `${roleRef.kind}/${roleRef.name}`,
    age(metadata.creationTimestamp),
    names(of("User")),
    names(of("Group")),
    accounts.join(", "),
  ];
}

function requestStatus(status: Tree): string {
  const has = (type: string): boolean =>
    status?.conditions?.some((each: Tree) => each.type === type) ?? false;
  let text = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  if (has("Failed")) text += ",Failed";
  return status?.certificate ? `${text},Issued` : text;
}

function paramKind({ paramKind }: Tree): string {
  return paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : "<unset>";
}

function paramName(ref: Tree): string {
  if (ref?.name) return `${ref.namespace || "*"}/${ref.name}`;
  return ref?.selector ? selectorText(ref.selector) : "<unset>";
}

function availability(status: Tree): string {
  const condition = status?.conditions?.find((each: Tree) => each.type === "Available");
  if (!condition) return "Unknown";
  if (condition.status === "True" || !condition.reason) return condition.status;
  return `${condition.status} (${condition.reason})`;
}

function claimState({ metadata, status }: Tree): string {
  const states = metadata.deletionTimestamp ? ["deleted"] : [];
  if (status?.allocation) {
    states.push("allocated");
    if ((status.reservedFor ?? []).length > 0) states.push("reserved");
  } else if (!metadata.deletionTimestamp) states.push("pending");
  return states.join(",");
}
