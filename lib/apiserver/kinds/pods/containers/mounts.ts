import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach } from "@xca/apimachinery/internal/validation";
import { backstepProblems, descendingPathProblems } from "../common/paths.ts";
import type { Container, Volume } from "../common/pod_types.ts";

type Mount = NonNullable<Container["volumeMounts"]>[number];

/**
 * Validates the volume mounts of a container (`core/validation/validation.go`,
 * `ValidateVolumeMounts`).
 */
export function validateMounts(
  container: Container,
  volumes: ReadonlyMap<string, Volume>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const devices = container.volumeDevices ?? [];
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const { name = "", mountPath = "" } = mount;
    const at = path.index(index);
    if (name === "") errors.push(required(at.child("name")));
    if (!volumes.has(name)) errors.push(notFoundValue(at.child("name"), name));
    if (mountPath === "") errors.push(required(at.child("mountPath")));
    if (seen.has(mountPath)) {
      errors.push(invalid(at.child("mountPath"), mountPath, "must be unique"));
    }
    seen.add(mountPath);
    if (devices.some((device) => device.name === name)) {
      errors.push(invalid(at.child("name"), name, "must not already exist in volumeDevices"));
    }
    if (devices.some(({ devicePath }) => devicePath === mountPath)) {
      const detail = "must not already exist as a path in volumeDevices";
      errors.push(invalid(at.child("mountPath"), mountPath, detail));
    }
    errors.push(...validateSubPaths(mount, path, at));
    errors.push(...validatePropagation(mount, container, path));
    errors.push(...validateRecursiveReadOnly(mount, path.child("recursiveReadOnly")));
  }
  return errors;
}

function validateSubPaths(mount: Mount, path: FieldPath, at: FieldPath): FieldError[] {
  const { subPath = "", subPathExpr = "" } = mount;
  const errors = invalidForEach(path.child("subPath"), subPath, descendingPathProblems(subPath));
  if (subPathExpr === "") return errors;
  if (subPath !== "") {
    const detail = "subPathExpr and subPath are mutually exclusive";
    errors.push(invalid(at.child("subPathExpr"), subPathExpr, detail));
  }
  const problems = descendingPathProblems(subPathExpr);
  errors.push(...invalidForEach(path.child("subPathExpr"), subPathExpr, problems));
  return errors;
}

function validatePropagation(
  { mountPropagation }: Mount,
  container: Container,
  path: FieldPath,
): FieldError[] {
  if (mountPropagation === undefined) return [];
  const at = path.child("mountPropagation");
  const supported = ["Bidirectional", "HostToContainer", "None"];
  if (!supported.includes(mountPropagation)) return [notSupported(at, mountPropagation, supported)];
  if (mountPropagation !== "Bidirectional" || container.securityContext?.privileged) return [];
  const detail = "Bidirectional mount propagation is available only to privileged containers";
  return [forbiddenField(at, detail)];
}

function validateRecursiveReadOnly(mount: Mount, path: FieldPath): FieldError[] {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === "Disabled") return [];
  const supported = ["Disabled", "Enabled", "IfPossible"];
  if (!supported.includes(recursiveReadOnly)) {
    return [notSupported(path, recursiveReadOnly, supported)];
  }
  const errors: FieldError[] = [];
  if (!readOnly) errors.push(forbiddenField(path, "may only be specified when readOnly is true"));
  if (mountPropagation !== undefined && mountPropagation !== "None") {
    const detail = "may only be specified when mountPropagation is None or not specified";
    errors.push(forbiddenField(path, detail));
  }
  return errors;
}

/** Validates the raw block devices of a container. */
export function validateDevices(
  container: Container,
  volumes: ReadonlyMap<string, Volume>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  const names = new Set<string>();
  const mounts = container.volumeMounts ?? [];
  for (const [index, { name = "", devicePath = "" }] of (container.volumeDevices ?? []).entries()) {
    const namePath = path.index(index).child("name");
    const pathPath = path.index(index).child("devicePath");
    const volume = volumes.get(name);
    if (name === "") errors.push(required(namePath));
    if (names.has(name)) errors.push(invalid(namePath, name, "must be unique"));
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) {
      const detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for " +
        "block mode";
      errors.push(invalid(namePath, name, detail));
    }
    if (!volume) errors.push(notFoundValue(namePath, name));
    if (devicePath === "") errors.push(required(pathPath));
    if (paths.has(devicePath)) errors.push(invalid(pathPath, devicePath, "must be unique"));
    if (backstepProblems(devicePath).length > 0) {
      errors.push(invalid(pathPath, devicePath, "can not contain backsteps ('..')"));
    } else paths.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) {
      errors.push(invalid(namePath, name, "must not already exist in volumeMounts"));
    }
    if (mounts.some(({ mountPath }) => mountPath === devicePath)) {
      const detail = "must not already exist as a path in volumeMounts";
      errors.push(invalid(pathPath, devicePath, detail));
    }
    if (name !== "") names.add(name);
  }
  return errors;
}
