import {
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsLabelProblems,
  dnsSubdomainProblems,
  dnsSubdomainWithUnderscoreProblems,
  invalidForEach,
  qualifiedNameProblems,
  rangeProblem,
  validateLabels,
} from "@xca/apimachinery/internal/validation";
import { checkLegacyIp } from "../../validation/ip_fields.ts";
import {
  type ContainerScope,
  validateContainers,
  validateEphemeralContainers,
  validateImageText,
  validateInitContainers,
} from "./containers/containers.ts";
import { internalForm } from "./common/internal_form.ts";
import { MIRROR_POD, validatePodAnnotations, validateProfilesMatch } from "./pod_annotations.ts";
import type { PodRules } from "./common/pod_rules.ts";
import { containersOf, type Meta, type Pod, type PodSpec } from "./common/pod_types.ts";
import {
  validateContainerResources,
  validatePodResources,
} from "./containers/resource_requirements.ts";
import {
  validateAffinity,
  validateSchedulingGates,
  validateSpreadConstraints,
  validateTolerations,
} from "./scheduling/scheduling.ts";
import {
  validateHostUsers,
  validatePodSecurity,
  validateShareProcessNamespace,
} from "./containers/security_context.ts";
import { validateVolumes } from "./volumes/volumes.ts";
import { validateForSystem, validateHostProcesses } from "./containers/windows_options.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** Validates a new pod (`core/validation/validation.go`, `ValidatePodCreate`). */
export function validatePodCreate(pod: Pod, rules: PodRules): FieldError[] {
  const errors = validatePodParts(pod, rules);
  const spec = pod.spec ?? {};
  const path = FieldPath.of("spec");
  if ((spec.ephemeralContainers ?? []).length > 0) {
    errors.push(forbiddenField(path.child("ephemeralContainers"), "cannot be set on create"));
  }
  if (spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
    const detail = "cannot be set until all schedulingGates have been cleared";
    errors.push(forbiddenField(path.child("nodeName"), detail));
  }
  return [...errors, ...validateProfilesMatch(pod.metadata, spec, path)];
}

/**
 * Validates the annotations and the spec of a pod, new or updated, without comparing them with
 * those of the stored pod.
 */
export function validatePodParts(pod: Pod, rules: PodRules): FieldError[] {
  const spec = pod.spec ?? {};
  const path = FieldPath.of("spec");
  const annotations = FieldPath.of("metadata", "annotations");
  const errors = [
    ...validatePodAnnotations(pod.metadata.annotations, spec, annotations, rules),
    ...validatePodSpec(spec, pod.metadata, path, rules),
  ];
  if (!spec.serviceAccountName) {
    for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
      for (const [sourceIndex, source] of (projected?.sources ?? []).entries()) {
        if (!source.serviceAccountToken) continue;
        const at = path.child("volumes").index(index).child("projected", "sources")
          .index(sourceIndex).child("serviceAccountToken");
        const detail = "must not be specified when serviceAccountName is not set";
        errors.push(forbiddenField(at, detail));
      }
    }
  }
  for (const list of ["containers", "initContainers"] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      errors.push(...validateImageText(container, path.child(list).index(index)));
    }
  }
  return errors;
}

