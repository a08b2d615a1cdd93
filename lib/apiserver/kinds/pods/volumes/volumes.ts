// Mirrors `core/validation/validation.go, ValidateVolumes`.
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
} from "@xca/apimachinery/internal/validation";
import { goQuote, nanosOf } from "@xca/apimachinery/internal/values";
import { validateClaimTemplate } from "../../storage/claim_spec.ts";
import { backstepProblems, descendingPathProblems, fileModeProblems } from "../common/paths.ts";
import type { PodRules } from "../common/pod_rules.ts";
import type { Meta, Volume } from "../common/pod_types.ts";
import {
  validateDownwardApiFile,
  validateKeyToPath,
  validateProjected,
} from "./projected_volume.ts";
import { REMOTE_VOLUMES, validateIscsiName } from "./remote_volumes.ts";

/** The result of {@linkcode validateVolumes}: the valid volumes by name, and all errors. */
export interface CheckedVolumes {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly errors: FieldError[];
}

/**
 * Validates the volumes of a pod (`core/validation/validation.go`, `ValidateVolumes`); `metadata`
 * is absent for a pod template.
 */
export function validateVolumes(
  volumes: readonly Volume[],
  metadata: Meta | undefined,
  path: FieldPath,
  rules: PodRules,
): CheckedVolumes {
  const errors: FieldError[] = [];
  const right = new Map<string, Volume>();
  const podName = metadata?.name ?? "";
  const claims = new Set(
    podName === ""
      ? []
      : volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`),
  );
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const { name = "", persistentVolumeClaim } = volume;
    const own = validateSource(volume, at, podName, rules);
    if (name === "") own.push(required(at.child("name")));
    else own.push(...invalidForEach(at.child("name"), name, dnsLabelProblems(name)));
    if (right.has(name)) own.push(duplicate(at.child("name"), name));
    if (own.length === 0) right.set(name, volume);
    errors.push(...own);
    const claimName = persistentVolumeClaim?.claimName ?? "";
    if (persistentVolumeClaim && claims.has(claimName)) {
      const detail = "must not reference a PVC that gets created for an ephemeral volume";
      errors.push(invalid(at.child("persistentVolumeClaim", "claimName"), claimName, detail));
    }
  }
  return { volumes: right, errors };
}

type SourceName = Exclude<keyof Volume, "name">;
type Check = (volume: Volume, path: FieldPath, rules: PodRules) => FieldError[];

/**
 * The validation functions of volume sources in the order of kube-apiserver, which decides which of
 * two sources is reported.
 */
const SOURCES: readonly (readonly [SourceName, Check])[] = [
  [
    "emptyDir",
    ({ emptyDir }, path) =>
      nanosOf(emptyDir?.sizeLimit) < 0n
        ? [
          forbiddenField(
            path.child("sizeLimit"),
            "SizeLimit field must be a valid resource quantity",
          ),
        ]
        : [],
  ],
  ["hostPath", (volume, path) => validateHostPath(volume.hostPath!, path)],
  ["gitRepo", ({ gitRepo }, path) => {
    const { repository, directory = "" } = gitRepo!;
    return [
      ...repository ? [] : [required(path.child("repository"))],
      ...invalidForEach(path.child("directory"), directory, descendingPathProblems(directory)),
    ];
  }],
  ["gcePersistentDisk", REMOTE_VOLUMES.gcePersistentDisk],
  ["awsElasticBlockStore", REMOTE_VOLUMES.awsElasticBlockStore],
  ["secret", ({ secret }, path) => {
    const { secretName, defaultMode, items } = secret!;
    return validateFiles(secretName ? [] : [required(path.child("secretName"))], path, {
      defaultMode,
      items,
    });
  }],
  ["nfs", REMOTE_VOLUMES.nfs],
  ["iscsi", REMOTE_VOLUMES.iscsi],
  ["glusterfs", REMOTE_VOLUMES.glusterfs],
  ["flocker", REMOTE_VOLUMES.flocker],
  [
    "persistentVolumeClaim",
    ({ persistentVolumeClaim }, path) =>
      persistentVolumeClaim!.claimName ? [] : [required(path.child("claimName"))],
  ],
  ["rbd", REMOTE_VOLUMES.rbd],
  ["cinder", REMOTE_VOLUMES.cinder],
  ["cephfs", REMOTE_VOLUMES.cephfs],
  ["quobyte", REMOTE_VOLUMES.quobyte],
  ["downwardAPI", ({ downwardAPI }, path) => {
    const { defaultMode, items = [] } = downwardAPI!;
    return [
      ...invalidForEach(path.child("defaultMode"), defaultMode, fileModeProblems(defaultMode)),
      ...items.flatMap((item) => validateDownwardApiFile(item, path)),
    ];
  }],
  ["fc", REMOTE_VOLUMES.fc],
  ["flexVolume", REMOTE_VOLUMES.flexVolume],
  ["configMap", ({ configMap }, path) => {
    const { name, defaultMode, items } = configMap!;
    return validateFiles(name ? [] : [required(path.child("name"))], path, { defaultMode, items });
  }],
  ["azureFile", REMOTE_VOLUMES.azureFile],
  ["vsphereVolume", REMOTE_VOLUMES.vsphereVolume],
  ["photonPersistentDisk", REMOTE_VOLUMES.photonPersistentDisk],
  ["portworxVolume", REMOTE_VOLUMES.portworxVolume],
  ["azureDisk", REMOTE_VOLUMES.azureDisk],
  ["storageos", REMOTE_VOLUMES.storageos],
  ["projected", ({ projected }, path, rules) => validateProjected(projected!, path, rules)],
  ["scaleIO", REMOTE_VOLUMES.scaleIO],
  ["csi", REMOTE_VOLUMES.csi],
  ["ephemeral", ({ ephemeral }, path) => {
    const template = ephemeral!.volumeClaimTemplate;
    const at = path.child("volumeClaimTemplate");
    return template ? validateClaimTemplate(template, at) : [required(at)];
  }],
  ["image", ({ image }, path, rules) => {
    const { reference, pullPolicy = "" } = image!;
    return [
      ...!rules.allowEmptyImage && !reference ? [required(path.child("reference"))] : [],
      ...validatePullPolicy(pullPolicy, path.child("pullPolicy")),
    ];
  }],
];

/**
 * The names that kube-apiserver's error paths give to fields of volume sources, where they differ
 * from the names in the API.
 */
const CHECKED_AT: Partial<Record<SourceName, string>> = { gcePersistentDisk: "persistentDisk" };
const EXTRA_AT: Partial<Record<SourceName, string>> = {
  cephfs: "cephFS",
  downwardAPI: "downwarAPI",
};

function validateSource(
  volume: Volume,
  path: FieldPath,
  podName: string,
  rules: PodRules,
): FieldError[] {
  const errors: FieldError[] = [];
  let found = 0;
  for (const [field, check] of SOURCES) {
    if (!volume[field]) continue;
    if (found > 0) {
      const detail = "may not specify more than 1 volume type";
      errors.push(forbiddenField(path.child(EXTRA_AT[field] ?? field), detail));
      continue;
    }
    found++;
    errors.push(...check(volume, path.child(CHECKED_AT[field] ?? field), rules));
    if (field === "iscsi") errors.push(...validateIscsiName(volume, path));
    if (field === "ephemeral") errors.push(...validateClaimName(volume, path, podName));
  }
  if (found === 0) errors.push(required(path, "must specify a volume type"));
  return errors;
}

function validateClaimName({ name = "" }: Volume, path: FieldPath, podName: string): FieldError[] {
  if (podName === "" || name === "") return [];
  const claim = `${podName}-${name}`;
  const problems = dnsSubdomainProblems(claim).map((each) => `PVC name ${goQuote(claim)}: ${each}`);
  return invalidForEach(path.child("name"), name, problems);
}

interface Files {
  readonly defaultMode: number | undefined;
  readonly items: readonly { key?: string; path?: string; mode?: number }[] | undefined;
}

function validateFiles(
  errors: FieldError[],
  path: FieldPath,
  { defaultMode, items = [] }: Files,
): FieldError[] {
  errors.push(
    ...invalidForEach(path.child("defaultMode"), defaultMode, fileModeProblems(defaultMode)),
  );
  for (const [index, item] of items.entries()) {
    errors.push(...validateKeyToPath(item, path.child("items").index(index)));
  }
  return errors;
}

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

export function validateHostPath(
  source: NonNullable<Volume["hostPath"]>,
  path: FieldPath,
): FieldError[] {
  const { path: hostPath = "", type } = source;
  if (hostPath === "") return [required(path.child("path"))];
  const errors = invalidForEach(path.child("path"), hostPath, backstepProblems(hostPath));
  if (type !== undefined && !HOST_PATH_TYPES.includes(type)) {
    errors.push(notSupported(path.child("type"), type, HOST_PATH_TYPES));
  }
  return errors;
}

/** Validates the pull policy of a container's image or of an image volume. */
export function validatePullPolicy(policy: string, path: FieldPath): FieldError[] {
  if (policy === "") return [required(path)];
  const policies = ["Always", "IfNotPresent", "Never"];
  return policies.includes(policy) ? [] : [notSupported(path, policy, policies)];
}
