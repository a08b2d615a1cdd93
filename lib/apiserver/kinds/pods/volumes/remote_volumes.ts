/**
 * Validates volumes on remote storage, most of them of removed in-tree plugins.
 *
 * Mirrors `core/validation/validation.go, validateVolumeSource`.
 *
 * @module
 */
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
  rangeProblem,
} from "@xca/apimachinery/internal/validation";
import type { Volume } from "../common/pod_types.ts";

type Check = (volume: Volume, path: FieldPath) => FieldError[];

/** The name of a volume source field for remote storage, such as `nfs`. */
export type RemoteVolume =
  | "gcePersistentDisk"
  | "awsElasticBlockStore"
  | "nfs"
  | "iscsi"
  | "glusterfs"
  | "flocker"
  | "rbd"
  | "cinder"
  | "cephfs"
  | "quobyte"
  | "fc"
  | "flexVolume"
  | "azureFile"
  | "vsphereVolume"
  | "photonPersistentDisk"
  | "portworxVolume"
  | "azureDisk"
  | "storageos"
  | "scaleIO"
  | "csi";

const IQN = /iqn\.\d{4}-\d{2}\.([A-Za-z0-9-.]+)(:[^,;*&$|\s]+)$/;
const EUI = /^eui.[A-Za-z0-9]{16}$/;
const NAA = /^naa.[A-Za-z0-9]{32}$/;

/** Returns a `Required value` error for each of `fields` that is empty in a volume source. */
function need(source: object, path: FieldPath, ...fields: string[]): FieldError[] {
  const values = source as Record<string, unknown>;
  return fields.filter((field) => !values[field]).map((field) => required(path.child(field)));
}

function partition(value: number | undefined, path: FieldPath): FieldError[] {
  if (value === undefined || (value >= 0 && value <= 255)) return [];
  return [invalid(path.child("partition"), value, rangeProblem(1, 255))];
}

function secretName(
  secretRef: { readonly name?: string } | undefined,
  path: FieldPath,
): FieldError[] {
  return secretRef && !secretRef.name ? [required(path.child("secretRef", "name"))] : [];
}

function initiatorProblems(name: string): string[] {
  const pattern = { iqn: IQN, eui: EUI, naa: NAA }[name.slice(0, 3)];
  if (!pattern) return ["must be valid format starting with iqn, eui, or naa"];
  return pattern.test(name) ? [] : ["must be valid format"];
}

const TOO_LONG_NAME = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 " +
  "characters if iscsi.initiatorName is specified.";

const iscsi: Check = ({ iscsi: source = {} }, path) => {
  const { iqn = "", lun = 0, initiatorName } = source;
  const errors = need(source, path, "targetPortal", "iqn");
  if (iqn !== "") errors.push(...invalidForEach(path.child("iqn"), iqn, initiatorProblems(iqn)));
  if (lun < 0 || lun > 255) errors.push(invalid(path.child("lun"), lun, rangeProblem(0, 255)));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    errors.push(required(path.child("secretRef")));
  }
  if (initiatorName === undefined) return errors;
  const at = path.child("initiatorname");
  errors.push(...invalidForEach(at, initiatorName, initiatorProblems(initiatorName)));
  return errors;
};

/**
 * Checks that the name of an iSCSI volume and its target portal, joined by a colon, are at most 64
 * bytes long if an initiator is set (`core/validation/validation.go`, `validateISCSIVolumeSource`).
 * Returns the field errors.
 */
export function validateIscsiName(
  { name = "", iscsi = {} }: Volume,
  path: FieldPath,
): FieldError[] {
  const { initiatorName, targetPortal = "" } = iscsi;
  if (initiatorName === undefined || byteLength(`${name}:${targetPortal}`) <= 64) return [];
  return [invalid(path.child("name"), name, TOO_LONG_NAME)];
}

/**
 * Validates the iSCSI source of a PersistentVolume (`core/validation/validation.go`,
 * `validateISCSIPersistentVolumeSource`), whose messages differ from those of a pod's volume.
 */
