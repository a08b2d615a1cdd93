// Mirrors `defaulttolerationseconds/admission.go, Plugin.Admit`.

import type { Admission } from "../../machinery/admission.ts";
import { concerns } from "../attributes.ts";

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

const TAINTS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const SECONDS = 300;

/**
 * The admission plugin that adds to new and updated pods `NoExecute` tolerations of 300 seconds for
 * the taints `node.kubernetes.io/not-ready` and `node.kubernetes.io/unreachable`. A taint that a
 * pod tolerates already is skipped.
 */
export const DEFAULT_TOLERATION_SECONDS: Admission = {
  name: "DefaultTolerationSeconds",
  handles: (request) =>
    (request.operation === "CREATE" || request.operation === "UPDATE") &&
    concerns(request, { group: "", resource: "pods" }),
  mutate: ({ object }) => {
    const spec = (object!["spec"] ??= {}) as { tolerations?: Toleration[] };
    const missing = TAINTS.filter((taint) =>
      !(spec.tolerations ?? []).some(({ key, effect }) =>
        (!key || key === taint) && (!effect || effect === "NoExecute")
      )
    );
    if (missing.length === 0) return;
    spec.tolerations = [
      ...spec.tolerations ?? [],
      ...missing.map((key): Toleration => ({
        key,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: SECONDS,
      })),
    ];
  },
};
