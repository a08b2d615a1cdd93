// Mirrors `controller/certificates/approver/sarapprove.go, sarApprover`.
import {
  type CertificationRequest,
  readCertificationRequest,
} from "@xca/apimachinery/internal/pki";
import { CertificateSigningRequest, keyOf } from "@xca/apimachinery/meta";
import { objectPath } from "../../client/calls/paths.ts";
import { reviewAccess } from "../../client/subresources/access_review.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { faultOfKubeletClient } from "./request_rules.ts";
import { conditionsOf, isIssued, type ReadRequest, SIGNER } from "./signing_request.ts";

/**
 * The shortest and the longest time, in milliseconds, after which the approver retries a
 * CertificateSigningRequest whose user lacks the permission.
 */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [200, 1_000_000];

/**
 * A list of the kinds of CertificateSigningRequests that the approver approves. Each has the
 * subresource that the requesting user needs permission to create, the message of the approval, and
 * whether the common name of the request must be the name of the requesting user.
 */
const RECOGNIZED = [
  {
    subresource: "selfnodeclient",
    message: "Auto approving self kubelet client certificate after SubjectAccessReview.",
    isOwn: true,
  },
  {
    subresource: "nodeclient",
    message: "Auto approving kubelet client certificate after SubjectAccessReview.",
    isOwn: false,
  },
] as const;

/**
 * The controller that approves the CertificateSigningRequests of kubelets for their client
 * certificates. The requesting user needs the permission to create
 * `certificatesigningrequests/nodeclient`, or `certificatesigningrequests/selfnodeclient` to renew
 * the certificate that the user authenticates with; a request without this permission is checked
 * again later. Decided, invalid and other requests are left alone.
 */
export const approvingController: ControllerDefinition = controllerFor(CertificateSigningRequest)
  .named("certificatesigningrequest-approving-controller")
  .options({ workers: 5, hotLoopRuns: Infinity })
  .reconcile(reconcile);

async function reconcile(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, client, clock, key } = context;
  const request: ReadRequest | undefined = cache.shared.get(CertificateSigningRequest, key);
  if (!request || isIssued(request)) return;
  if ([...conditionsOf(request, "Approved"), ...conditionsOf(request, "Denied")].length > 0) return;
  const asked = readCertificationRequest(request.spec.request);
  const candidates = recognized(request, asked);
  for (const { subresource, message } of candidates) {
    const { username: user, uid, groups = [], extra = {} } = request.spec;
    const access = {
      verb: "create",
      type: CertificateSigningRequest,
      subresource,
    } as Parameters<typeof reviewAccess>[2];
    const { allowed } = await reviewAccess(client, { user, uid, groups, extra }, access);
    if (!allowed) continue;
    await approve(context, request, message);
    return;
  }
  if (candidates.length === 0) return;
  // The user may get the permission later. Each wait is as long as the request is old, so the waits
  // double.
  const ageMs = clock.now().getTime() - Date.parse(request.metadata.creationTimestamp ?? "");
  return { requeueAfterMs: Math.min(Math.max(ageMs, FIRST_RETRY_MS), LAST_RETRY_MS) };
}

function recognized(
  { spec }: ReadRequest,
  asked: CertificationRequest,
): readonly (typeof RECOGNIZED)[number][] {
  if (spec.signerName !== SIGNER.kubeletClient) return [];
  if (faultOfKubeletClient(asked, spec.usages ?? []) !== undefined) return [];
  return RECOGNIZED.filter(({ isOwn }) => !isOwn || spec.username === asked.commonName);
}

async function approve(
  { client }: ReconcileContext,
  request: ReadRequest,
  message: string,
): Promise<void> {
  const approved = { type: "Approved", status: "True", reason: "AutoApproved", message };
  const conditions = [...request.status?.conditions ?? [], approved];
  await client.requestJson({
    method: "PUT",
    path: objectPath(CertificateSigningRequest, keyOf(request), "approval"),
    body: {
      ...request,
      apiVersion: "certificates.k8s.io/v1",
      kind: CertificateSigningRequest.kind,
      status: { ...request.status, conditions },
    },
  });
}
