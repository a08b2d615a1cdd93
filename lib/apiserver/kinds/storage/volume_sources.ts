// Mirrors `core/validation/validation.go, ValidatePersistentVolumeSpec`.
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
} from "@xca/apimachinery/internal/validation";
import type { V1PersistentVolume, V1SecretReference } from "@xca/apimachinery/kubernetes-types";
import { validateDriverName } from "../../validation/driver_name.ts";
import { backstepProblems } from "../pods/common/paths.ts";
import {
  REMOTE_VOLUMES,
  type RemoteVolume,
  validateIscsiSource,
} from "../pods/volumes/remote_volumes.ts";
import { validateHostPath } from "../pods/volumes/volumes.ts";

type Spec = NonNullable<V1PersistentVolume["spec"]>;

/**
 * The names that kube-apiserver's error paths give to fields of volume sources, where they differ
 * from the names in the API.
 */
const CHECKED_AT: Readonly<Record<string, string>> = { gcePersistentDisk: "persistentDisk" };

/** Validates a volume source of the PersistentVolume with a given name. */
export function validateVolumeSource(
  spec: Spec,
  source: keyof Spec,
  name: string,
  parent: FieldPath,
): FieldError[] {
  const path = parent.child(CHECKED_AT[source] ?? source);
  switch (source) {
    case "hostPath":
      return validateHostPath(spec.hostPath!, path);
    case "local":
      return validateLocal(spec, path, parent);
    case "csi":
      return validateCsi(spec.csi!, path);
    case "azureFile":
      return [
        ...REMOTE_VOLUMES.azureFile(spec as never, path),
        ...spec.azureFile!.secretNamespace === "" ? [required(path.child("secretNamespace"))] : [],
      ];
    case "iscsi":
      return validateIscsiSource(spec.iscsi!, name, path);
    case "cinder":
    case "storageos":
      return [
        ...REMOTE_VOLUMES[source](spec as never, path),
        ...spec[source]!.secretRef && !spec[source]!.secretRef!.namespace
          ? [required(path.child("secretRef", "namespace"))]
          : [],
      ];
    case "glusterfs":
      return [
        ...REMOTE_VOLUMES.glusterfs(spec as never, path),
        ...validateEndpointsNamespace(spec.glusterfs!.endpointsNamespace, path),
      ];
    default:
      return REMOTE_VOLUMES[source as RemoteVolume]?.(spec as never, path) ?? [];
  }
}

function validateEndpointsNamespace(
  namespace: string | undefined,
  parent: FieldPath,
): FieldError[] {
  const path = parent.child("endpointsNamespace");
  if (namespace === undefined) return [];
  if (namespace !== "") return invalidForEach(path, namespace, dnsLabelProblems(namespace));
  return [
    invalid(path, "", "if the endpointnamespace is set, it must be a valid namespace name"),
  ];
}

function validateLocal(
  { local, nodeAffinity }: Spec,
  path: FieldPath,
  parent: FieldPath,
): FieldError[] {
  const at = path.child("path");
  const { path: localPath = "" } = local!;
  return [
    ...localPath === ""
      ? [required(at)]
      : invalidForEach(at, localPath, backstepProblems(localPath)),
    ...nodeAffinity
      ? []
      : [required(parent.child("nodeAffinity"), "Local volume requires node affinity")],
  ];
}

function validateCsi(csi: NonNullable<Spec["csi"]>, path: FieldPath): FieldError[] {
  const secrets = [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ] as const;
  return [
    ...validateDriverName(csi.driver ?? "", path.child("driver")),
    ...csi.volumeHandle ? [] : [required(path.child("volumeHandle"))],
    ...secrets.flatMap((field) => {
      const secret = csi[field];
      return secret ? validateSecret(secret, path.child(field)) : [];
    }),
  ];
}

/** Validates a reference to a Secret in any namespace (`validatePVSecretReference`). */
function validateSecret(
  { name = "", namespace = "" }: V1SecretReference,
  path: FieldPath,
): FieldError[] {
  const [atName, atNamespace] = [path.child("name"), path.child("namespace")];
  return [
    ...name === "" ? [required(atName)] : invalidForEach(atName, name, dnsSubdomainProblems(name)),
    ...namespace === ""
      ? [required(atNamespace)]
      : invalidForEach(atNamespace, namespace, dnsLabelProblems(namespace)),
  ];
}