export function validateIscsiSource(
  source: NonNullable<Volume["iscsi"]>,
  name: string,
  path: FieldPath,
): FieldError[] {
  const { initiatorName, iqn = "", lun = 0, secretRef, targetPortal = "" } = source;
  const named = (field: string, value: string): FieldError[] =>
    initiatorProblems(value).length === 0
      ? []
      : [invalid(path.child(field), value, "must be valid format")];
  const errors = need(source, path, "targetPortal");
  if (initiatorName !== undefined && byteLength(`${name}:${targetPortal}`) > 64) {
    errors.push(invalid(path.child("targetportal"), targetPortal, TOO_LONG_NAME));
  }
  errors.push(...iqn === "" ? need(source, path, "iqn") : named("iqn", iqn));
  if (lun < 0 || lun > 255) errors.push(invalid(path.child("lun"), lun, rangeProblem(0, 255)));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !secretRef) {
    errors.push(required(path.child("secretRef")));
  }
  errors.push(...secretName(secretRef, path));
  return initiatorName === undefined
    ? errors
    : [...errors, ...named("initiatorname", initiatorName)];
}

const nfs: Check = ({ nfs: source = {} }, path) => {
  const errors = need(source, path, "server", "path");
  if (!source.path?.startsWith("/")) {
    errors.push(invalid(path.child("path"), source.path ?? "", "must be an absolute path"));
  }
  return errors;
};

const flocker: Check = ({ flocker: source = {} }, path) => {
  const { datasetName = "", datasetUUID = "" } = source;
  const errors: FieldError[] = [];
  if (!datasetName && !datasetUUID) {
    errors.push(required(path, "one of datasetName and datasetUUID is required"));
  }
  if (datasetName && datasetUUID) {
    const detail = "datasetName and datasetUUID can not be specified simultaneously";
    errors.push(invalid(path, "resource", detail));
  }
  if (datasetName.includes("/")) {
    errors.push(invalid(path.child("datasetName"), datasetName, "must not contain '/'"));
  }
  return errors;
};

