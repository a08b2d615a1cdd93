// Mirrors `core/validation/validation.go, validateContainers`.
import { hasEmptyMap } from "../../../machinery/empty_maps.ts";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  required,
  tooMany,
} from "@xca/apimachinery/internal/errors";
import { dnsLabelProblems, invalidForEach } from "@xca/apimachinery/internal/validation";
import { portNameProblems, portNumberProblems } from "../../../validation/ports.ts";
import { validateEnvironment, validateEnvironmentSources } from "./environment.ts";
import { validateDevices, validateMounts } from "./mounts.ts";
import type { PodRules } from "../common/pod_rules.ts";
import { type Container, isSidecar, type PodSpec, type Volume } from "../common/pod_types.ts";
import { validateLifecycle, validateProbes } from "./probes.ts";
import { validateContainerResources } from "./resource_requirements.ts";
import { validateSecurityContext } from "./security_context.ts";
import { validatePullPolicy } from "../volumes/volumes.ts";

/**
 * The pod spec, the valid volumes by name, the names of the resource claims and the exceptions on
 * which the validation of a pod's containers depends.
 */
export interface ContainerScope {
  readonly spec: PodSpec;
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claims: readonly string[];
  readonly rules: PodRules;
}

type Ports = NonNullable<Container["ports"]>;

const NO_RESTART_POLICY = "must specify restartPolicy when restart rules are used";

/**
 * Validates the regular containers of a pod (`core/validation/validation.go`,
 * `validateContainers`).
 */
export function validateContainers(scope: ContainerScope, path: FieldPath): FieldError[] {
  const containers = scope.spec.containers ?? [];
  if (containers.length === 0) return [required(path)];
  const grace = scope.spec.terminationGracePeriodSeconds;
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = path.index(index);
    const { name = "", lifecycle } = container;
    errors.push(...validateCommon(container, scope, at));
    if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    seen.add(name);
    if (lifecycle) errors.push(...validateLifecycle(lifecycle, grace, at.child("lifecycle")));
    errors.push(...validateProbes(container, grace, at));
    errors.push(...validateRestartPolicy(container, at));
  }
  return [...errors, ...validateHostPorts(containers, path)];
}

/**
 * Validates the init containers of a pod, those with `restartPolicy: Always` (sidecars) included.
 */
export function validateInitContainers(scope: ContainerScope, path: FieldPath): FieldError[] {
  const grace = scope.spec.terminationGracePeriodSeconds;
  const errors: FieldError[] = [];
  const seen = new Set((scope.spec.containers ?? []).map(({ name = "" }) => name));
  for (const [index, container] of (scope.spec.initContainers ?? []).entries()) {
    const at = path.index(index);
    const { name = "", lifecycle, restartPolicy, restartPolicyRules = [] } = container;
    errors.push(...validateCommon(container, scope, at));
    if (restartPolicy !== undefined) errors.push(...validateRestartPolicy(container, at));
    else if (restartPolicyRules.length > 0) {
      errors.push(required(at.child("restartPolicy"), NO_RESTART_POLICY));
    }
    if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    else if (name !== "") seen.add(name);
    errors.push(...validateHostPorts([container], path));
    if (isSidecar(container)) {
      if (lifecycle) errors.push(...validateLifecycle(lifecycle, grace, at.child("lifecycle")));
      errors.push(...validateProbes(container, grace, at));
    } else errors.push(...validateRunOnce(container, at, scope.rules));
  }
  return errors;
}

/**
 * Rejects probes, lifecycle hooks and the resize policy `RestartContainer` of an init container
 * that is not a sidecar. Returns the field errors.
 */
function validateRunOnce(container: Container, path: FieldPath, rules: PodRules): FieldError[] {
  const fields = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const;
  const detail = "may not be set for init containers without restartPolicy=Always";
  const errors = fields.filter((field) => container[field])
    .map((field) => forbiddenField(path.child(field), detail));
  if (rules.allowRestartContainerForInit) return errors;
  for (const [index, { restartPolicy }] of (container.resizePolicy ?? []).entries()) {
    if (restartPolicy !== "RestartContainer") continue;
    const at = path.child("resizePolicy").index(index).child("restartPolicy");
    const why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    errors.push(invalid(at, restartPolicy, why));
  }
  return errors;
}

/** The names of the fields that an ephemeral container cannot have. */
const NOT_EPHEMERAL = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

/** Validates the ephemeral containers of a pod. */
export function validateEphemeralContainers(scope: ContainerScope, path: FieldPath): FieldError[] {
  const { spec } = scope;
  const others = [...spec.containers ?? [], ...spec.initContainers ?? []]
    .map(({ name = "" }) => name);
  const seen = new Set(others);
  const detail = "cannot be set for an Ephemeral Container";
  const errors: FieldError[] = [];
  for (const [index, container] of (spec.ephemeralContainers ?? []).entries()) {
    const at = path.index(index);
    const { name = "", targetContainerName = "" } = container;
    errors.push(...validateCommon(container, scope, at), ...validateImageText(container, at));
    if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    seen.add(name);
    if (targetContainerName !== "" && !others.includes(targetContainerName)) {
      errors.push(notFoundValue(at.child("targetContainerName"), targetContainerName));
    }
    for (const field of NOT_EPHEMERAL) {
      const value: unknown = container[field];
      const isEmpty = value === undefined && !hasEmptyMap(container, field) ||
        (field === "resources" && Object.keys(container.resources!).length === 0);
      if (!isEmpty) errors.push(forbiddenField(at.child(field), detail));
    }
    for (const [mountIndex, mount] of (container.volumeMounts ?? []).entries()) {
      const mountPath = at.child("volumeMounts").index(mountIndex);
      for (const field of ["subPath", "subPathExpr"] as const) {
        if (mount[field]) errors.push(forbiddenField(mountPath.child(field), detail));
      }
    }
  }
  return errors;
}

