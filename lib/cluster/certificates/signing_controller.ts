// Mirrors `controller/certificates/signer/signer.go, signer`.
import { issueCertificate, readCertificationRequest } from "@xca/apimachinery/internal/pki";
import type { V1CertificateSigningRequest } from "@xca/apimachinery/kubernetes-types";
import { CertificateSigningRequest, formatTime } from "@xca/apimachinery/meta";
import type { PemPair } from "@xca/apimachinery/pki";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { ruleOf } from "./request_rules.ts";
import { conditionsOf, isApproved, isIssued, type ReadRequest } from "./signing_request.ts";

/** The longest validity of an issued certificate, and the default, in seconds: one year. */
const MAX_SECONDS = 365 * 86_400;
/**
 * The shortest validity of an issued certificate, in seconds: twice the time by which its start is
 * backdated.
 */
const MIN_SECONDS = 600;

/**
 * Creates the controller that issues the certificates of approved CertificateSigningRequests for
 * the signers that are built into Kubernetes. A request that violates the rules of its signer gets
 * the condition `Failed`.
 */
export function signingController(authority: PemPair): ControllerDefinition {
  return controllerFor(CertificateSigningRequest)
    .named("certificatesigningrequest-signing-controller")
    .options({ workers: 5, hotLoopRuns: Infinity })
    .reconcile((context) => reconcile(context, authority));
}

async function reconcile(context: ReconcileContext, authority: PemPair): Promise<void> {
  const { cache, clock, key } = context;
  const request: ReadRequest | undefined = cache.shared.get(CertificateSigningRequest, key);
  if (!request || isIssued(request) || !isApproved(request) || isFailed(request)) return;
  const { expirationSeconds = MAX_SECONDS, signerName, usages = [] } = request.spec;
  const rule = ruleOf(signerName);
  if (!rule) return;
  const asked = readCertificationRequest(request.spec.request);
  const fault = rule(asked, usages);
  if (fault !== undefined) return await fail(context, request, fault);
  const seconds = Math.min(Math.max(expirationSeconds, MIN_SECONDS), MAX_SECONDS);
  const certificate = issueCertificate(asked, authority, {
    usages,
    now: clock.now(),
    validityMs: seconds * 1000,
  });
  await writeStatus(context, request, { certificate: btoa(certificate) });
}

function isFailed(request: ReadRequest): boolean {
  return conditionsOf(request, "Failed").some(({ status }) => !status || status === "True");
}

async function fail(
  context: ReconcileContext,
  request: ReadRequest,
  message: string,
): Promise<void> {
  const failed = {
    type: "Failed",
    status: "True",
    reason: "SignerValidationFailure",
    message,
    lastUpdateTime: formatTime(context.clock.now()),
  };
  await writeStatus(context, request, {
    conditions: [...request.status?.conditions ?? [], failed] as never,
  });
}

async function writeStatus(
  { client }: ReconcileContext,
  request: ReadRequest,
  changed: NonNullable<V1CertificateSigningRequest["status"]>,
): Promise<void> {
  const status = { ...request.status, ...changed };
  await client.updateStatus(
    CertificateSigningRequest,
    { ...request, status } as V1CertificateSigningRequest,
  );
}
