import type { KindStrategy } from "../machinery/strategy.ts";
import { ipAddressStrategy, serviceCidrStrategy } from "./platform/addresses.ts";
import { apiServiceStrategy } from "./platform/api_service.ts";
import { certificateSigningRequestStrategy } from "./platform/certificate_signing_request.ts";
import { clusterTrustBundleStrategy } from "./platform/cluster_trust_bundle.ts";
import { deviceTaintRuleStrategy } from "./platform/device_taint_rule.ts";
import {
  deviceClassStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
  resourceSliceStrategy,
} from "./platform/devices.ts";
import { flowSchemaStrategy } from "./platform/flow_schema.ts";
import { podCertificateRequestStrategy } from "./platform/pod_certificate_request.ts";
import { priorityLevelStrategy } from "./platform/priority_level.ts";
import { storageVersionMigrationStrategy } from "./platform/storage_version_migration.ts";
import {
  csiDriverStrategy,
  csiNodeStrategy,
  csiStorageCapacityStrategy,
  volumeAttributesClassStrategy,
} from "./storage/storage_drivers.ts";

/**
 * The strategies of the kinds that a cluster's components use, such as APIServices and CSIDrivers,
 * by kind and group, such as `CSIDriver.storage.k8s.io`.
 */
export const PLATFORM_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  "APIService.apiregistration.k8s.io": apiServiceStrategy,
  "CertificateSigningRequest.certificates.k8s.io": certificateSigningRequestStrategy,
  "ClusterTrustBundle.certificates.k8s.io": clusterTrustBundleStrategy,
  "CSIDriver.storage.k8s.io": csiDriverStrategy,
  "CSINode.storage.k8s.io": csiNodeStrategy,
  "CSIStorageCapacity.storage.k8s.io": csiStorageCapacityStrategy,
  "DeviceClass.resource.k8s.io": deviceClassStrategy,
  "DeviceTaintRule.resource.k8s.io": deviceTaintRuleStrategy,
  "FlowSchema.flowcontrol.apiserver.k8s.io": flowSchemaStrategy,
  "IPAddress.networking.k8s.io": ipAddressStrategy,
  "PodCertificateRequest.certificates.k8s.io": podCertificateRequestStrategy,
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io": priorityLevelStrategy,
  "ResourceClaim.resource.k8s.io": resourceClaimStrategy,
  "ResourceClaimTemplate.resource.k8s.io": resourceClaimTemplateStrategy,
  "ResourceSlice.resource.k8s.io": resourceSliceStrategy,
  "ServiceCIDR.networking.k8s.io": serviceCidrStrategy,
  "StorageVersionMigration.storagemigration.k8s.io": storageVersionMigrationStrategy,
  "VolumeAttributesClass.storage.k8s.io": volumeAttributesClassStrategy,
};