/** Validates a pod spec; `metadata` is absent for a pod template. */
export function validatePodSpec(
  spec: PodSpec,
  metadata: Meta | undefined,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const { volumes, errors } = validateVolumes(
    spec.volumes ?? [],
    metadata,
    path.child("volumes"),
    rules,
  );
  const claims = (spec.resourceClaims ?? []).map(({ name = "" }) => name).filter((name) => name);
  const scope: ContainerScope = { spec, volumes, claims, rules };
  return [
    ...errors,
    ...validateClaims(spec, metadata, path.child("resourceClaims")),
    ...validateContainers(scope, path.child("containers")),
    ...validateInitContainers(scope, path.child("initContainers")),
    ...validateEphemeralContainers(scope, path.child("ephemeralContainers")),
    ...validatePodResources(spec, claims, path.child("resources"), rules),
    ...validateHostNetworkPorts(spec, path, rules),
    ...oneOf(spec.restartPolicy, ["Always", "OnFailure", "Never"], path.child("restartPolicy")),
    ...oneOf(spec.dnsPolicy, DNS_POLICIES, path.child("dnsPolicy")),
    ...validateLabels(spec.nodeSelector, path.child("nodeSelector")),
    ...validatePodSecurity(spec, path.child("securityContext"), rules),
    ...validateShareProcessNamespace(spec, path.child("shareProcessNamespace")),
    ...validateAffinity(spec.affinity, path.child("affinity"), rules),
    ...validateDnsConfig(spec, path.child("dnsConfig")),
    ...validateReadinessGates(spec, path.child("readinessGates")),
    ...validateSchedulingGates(spec.schedulingGates ?? [], path.child("schedulingGates")),
    ...validateSpreadConstraints(
      spec.topologySpreadConstraints ?? [],
      path.child("topologySpreadConstraints"),
      rules,
    ),
    ...validateHostProcesses(spec, path),
    ...validateHostUsers(spec, containersOf(spec, path), path, rules),
    ...validateHostnameOverride(spec, path.child("hostnameOverride")),
    ...validateNames(spec, path),
    ...validateTolerations(spec.tolerations ?? [], path.child("tolerations")),
    ...validateHostAliases(spec, path.child("hostAliases")),
    ...validateClasses(spec, path),
    ...spec.overhead
      ? validateContainerResources({ limits: spec.overhead }, [], path.child("overhead"), rules)
      : [],
    ...validateOperatingSystem(spec, path),
    ...validateFileKeys(spec, path),
  ];
}

const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

function oneOf(value: string | undefined, supported: string[], path: FieldPath): FieldError[] {
  if (!value) return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function validateClaims(
  spec: PodSpec,
  metadata: Meta | undefined,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return (spec.resourceClaims ?? []).flatMap((claim, index) => {
    if (metadata?.annotations?.[MIRROR_POD] !== undefined) {
      return [forbiddenField(FieldPath.of(""), "static pods do not support resource claims")];
    }
    const at = path.index(index);
    const { name = "", resourceClaimName, resourceClaimTemplateName } = claim;
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    else if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    else errors.push(...invalidForEach(at.child("name"), name, dnsLabelProblems(name)));
    seen.add(name);
    const shown = internalForm("PodResourceClaim", claim);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be " +
        "specified";
      errors.push(invalid(at, shown, detail));
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      const detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
      errors.push(invalid(at, shown, detail));
    }
    for (const [field, value] of Object.entries({ resourceClaimName, resourceClaimTemplateName })) {
      if (value === undefined) continue;
      errors.push(...invalidForEach(at.child(field), value, dnsSubdomainProblems(value)));
    }
    return errors;
  });
}

function validateHostNetworkPorts(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  if (!spec.hostNetwork) return [];
  return (spec.containers ?? []).flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, portIndex) => {
      if (hostPort === containerPort || (!rules.isPod && hostPort === 0)) return [];
      const at = path.child("containers").index(index).child("ports").index(portIndex);
      const detail = "must match `containerPort` when `hostNetwork` is true";
      return [invalid(at.child("hostPort"), hostPort, detail)];
    })
  );
}

function validateDnsConfig({ dnsConfig, dnsPolicy }: PodSpec, path: FieldPath): FieldError[] {
  if (dnsPolicy === "None") {
    if (!dnsConfig) {
      return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    }
    if ((dnsConfig.nameservers ?? []).length === 0) {
      const detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
      return [required(path.child("nameservers"), detail)];
    }
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  const errors: FieldError[] = [];
  if (nameservers.length > 3) {
    const at = path.child("nameservers");
    errors.push(invalid(at, nameservers, "must not have more than 3 nameservers"));
  }
  for (const [index, address] of nameservers.entries()) {
    errors.push(...checkLegacyIp(path.child("nameservers").index(index), address));
  }
  const at = path.child("searches");
  if (searches.length > 32) {
    errors.push(invalid(at, searches, "must not have more than 32 search paths"));
  }
  if (byteLength(searches.join(" ")) > 2048) {
    const detail = "must not have more than 2048 characters (including spaces) in the search list";
    errors.push(invalid(at, searches, detail));
  }
  for (const [index, search] of searches.entries()) {
    if (search === ".") continue;
    const name = search.endsWith(".") ? search.slice(0, -1) : search;
    const problems = dnsSubdomainWithUnderscoreProblems(name);
    errors.push(...invalidForEach(at.index(index), name, problems));
  }
  for (const [index, { name }] of options.entries()) {
    if (!name) errors.push(required(path.child("options").index(index), "must not be empty"));
  }
  return errors;
}

function validateReadinessGates({ readinessGates = [] }: PodSpec, path: FieldPath): FieldError[] {
  return readinessGates.flatMap(({ conditionType = "" }, index) => {
    const at = path.index(index).child("conditionType");
    return invalidForEach(at, conditionType, qualifiedNameProblems(conditionType));
  });
}

function validateHostnameOverride(spec: PodSpec, path: FieldPath): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return [];
  const errors: FieldError[] = [];
  if (setHostnameAsFQDN) {
    errors.push(forbiddenField(path, "may not be specified when setHostnameAsFQDN is true"));
  }
  if (hostNetwork) {
    errors.push(forbiddenField(path, "may not be specified when hostNetwork is true"));
  }
  if (byteLength(name) > 64) errors.push(tooLong(path, 64));
  return [...errors, ...invalidForEach(path, name, dnsSubdomainProblems(name))];
}

