// Written by `deno task facts:dump`.
import type { V1Condition, V1GroupResource, V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `StorageVersionMigration` of `storagemigration.k8s.io/v1`. */
export type V1StorageVersionMigration = {
  apiVersion?: "storagemigration.k8s.io/v1";
  kind?: "StorageVersionMigration";
  metadata: V1ObjectMeta;
  spec?: V1StorageVersionMigrationSpec;
  status?: V1StorageVersionMigrationStatus;
};

/** The TypeScript type of the Kubernetes API type `StorageVersionMigrationSpec` of `storagemigration.k8s.io/v1`. */
export type V1StorageVersionMigrationSpec = {
  resource: V1GroupResource;
};

/** The TypeScript type of the Kubernetes API type `StorageVersionMigrationStatus` of `storagemigration.k8s.io/v1`. */
export type V1StorageVersionMigrationStatus = {
  /** The field `conditions` of `StorageVersionMigrationStatus`: a list with at most one item for each `type`. */
  conditions?: V1Condition[];
  resourceVersion?: string;
};
