import { type FieldPath, FieldPath as Path } from "@xca/apimachinery/internal/errors";
import { labelValueProblems } from "@xca/apimachinery/internal/validation";
import { goQuote, isWholeQuantity } from "@xca/apimachinery/internal/values";
import { sameValue } from "../../validation/immutable.ts";
import { ipWarnings } from "../../validation/ip_fields.ts";
import { fileOverlapWarnings } from "./file_overlaps.ts";
import type { NodeTerm } from "./scheduling/node_affinity.ts";
import { APP_ARMOR, appArmorProfileOf, SECCOMP_CONTAINER, SECCOMP_POD } from "./pod_annotations.ts";
import { type Container, containersOf, type Meta, type PodSpec } from "./common/pod_types.ts";
import { portWarnings } from "./port_warnings.ts";

const DEPRECATED_NODE_LABELS: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region":
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone":
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type":
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods":
    "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

const DEPRECATED_ANNOTATIONS: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod":
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
};

const DEPRECATED_VOLUMES = [
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", "ephemeral", ""],
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/**
 * Returns the warnings about a pod or pod template (`api/pod/warnings.go`, `GetWarningsForPod`);
 * `path` is the field path of the template, absent for a pod.
 */
export function podWarnings(spec: PodSpec, metadata: Meta = {}, path?: FieldPath): string[] {
  const root = path ?? Path.root;
  const at = root.child("spec");
  const annotations = metadata.annotations ?? {};
  const annotationsPath = root.child("metadata", "annotations");
  const warnings = [
    ...schedulingWarnings(spec, at),
    ...Object.entries(DEPRECATED_ANNOTATIONS)
      .filter(([name]) => annotations[name] !== undefined)
      .map(([name, message]) => `${annotationsPath.key(name)}: ${message}`),
    ...volumeWarnings(spec, at.child("volumes")),
    ...fileOverlapWarnings(spec.volumes ?? []),
    ...repeatedWarnings(spec, at),
    ...fractionWarnings(spec.overhead, at.child("overhead")),
  ];
  if (!spec.securityContext?.seccompProfile && annotations[SECCOMP_POD] !== undefined) {
    warnings.push(`${annotationsPath.key(SECCOMP_POD)}: ${SECCOMP}`);
  }
  for (const [container, where] of containersOf(spec, at)) {
    warnings.push(...profileWarnings(container, spec, annotations, annotationsPath, path));
    warnings.push(...containerWarnings(container, where));
  }
  warnings.push(...portWarnings(spec, at));
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const field = at.child("terminationGracePeriodSeconds");
    warnings.push(`${field}: must be >= 0; negative values are invalid and will be treated as 1`);
  }
  warnings.push(...affinityWarnings(spec, at.child("affinity")));
  for (const [index, address] of (spec.dnsConfig?.nameservers ?? []).entries()) {
    warnings.push(...ipWarnings(at.child("dnsConfig", "nameservers").index(index), address));
  }
  for (const [index, { ip = "" }] of (spec.hostAliases ?? []).entries()) {
    warnings.push(...ipWarnings(at.child("hostAliases").index(index).child("ip"), ip));
  }
  return warnings;
}

const NULL_SELECTOR = "a null labelSelector results in matching no pod";

function schedulingWarnings(spec: PodSpec, path: FieldPath): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const message = DEPRECATED_NODE_LABELS[key];
    if (message) warnings.push(`${path.child("nodeSelector").key(key)}: ${message}`);
  }
  const affinity = spec.affinity?.nodeAffinity;
  const at = path.child("affinity", "nodeAffinity");
  const needed = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const neededPath = at.child(
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  );
  for (const [index, term] of needed.entries()) {
    warnings.push(...termWarnings(term, neededPath.index(index), false));
  }
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferredPath = at.child("preferredDuringSchedulingIgnoredDuringExecution");
  for (const [index, { preference = {} }] of preferred.entries()) {
    const where = preferredPath.index(index).child("preference");
    warnings.push(...termWarnings(preference, where, true));
  }
  for (const [index, constraint] of (spec.topologySpreadConstraints ?? []).entries()) {
    const { topologyKey = "", labelSelector } = constraint;
    const where = path.child("topologySpreadConstraints").index(index);
    const message = DEPRECATED_NODE_LABELS[topologyKey];
    if (message) warnings.push(`${where.child("topologyKey")}: ${topologyKey} is ${message}`);
    if (!labelSelector) warnings.push(`${where.child("labelSelector")}: ${NULL_SELECTOR}`);
  }
  return warnings;
}

/**
 * Returns the warnings about a node selector term: about deprecated label keys and, with
 * `checkValues`, about invalid label values.
 */
