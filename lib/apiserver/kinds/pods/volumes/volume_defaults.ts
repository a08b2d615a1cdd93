import { defaultPullPolicy } from "../common/image_name.ts";
import type { Volume } from "../common/pod_types.ts";

const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3600;
/** The value that kube-apiserver writes for an empty list that is not optional: `null`. */
const NOTHING = null as unknown as [];

/**
 * Sets the defaults of a pod's volume, in place. A volume without a source is an `emptyDir`
 * (`apis/core/v1/defaults.go`, `SetDefaults_Volume`).
 */
export function defaultVolume(volume: Volume): void {
  const { name: _, ...sources } = volume;
  if (Object.values(sources).every((source) => source === undefined || source === null)) {
    volume.emptyDir = {};
  }
  if (volume.image) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? "");
  if (volume.hostPath) volume.hostPath.type ??= "";
  if (volume.secret) volume.secret.defaultMode ??= FILE_MODE;
  if (volume.configMap) volume.configMap.defaultMode ??= FILE_MODE;
  defaultDownwardApi(volume.downwardAPI);
  if (volume.downwardAPI) volume.downwardAPI.defaultMode ??= FILE_MODE;
  defaultProjected(volume.projected);
  defaultRemote(volume);
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim) {
    claim.spec ??= {};
    claim.spec.volumeMode ??= "Filesystem";
  }
}

interface DownwardApi {
  items?: NonNullable<NonNullable<Volume["downwardAPI"]>["items"]>;
}

function defaultDownwardApi(source: DownwardApi | undefined): void {
  for (const item of source?.items ?? []) {
    if (item.fieldRef) item.fieldRef.apiVersion ||= "v1";
    if (item.resourceFieldRef) item.resourceFieldRef.divisor ??= "0";
  }
}

function defaultProjected(projected: Volume["projected"]): void {
  if (!projected) return;
  projected.defaultMode ??= FILE_MODE;
  if (projected.sources?.length === 0) projected.sources = NOTHING;
  for (const source of projected.sources ?? []) {
    defaultDownwardApi(source.downwardAPI);
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
  }
}

/**
 * Sets the defaults of an iSCSI, RBD, Azure disk or ScaleIO volume, in place; other volumes on
 * remote storage have none.
 */
export function defaultRemote(
  { iscsi, rbd, azureDisk, scaleIO }: Pick<Volume, "iscsi" | "rbd" | "azureDisk" | "scaleIO">,
): void {
  if (iscsi) iscsi.iscsiInterface ||= "default";
  if (rbd) {
    rbd.pool ||= "rbd";
    rbd.user ||= "admin";
    rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= "ReadWrite";
    azureDisk.fsType ??= "ext4";
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= "Shared";
  }
  if (scaleIO) {
    scaleIO.storageMode ||= "ThinProvisioned";
    scaleIO.fsType ||= "xfs";
  }
}