function validateNames(spec: PodSpec, path: FieldPath): FieldError[] {
  const check = (
    field: "serviceAccountName" | "nodeName" | "hostname" | "subdomain",
    problems: (name: string) => string[],
  ) => {
    const name = spec[field];
    return name ? invalidForEach(path.child(field), name, problems(name)) : [];
  };
  const errors = [
    ...check("serviceAccountName", dnsSubdomainProblems),
    ...check("nodeName", dnsSubdomainProblems),
  ];
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32)) {
    const at = path.child("activeDeadlineSeconds");
    errors.push(invalid(at, deadline, rangeProblem(1, MAX_INT32)));
  }
  return [
    ...errors,
    ...check("hostname", dnsLabelProblems),
    ...check("subdomain", dnsLabelProblems),
  ];
}

function validateHostAliases({ hostAliases = [] }: PodSpec, path: FieldPath): FieldError[] {
  return hostAliases.flatMap(({ ip = "", hostnames = [] }, index) => {
    const at = path.index(index);
    return [
      ...checkLegacyIp(at.child("ip"), ip),
      ...hostnames.flatMap((name, nameIndex) =>
        invalidForEach(at.child("hostnames").index(nameIndex), name, dnsSubdomainProblems(name))
      ),
    ];
  });
}

function validateClasses(spec: PodSpec, path: FieldPath): FieldError[] {
  const { priorityClassName, runtimeClassName, preemptionPolicy } = spec;
  const errors: FieldError[] = [];
  if (priorityClassName) {
    const problems = dnsSubdomainProblems(priorityClassName);
    errors.push(...invalidForEach(path.child("priorityClassName"), priorityClassName, problems));
  }
  if (runtimeClassName !== undefined) {
    const problems = dnsSubdomainProblems(runtimeClassName);
    errors.push(...invalidForEach(path.child("runtimeClassName"), runtimeClassName, problems));
  }
  if (preemptionPolicy !== undefined) {
    const policies = ["PreemptLowerPriority", "Never"];
    errors.push(...oneOf(preemptionPolicy, policies, path.child("preemptionPolicy")));
  }
  return errors;
}

function validateOperatingSystem(spec: PodSpec, path: FieldPath): FieldError[] {
  if (!spec.os) return [];
  const { name = "" } = spec.os;
  const at = path.child("os");
  if (name === "") return [required(at.child("name"))];
  if (name !== "linux" && name !== "windows") return [notSupported(at, name, ["linux", "windows"])];
  return validateForSystem(spec, path);
}

/**
 * Checks that each environment variable that is read from a file names an `emptyDir` volume of the
 * pod. Returns the field errors.
 */
function validateFileKeys(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [{ env = [] }, at] of containersOf(spec, path)) {
    for (const [index, { valueFrom }] of env.entries()) {
      if (!valueFrom?.fileKeyRef) continue;
      const { volumeName = "" } = valueFrom.fileKeyRef;
      const where = at.child("env").index(index).child("valueFrom", "fileKeyRef", "volumeName");
      const volume = (spec.volumes ?? []).findLast(({ name }) => name === volumeName);
      if (!volume) errors.push(notFoundValue(where, volumeName));
      else if (!volume.emptyDir) {
        errors.push(invalid(where, volumeName, "referenced volume must be of type emptyDir"));
      }
    }
  }
  return errors;
}
