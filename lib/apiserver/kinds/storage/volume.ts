import {
  type FieldError,
  FieldPath,
  forbiddenField,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { dnsSubdomainProblems, invalidForEach } from "@xca/apimachinery/internal/validation";
import type { V1PersistentVolume } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import { hasEmptyMap } from "../../machinery/empty_maps.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { sameValue, validateImmutable } from "../../validation/immutable.ts";
import { validatePositiveQuantity } from "../../validation/quantity.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { internalDiff } from "../pods/internal_diff.ts";
import { defaultRemote } from "../pods/volumes/volume_defaults.ts";
import { validateVolumeSource } from "./volume_sources.ts";
import { volumeWarnings } from "./volume_warnings.ts";

type Spec = NonNullable<V1PersistentVolume["spec"]>;

const SPEC = FieldPath.of("spec");
const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];
const VOLUME_MODES = ["Block", "Filesystem"];
/** The names of the volume source fields, of which a PersistentVolume has exactly one. */
const SOURCES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
] as const;

/**
 * The strategy of PersistentVolumes, which sets defaults, prepares objects for storage and
 * validates writes (registry/core/persistentvolume, `Strategy`).
 */
export const volumeStrategy: KindStrategy = typedStrategy<V1PersistentVolume>({
  defaults(volume) {
    const spec = volume.spec ??= {};
    spec.persistentVolumeReclaimPolicy ||= "Retain";
    spec.volumeMode ??= "Filesystem";
    if (spec.claimRef) {
      spec.claimRef.kind ||= "PersistentVolumeClaim";
      spec.claimRef.apiVersion ||= "v1";
    }
    if (spec.hostPath) spec.hostPath.type ??= "";
    defaultRemote(spec as Parameters<typeof defaultRemote>[0]);
    volume.status = { ...volume.status, phase: volume.status?.phase || "Pending" };
  },
  prepareForCreate(volume, context) {
    volume.status = { phase: "Pending", lastPhaseTransitionTime: formatTime(context.now) };
  },
  validateCreate: ({ metadata, spec }) => validate(spec!, metadata.name ?? ""),
  warnings: volumeWarnings,
  prepareForUpdate(volume, old) {
    volume.status = old.status ?? {};
  },
  validateUpdate: ({ metadata, spec }, old) => [
    ...validate(spec!, metadata.name ?? ""),
    ...validateChange(spec!, old.spec!),
  ],
  status: {
    prepareForUpdate(volume, old, context) {
      volume.spec = old.spec!;
      const moved = volume.status?.phase !== old.status?.phase;
      const same = volume.status?.lastPhaseTransitionTime === old.status?.lastPhaseTransitionTime;
      if (moved && same) volume.status!.lastPhaseTransitionTime = formatTime(context.now);
    },
  },
});

function validate(spec: Spec, name: string): FieldError[] {
  return [
    ...validateAccessModes(spec.accessModes ?? []),
    ...validateCapacity(spec.capacity ?? (hasEmptyMap(spec, "capacity") ? {} : undefined)),
    ...validateChoices(spec, name),
  ];
}

function validateAccessModes(modes: readonly string[]): FieldError[] {
  const path = SPEC.child("accessModes");
  if (modes.length === 0) return [required(path)];
  const errors = modes.filter((mode) => !ACCESS_MODES.includes(mode))
    .map((mode) => notSupported(path, mode, ACCESS_MODES));
  const known = modes.filter((mode) => ACCESS_MODES.includes(mode));
  if (known.includes("ReadWriteOncePod") && known.some((mode) => mode !== "ReadWriteOncePod")) {
    errors.push(forbiddenField(path, "may not use ReadWriteOncePod with other access modes"));
  }
  return errors;
}

function validateCapacity(given: Readonly<Record<string, string>> | undefined): FieldError[] {
  const capacity = given ?? {};
  const path = SPEC.child("capacity");
  const errors: FieldError[] = [];
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(required(path));
  if (!("storage" in capacity) || names.length > 1) {
    errors.push(notSupported(path, given, ["storage"]));
  }
  for (const [name, quantity] of Object.entries(capacity)) {
    errors.push(...validatePositiveQuantity(quantity, path.key(name)));
  }
  return errors;
}

function validateChoices(spec: Spec, name: string): FieldError[] {
  const errors: FieldError[] = [];
  const { persistentVolumeReclaimPolicy: policy = "", storageClassName = "", volumeMode } = spec;
  if (!RECLAIM_POLICIES.includes(policy)) {
    const path = SPEC.child("persistentVolumeReclaimPolicy");
    errors.push(notSupported(path, policy, RECLAIM_POLICIES));
  }
  const sources = SOURCES.filter((source) => spec[source] !== undefined);
  if (sources[0]) errors.push(...validateVolumeSource(spec, sources[0], name, SPEC));
  for (const source of sources.slice(1)) {
    const detail = "may not specify more than 1 volume type";
    errors.push(forbiddenField(SPEC.child(source), detail));
  }
  if (sources.length === 0) errors.push(required(SPEC, "must specify a volume type"));
  if (storageClassName !== "") {
    const problems = dnsSubdomainProblems(storageClassName);
    errors.push(...invalidForEach(SPEC.child("storageClassName"), storageClassName, problems));
  }
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode)) {
    errors.push(notSupported(SPEC.child("volumeMode"), volumeMode, VOLUME_MODES));
  }
  return errors;
}

function validateChange(spec: Spec, old: Spec): FieldError[] {
  const errors: FieldError[] = [];
  const next = withNewExpandSecret(spec, old);
  const sourceOf = (of: Spec): unknown => SOURCES.map((source) => of[source]);
  if (!sameValue(sourceOf(next), sourceOf(old))) {
    const difference = internalDiff("PersistentVolumeSource", old, next);
    const detail = `spec.persistentvolumesource is immutable after creation\n${difference}`;
    errors.push(forbiddenField(SPEC.child("persistentvolumesource"), detail));
  }
  const path = FieldPath.of("volumeMode");
  return [...errors, ...validateImmutable(spec.volumeMode, old.volumeMode, path)];
}

/**
 * Returns the new spec of a PersistentVolume without `csi.controllerExpandSecretRef` if the stored
 * CSI source has no such reference, since an update may add it; otherwise the spec itself.
 */
function withNewExpandSecret(spec: Spec, old: Spec): Spec {
  if (!old.csi || old.csi.controllerExpandSecretRef || !spec.csi) return spec;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...spec, csi };
}
