// Written by `deno task facts:dump`.
import type { V1Condition, V1GroupResource, V1ObjectMeta } from "./meta_v1.ts";

/** The kind `StorageVersionMigration` of `storagemigration.k8s.io/v1`. */
export type V1StorageVersionMigration = {
  apiVersion?: "storagemigration.k8s.io/v1";
  kind?: "StorageVersionMigration";
  metadata: V1ObjectMeta;
  spec?: V1StorageVersionMigrationSpec;
  status?: V1StorageVersionMigrationStatus;
};

/** The type `StorageVersionMigrationSpec` of `storagemigration/v1`. */
export type V1StorageVersionMigrationSpec = {
  resource: V1GroupResource;
};

/** The type `StorageVersionMigrationStatus` of `storagemigration/v1`. */
export type V1StorageVersionMigrationStatus = {
  /** One item for each `type`. */
  conditions?: V1Condition[];
  resourceVersion?: string;
};
