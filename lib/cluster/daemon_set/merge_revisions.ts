// Mirrors `controller/daemon/update.go, dedupCurHistories`.
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { ControllerRevision, keyOf, Pod } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { type History, templateOf } from "../workloads/controller_history.ts";
import { REVISION_HASH } from "./daemon_pod.ts";

/**
 * Deletes the revisions of a DaemonSet that have the same template as the current revision, such as
 * adopted ones, after their pods have been labelled with the hash of the current revision. Returns
 * whether any revision was deleted.
 *
 * @throws {ApiError} When the server refuses a write.
 */
export async function mergeRevisions(
  { client }: Pick<ReconcileContext, "client">,
  { revisions, current }: History,
  pods: readonly ReadPod[],
): Promise<boolean> {
  const template = templateOf(current);
  const surplus = revisions.filter((each) =>
    each !== current && jsonEqual(templateOf(each), template)
  );
  if (surplus.length === 0) return false;
  const hashes = new Set(surplus.map(({ metadata }) => metadata.labels?.[REVISION_HASH]));
  const labels = { [REVISION_HASH]: current.metadata.labels?.[REVISION_HASH] ?? "" };
  for (const pod of pods) {
    if (!hashes.has(pod.metadata.labels?.[REVISION_HASH])) continue;
    await ignoreNotFound(client.patch(Pod, keyOf(pod), mergePatch({ metadata: { labels } })));
  }
  for (const revision of surplus) {
    await ignoreNotFound(client.delete(ControllerRevision, keyOf(revision)));
  }
  return true;
}