const quobyte: Check = ({ quobyte: source = {} }, path) => {
  const { registry = "", tenant = "", volume } = source;
  const pairs = "must be a host:port pair or multiple pairs separated by commas";
  const errors: FieldError[] = [];
  if (registry === "") errors.push(required(path.child("registry"), pairs));
  else if (byteLength(tenant) >= 65) {
    const detail = "must be a UUID and may not exceed a length of 64 characters";
    errors.push(required(path.child("tenant"), detail));
  } else {
    const wrong = registry.split(",").filter((pair) =>
      !/^(\[[^\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair)
    );
    errors.push(...wrong.map(() => invalid(path.child("registry"), registry, pairs)));
  }
  if (!volume) errors.push(required(path.child("volume")));
  return errors;
};

const fc: Check = ({ fc: source = {} }, path) => {
  const { targetWWNs = [], wwids = [], lun } = source;
  const errors: FieldError[] = [];
  const at = path.child("targetWWNs");
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.push(required(at, "must specify either targetWWNs or wwids, but not both"));
  }
  if (targetWWNs.length === 0) return errors;
  if (wwids.length > 0) {
    errors.push(
      invalid(at, targetWWNs, "targetWWNs and wwids can not be specified simultaneously"),
    );
  }
  if (lun === undefined) {
    errors.push(required(path.child("lun"), "lun is required if targetWWNs is specified"));
  } else if (lun < 0 || lun > 255) {
    errors.push(invalid(path.child("lun"), lun, rangeProblem(0, 255)));
  }
  return errors;
};

const flexVolume: Check = ({ flexVolume: source = {} }, path) => {
  const reserved = Object.keys(source.options ?? {}).filter((key) =>
    /\.(kubernetes|k8s)\.io$/.test(`.${key.split("/")[0]!.toLowerCase()}`)
  );
  const detail = "kubernetes.io and k8s.io namespaces are reserved";
  return [
    ...need(source, path, "driver"),
    ...reserved.map((key) => invalid(path.child("options").key(key), key, detail)),
  ];
};

const azureDisk: Check = ({ azureDisk: source = {} }, path) => {
  const { diskURI = "", cachingMode, kind } = source;
  const errors = need(source, path, "diskName", "diskURI");
  const modes = ["None", "ReadOnly", "ReadWrite"];
  if (cachingMode !== undefined && !modes.includes(cachingMode)) {
    errors.push(notSupported(path.child("cachingMode"), cachingMode, modes));
  }
  const kinds = ["Dedicated", "Managed", "Shared"];
  if (kind === undefined) return errors;
  if (!kinds.includes(kind)) errors.push(notSupported(path.child("kind"), kind, kinds));
  const managed = kind === "Managed";
  const form = managed
    ? "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
    : "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
  if (!diskURI.startsWith(managed ? "/subscriptions/" : "https://")) {
    errors.push(notSupported(path.child("diskURI"), diskURI, [form]));
  }
  return errors;
};

const storageos: Check = ({ storageos: source = {} }, path) => {
  const { volumeName = "", volumeNamespace = "", secretRef } = source;
  const label = (field: string, value: string) =>
    invalidForEach(path.child(field), value, dnsLabelProblems(value));
  return [
    ...volumeName ? label("volumeName", volumeName) : [required(path.child("volumeName"))],
    ...volumeNamespace ? label("volumeNamespace", volumeNamespace) : [],
    ...secretName(secretRef, path),
  ];
};

const csi: Check = ({ csi: source = {} }, path) => {
  const { driver = "", nodePublishSecretRef } = source;
  const at = path.child("driver");
  const errors: FieldError[] = [];
  if (driver === "") errors.push(required(at));
  else {
    if (byteLength(driver) > 63) errors.push(tooLong(at, 63));
    errors.push(...invalidForEach(at, driver, dnsSubdomainProblems(driver.toLowerCase())));
  }
  if (!nodePublishSecretRef) return errors;
  const { name = "" } = nodePublishSecretRef;
  if (name === "") errors.push(required(path.child("nodePublishSecretRef", "name")));
  else errors.push(...invalidForEach(path.child("name"), name, dnsSubdomainProblems(name)));
  return errors;
};

/**
 * The functions that validate volumes on remote storage, by the name of the volume source field.
 */
export const REMOTE_VOLUMES: Readonly<Record<RemoteVolume, Check>> = {
  gcePersistentDisk: ({ gcePersistentDisk: source = {} }, path) => [
    ...need(source, path, "pdName"),
    ...partition(source.partition, path),
  ],
  awsElasticBlockStore: ({ awsElasticBlockStore: source = {} }, path) => [
    ...need(source, path, "volumeID"),
    ...partition(source.partition, path),
  ],
  nfs,
  iscsi,
  glusterfs: ({ glusterfs = {} }, path) => need(glusterfs, path, "endpoints", "path"),
  flocker,
  rbd: ({ rbd: { monitors, image } = {} }, path) => [
    ...monitors?.length ? [] : [required(path.child("monitors"))],
    ...image ? [] : [required(path.child("image"))],
  ],
  cinder: ({ cinder: source = {} }, path) => [
    ...need(source, path, "volumeID"),
    ...secretName(source.secretRef, path),
  ],
  cephfs: ({ cephfs: { monitors } = {} }, path) =>
    monitors?.length ? [] : [required(path.child("monitors"))],
  quobyte,
  fc,
  flexVolume,
  azureFile: ({ azureFile = {} }, path) => need(azureFile, path, "secretName", "shareName"),
  vsphereVolume: ({ vsphereVolume = {} }, path) => need(vsphereVolume, path, "volumePath"),
  photonPersistentDisk: ({ photonPersistentDisk = {} }, path) =>
    need(photonPersistentDisk, path, "pdID"),
  portworxVolume: ({ portworxVolume = {} }, path) => need(portworxVolume, path, "volumeID"),
  azureDisk,
  storageos,
  scaleIO: ({ scaleIO = {} }, path) => need(scaleIO, path, "gateway", "system", "volumeName"),
  csi,
};
