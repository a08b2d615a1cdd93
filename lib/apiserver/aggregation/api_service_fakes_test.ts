import type { V1APIService } from "@xca/apimachinery/kubernetes-types";

/** An APIService of an extension API server behind the Service `default/ext`, in tests. */
export const API: V1APIService = {
  metadata: { name: "v1.ext.example.org" },
  spec: {
    group: "ext.example.org",
    version: "v1",
    service: { name: "ext", namespace: "default" },
    groupPriorityMinimum: 1,
    versionPriority: 1,
  },
};
