// Mirrors `controller/certificates/cleaner/cleaner.go, CSRCleanerController`.
import { X509Certificate } from "node:crypto";
import { attempt } from "@xca/apimachinery/internal/base";
import { CertificateSigningRequest } from "@xca/apimachinery/meta";
import { ignoreNotFound } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { conditionsOf, isIssued, type ReadRequest } from "./signing_request.ts";

const HOUR_MS = 3_600_000;
/**
 * The time for which an issued, denied or failed CertificateSigningRequest is kept after its
 * condition was last updated, in milliseconds.
 */
const DECIDED_MS = HOUR_MS;
/**
 * The time, in milliseconds, for which a CertificateSigningRequest may wait: for its approval since
 * its creation, and for its certificate since its condition `Approved` was last updated.
 */
const PENDING_MS = 24 * HOUR_MS;

/**
 * The controller that deletes old CertificateSigningRequests: an hour after they were denied,
 * failed, or approved with an issued certificate, a day after they were created or approved without
 * a further step, and when their certificates expire.
 */
export const cleanerController: ControllerDefinition = controllerFor(CertificateSigningRequest)
  .named("certificatesigningrequest-cleaner-controller")
  .options({ workers: 1, hotLoopRuns: Infinity })
  .reconcile(reconcile);

async function reconcile(
  { cache, client, clock, key }: ReconcileContext,
): Promise<RequeueAfter | void> {
  const request: ReadRequest | undefined = cache.shared.get(CertificateSigningRequest, key);
  if (!request) return;
  const deadlineMs = deadlineOf(request);
  if (deadlineMs === undefined) return;
  const waitMs = deadlineMs - clock.now().getTime();
  if (waitMs >= 0) return { requeueAfterMs: waitMs + 1 };
  const { resourceVersion } = request.metadata;
  const preconditions = { resourceVersion: resourceVersion! };
  await ignoreNotFound(client.delete(CertificateSigningRequest, key, { preconditions }));
}

/**
 * Returns the earliest time at which a CertificateSigningRequest is due for deletion, in
 * milliseconds since the epoch; `undefined` if its conditions and its certificate set no such time.
 */
function deadlineOf(request: ReadRequest): number | undefined {
  const { metadata, status } = request;
  const since = (type: string, keptMs: number): number[] =>
    conditionsOf(request, type).flatMap(({ lastUpdateTime }) =>
      lastUpdateTime ? [Date.parse(lastUpdateTime) + keptMs] : []
    );
  const isPending = (status?.conditions ?? []).length === 0;
  const deadlines = [
    ...isPending ? [Date.parse(metadata.creationTimestamp ?? "") + PENDING_MS] : [],
    ...since("Denied", DECIDED_MS),
    ...since("Failed", DECIDED_MS),
    ...since("Approved", isIssued(request) ? DECIDED_MS : PENDING_MS),
    ...conditionsOf(request, "Approved").length > 0 ? endOfCertificate(request) : [],
  ].filter((time) => !Number.isNaN(time));
  return deadlines.length === 0 ? undefined : Math.min(...deadlines);
}

/**
 * Returns the expiry time of the certificate of a CertificateSigningRequest as a list of one
 * number, in milliseconds since the epoch; an empty list if there is no certificate, or it cannot
 * be parsed.
 */
function endOfCertificate({ status }: ReadRequest): number[] {
  const { certificate } = status ?? {};
  if (!certificate) return [];
  const end = attempt(() => new X509Certificate(atob(certificate)).validTo);
  return end === undefined ? [] : [Date.parse(end)];
}