export function termWarnings(term: NodeTerm, path: FieldPath, checkValues: boolean): string[] {
  const warnings: string[] = [];
  for (const [index, { key = "", values = [] }] of (term.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    const message = DEPRECATED_NODE_LABELS[key];
    if (message) warnings.push(`${at.child("key")}: ${key} is ${message}`);
    if (!checkValues) continue;
    for (const [valueIndex, value] of values.entries()) {
      for (const problem of labelValueProblems(value)) {
        warnings.push(`${at.child("values").index(valueIndex)}: ${value} is invalid, ${problem}`);
      }
    }
  }
  return warnings;
}

function volumeWarnings({ volumes = [] }: PodSpec, path: FieldPath): string[] {
  return volumes.flatMap((volume, index) =>
    DEPRECATED_VOLUMES.filter(([field]) => volume[field]).flatMap(([field, shown, message]) => {
      const at = path.index(index).child(shown);
      if (field !== "ephemeral") return [`${at}: ${message}`];
      const { resources } = volume.ephemeral?.volumeClaimTemplate?.spec ?? {};
      return claimWarnings(resources, at.child("volumeClaimTemplate", "spec"));
    })
  );
}

/** Returns the warnings about fractional storage requests and limits of a PersistentVolumeClaim. */
export function claimWarnings(
  resources:
    | { requests?: Record<string, string>; limits?: Record<string, string> }
    | undefined,
  path: FieldPath,
): string[] {
  return (["requests", "limits"] as const).flatMap((field) => {
    const { storage } = resources?.[field] ?? {};
    const at = path.child("resources", field);
    return fractionWarnings(storage === undefined ? {} : { storage }, at, ["storage"]);
  });
}

function fractionWarnings(
  quantities: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  names: readonly string[] = ["memory", "ephemeral-storage"],
): string[] {
  return names.flatMap((name) => {
    const quantity = quantities?.[name];
    if (quantity === undefined || isWholeQuantity(quantity)) return [];
    const value = goQuote(quantity);
    return [`${path.key(name)}: fractional byte value ${value} is invalid, must be an integer`];
  });
}

function repeatedWarnings(spec: PodSpec, path: FieldPath): string[] {
  const warnings: string[] = [];
  const addresses = new Set<string>();
  for (const [index, { ip = "" }] of (spec.hostAliases ?? []).entries()) {
    const at = path.child("hostAliases").index(index).child("ip");
    if (addresses.has(ip)) warnings.push(`${at}: duplicate ip ${goQuote(ip)}`);
    addresses.add(ip);
  }
  const secrets = spec.imagePullSecrets ?? [];
  const names = new Set<string>();
  const nameAt = (index: number) => path.child("imagePullSecrets").index(index).child("name");
  for (const [index, { name = "" }] of secrets.entries()) {
    if (names.has(name)) warnings.push(`${nameAt(index)}: duplicate name ${goQuote(name)}`);
    names.add(name);
  }
  for (const [index, { name = "" }] of secrets.entries()) {
    if (name === "") warnings.push(`${nameAt(index)}: invalid empty name ""`);
  }
  return warnings;
}

function profileWarnings(
  container: Container,
  spec: PodSpec,
  annotations: Readonly<Record<string, string>>,
  annotationsPath: FieldPath,
  templatePath: FieldPath | undefined,
): string[] {
  const warnings: string[] = [];
  const seccomp = SECCOMP_CONTAINER + container.name;
  if (!container.securityContext?.seccompProfile && annotations[seccomp] !== undefined) {
    warnings.push(`${annotationsPath.key(seccomp)}: ${SECCOMP}`);
  }
  const appArmor = APP_ARMOR + container.name;
  const annotation = annotations[appArmor];
  if (!templatePath || annotation === undefined) return warnings;
  if (container.securityContext?.appArmorProfile) return warnings;
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod && sameValue(ofPod, appArmorProfileOf(annotation))) return warnings;
  const message = 'deprecated since v1.30; use the "appArmorProfile" field instead';
  return [...warnings, `${annotationsPath.key(appArmor)}: ${message}`];
}

function containerWarnings({ resources, env = [] }: Container, path: FieldPath): string[] {
  const warnings: string[] = [];
  for (const name of ["memory", "ephemeral-storage"]) {
    for (const field of ["limits", "requests"] as const) {
      const at = path.child("resources", field);
      warnings.push(...fractionWarnings(resources?.[field], at, [name]));
    }
  }
  const names = new Set<string>();
  for (const [index, { name = "", value = "", valueFrom }] of env.entries()) {
    const reference = `$(${name})`;
    const extends_ = !valueFrom && value !== reference && value.includes(reference);
    if (names.has(name) && !extends_) {
      const at = path.child("env").index(index);
      const what = "hides previous definition of";
      warnings.push(`${at}: ${what} ${goQuote(name)}, which may be dropped when using apply`);
    }
    names.add(name);
  }
  return warnings;
}

function affinityWarnings({ affinity }: PodSpec, path: FieldPath): string[] {
  return (["podAffinity", "podAntiAffinity"] as const).flatMap((field) => {
    const each = affinity?.[field];
    const needed = each?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = each?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const at = path.child(field);
    const neededPath = at.child("requiredDuringSchedulingIgnoredDuringExecution");
    const preferredPath = at.child("preferredDuringSchedulingIgnoredDuringExecution");
    return [
      ...needed.flatMap(({ labelSelector }, index) =>
        labelSelector ? [] : [`${neededPath.index(index).child("labelSelector")}: ${NULL_SELECTOR}`]
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) => {
        if (podAffinityTerm?.labelSelector) return [];
        const where = preferredPath.index(index).child("podAffinityTerm", "labelSelector");
        return [`${where}: ${NULL_SELECTOR}`];
      }),
    ];
  });
}
