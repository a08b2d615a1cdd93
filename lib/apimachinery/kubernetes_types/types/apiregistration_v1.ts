// Written by `deno task facts:dump`.
import type { V1ObjectMeta } from "./meta_v1.ts";

/** The TypeScript type of the Kubernetes kind `APIService` of `apiregistration.k8s.io/v1`. */
export type V1APIService = {
  apiVersion?: "apiregistration.k8s.io/v1";
  kind?: "APIService";
  metadata: V1ObjectMeta;
  spec?: V1APIServiceSpec;
  status?: V1APIServiceStatus;
};

/** The TypeScript type of the Kubernetes API type `APIServiceCondition` of `apiregistration.k8s.io/v1`. */
export type V1APIServiceCondition = {
  type: string;
  status: string;
  /** The field `lastTransitionTime` of `APIServiceCondition`: an RFC 3339 time in whole seconds. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
};

/** The TypeScript type of the Kubernetes API type `APIServiceSpec` of `apiregistration.k8s.io/v1`. */
export type V1APIServiceSpec = {
  service?: ApiregistrationV1ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  /** The field `caBundle` of `APIServiceSpec`: bytes in base64. */
  caBundle?: string;
  groupPriorityMinimum: number;
  versionPriority: number;
};

/** The TypeScript type of the Kubernetes API type `APIServiceStatus` of `apiregistration.k8s.io/v1`. */
export type V1APIServiceStatus = {
  /** The field `conditions` of `APIServiceStatus`: a list with at most one item for each `type`. */
  conditions?: V1APIServiceCondition[];
};

/** The TypeScript type of the Kubernetes API type `ServiceReference` of `apiregistration.k8s.io/v1`. */
export type ApiregistrationV1ServiceReference = {
  namespace?: string;
  name?: string;
  port?: number;
};