/**
 * Checks a container's image name for surrounding space, which is rejected in pods but not in
 * templates. Returns the field errors.
 */
export function validateImageText({ image = "" }: Container, path: FieldPath): FieldError[] {
  if (image.trim() === image) return [];
  return [invalid(path.child("image"), image, "must not have leading or trailing whitespace")];
}

function validateCommon(
  container: Container,
  { spec, volumes, claims, rules }: ContainerScope,
  path: FieldPath,
): FieldError[] {
  const { name = "", image, terminationMessagePolicy: policy = "" } = container;
  const errors = name === ""
    ? [required(path.child("name"))]
    : invalidForEach(path.child("name"), name, dnsLabelProblems(name));
  if (!image) errors.push(required(path.child("image")));
  const policies = ["File", "FallbackToLogsOnError"];
  if (!policies.includes(policy)) {
    errors.push(notSupported(path.child("terminationMessagePolicy"), policy, policies));
  }
  const hostUsers = spec.hostUsers !== false;
  return [
    ...errors,
    ...validatePorts(container.ports ?? [], path.child("ports")),
    ...validateEnvironment(container.env ?? [], path.child("env")),
    ...validateEnvironmentSources(container.envFrom ?? [], path.child("envFrom")),
    ...validateMounts(container, volumes, path.child("volumeMounts")),
    ...validateDevices(container, volumes, path.child("volumeDevices")),
    ...validatePullPolicy(container.imagePullPolicy ?? "", path.child("imagePullPolicy")),
    ...validateContainerResources(
      container.resources ?? {},
      claims,
      path.child("resources"),
      rules,
    ),
    ...validateResizePolicy(container, spec, path.child("resizePolicy")),
    ...validateSecurityContext(
      container.securityContext,
      hostUsers,
      path.child("securityContext"),
      rules,
    ),
  ];
}

function validatePorts(ports: Ports, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const { name = "", containerPort = 0, hostPort = 0, protocol = "" } = port;
    const errors: FieldError[] = [];
    if (name !== "") {
      const problems = portNameProblems(name);
      errors.push(...invalidForEach(at.child("name"), name, problems));
      if (problems.length === 0 && seen.has(name)) errors.push(duplicate(at.child("name"), name));
      if (problems.length === 0) seen.add(name);
    }
    const number = at.child("containerPort");
    if (containerPort === 0) errors.push(required(number));
    else errors.push(...invalidForEach(number, containerPort, portNumberProblems(containerPort)));
    if (hostPort !== 0) {
      errors.push(...invalidForEach(at.child("hostPort"), hostPort, portNumberProblems(hostPort)));
    }
    const protocols = ["SCTP", "TCP", "UDP"];
    if (!protocols.includes(protocol)) {
      errors.push(notSupported(at.child("protocol"), protocol, protocols));
    }
    return errors;
  });
}

function validateHostPorts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { ports = [] }] of containers.entries()) {
    for (const [portIndex, { protocol = "", hostIP = "", hostPort = 0 }] of ports.entries()) {
      if (hostPort === 0) continue;
      const shown = `${protocol}/${hostIP}/${hostPort}`;
      const at = path.index(index).child("ports").index(portIndex).child("hostPort");
      if (seen.has(shown)) errors.push(duplicate(at, shown));
      seen.add(shown);
    }
  }
  return errors;
}

function validateResizePolicy(
  { resizePolicy = [] }: Container,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return resizePolicy.flatMap(({ resourceName = "", restartPolicy = "" }, index) => {
    const errors: FieldError[] = [];
    if (seen.has(resourceName)) errors.push(duplicate(path.index(index), resourceName));
    seen.add(resourceName);
    errors.push(...requiredOneOf(resourceName, ["cpu", "memory"], path));
    errors.push(...requiredOneOf(restartPolicy, ["NotRequired", "RestartContainer"], path));
    if (spec.restartPolicy === "Never" && restartPolicy !== "NotRequired") {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, detail));
    }
    return errors;
  });
}

function requiredOneOf(value: string, supported: string[], path: FieldPath): FieldError[] {
  if (value === "") return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** Validates the restart policy of a container and its restart policy rules. */
function validateRestartPolicy(container: Container, path: FieldPath): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const errors: FieldError[] = [];
  const at = path.child("restartPolicy");
  const policies = ["Always", "Never", "OnFailure"];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return [];
    errors.push(required(at, NO_RESTART_POLICY));
  } else if (!policies.includes(restartPolicy)) {
    errors.push(notSupported(at, restartPolicy, policies));
  }
  const rulesPath = path.child("restartPolicyRules");
  if (rules.length > 20) errors.push(tooMany(rulesPath, rules.length, 20));
  for (const [index, { action = "", exitCodes }] of rules.entries()) {
    const rulePath = rulesPath.index(index);
    const actions = ["Restart", "RestartAllContainers"];
    if (!actions.includes(action)) {
      errors.push(notSupported(rulePath.child("action"), action, actions));
    }
    if (!exitCodes) {
      errors.push(required(rulePath.child("exitCodes"), "must be specified"));
      continue;
    }
    const { operator = "", values = [] } = exitCodes;
    const operators = ["In", "NotIn"];
    if (!operators.includes(operator)) {
      errors.push(notSupported(rulePath.child("exitCodes", "operator"), operator, operators));
    }
    if (values.length > 255) {
      errors.push(tooMany(rulePath.child("exitCodes", "values"), values.length, 255));
    }
  }
  return errors;
}
