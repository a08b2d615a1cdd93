import type { V1Deployment, V1Pod } from "@xca/apimachinery/kubernetes-types";
import { formatLabelSelector, type KubeObject, labelSelectorOf, Pod } from "@xca/apimachinery/meta";
import type { ClusterRun } from "./cluster_run.ts";

/**
 * Returns the pods in the namespace of a Deployment that its selector (`matchLabels` and
 * `matchExpressions`) selects; none for a Deployment without a selector, which no API server
 * accepts. The Deployment need not exist in the cluster any more.
 *
 * @throws {TypeError} When a key, operator or value of the selector is invalid.
 */
export async function deploymentPods(
  { client, signal }: ClusterRun,
  deployment: KubeObject,
): Promise<V1Pod[]> {
  const { namespace } = deployment.metadata;
  const { spec } = deployment as unknown as V1Deployment;
  if (!spec?.selector) return [];
  const labelSelector = formatLabelSelector(labelSelectorOf(spec.selector));
  return (await client.list(Pod, { namespace, labelSelector, signal })).items;
}
