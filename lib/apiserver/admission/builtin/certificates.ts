// Mirrors `certificates/approval/admission.go, Plugin.Validate`.

import { readCertificationRequest } from "@xca/apimachinery/internal/pki";
import type { Authorizer } from "@xca/apimachinery/internal/access";
import { type ApiObject, goQuote, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import { forbiddenByAdmission } from "../attributes.ts";

const GROUP = "certificates.k8s.io";
const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";
const MASTERS = "system:masters";

interface Spec {
  readonly signerName?: string;
  readonly request?: string;
}

function concerns({ context }: AdmissionRequest, subresource: string): boolean {
  const { group, plural } = context.resource;
  return group === GROUP && plural === "certificatesigningrequests" &&
    context.subresource === subresource;
}

interface Status {
  readonly certificate?: string;
  readonly conditions?: Json[];
}

function specOf(object: ApiObject | undefined): Spec {
  return (object?.["spec"] ?? {}) as Spec;
}

/**
 * Returns the admission plugin that refuses updates of the subresource `approval` of a
 * CertificateSigningRequest (approvals and denials) by a user who may not `approve` for the
 * request's signer.
 */
export function certificateApproval(authorize: Authorizer): Admission {
  return {
    name: "CertificateApproval",
    handles: (request) => request.operation === "UPDATE" && concerns(request, "approval"),
    validate(request) {
      const { signerName = "" } = specOf(request.old);
      if (mayActFor(authorize, request, "approve", signerName)) return;
      const why = `user not permitted to approve requests with signerName ${goQuote(signerName)}`;
      throw forbiddenByAdmission(request, why);
    },
  };
}

/**
 * Returns the admission plugin that refuses changes of the certificate or the conditions in the
 * status of a CertificateSigningRequest by a user who may not `sign` for the request's signer.
 */
export function certificateSigning(authorize: Authorizer): Admission {
  return {
    name: "CertificateSigning",
    handles: (request) => request.operation === "UPDATE" && concerns(request, "status"),
    validate(request) {
      if (!changesCertificate(request)) return;
      const { signerName = "" } = specOf(request.old);
      if (mayActFor(authorize, request, "sign", signerName)) return;
      const why = `user not permitted to sign requests with signerName ${goQuote(signerName)}`;
      throw forbiddenByAdmission(request, why);
    },
  };
}

function changesCertificate({ object, old }: AdmissionRequest): boolean {
  const said = (each: ApiObject | undefined): Json => {
    const { certificate = "", conditions = [] } = (each?.["status"] ?? {}) as Status;
    return [certificate, conditions];
  };
  return !jsonEqual(said(object), said(old));
}

/**
 * Reports whether a user has a verb, such as `approve`, on a certificate signer. RBAC rules name a
 * signer, or all signers of a domain as `domain/*`.
 */
function mayActFor(
  authorize: Authorizer,
  { context }: AdmissionRequest,
  verb: string,
  signerName: string,
): boolean {
  const [domain] = signerName.split("/");
  return [signerName, `${domain}/*`].some((name) =>
    authorize({
      user: context.user,
      verb,
      isResource: true,
      group: GROUP,
      version: "*",
      resource: "signers",
      subresource: "",
      namespace: "",
      name,
      path: "",
    }).allowed
  );
}

/**
 * The admission plugin that refuses new CertificateSigningRequests of the signer
 * `kubernetes.io/kube-apiserver-client` (client certificates for the API server) that ask for the
 * group `system:masters`.
 */
export const CERTIFICATE_SUBJECT: Admission = {
  name: "CertificateSubjectRestriction",
  handles: (request) => request.operation === "CREATE" && concerns(request, ""),
  validate(request) {
    const { signerName, request: asked = "" } = specOf(request.object);
    if (signerName !== CLIENT_SIGNER) return;
    if (!readCertificationRequest(asked).organizations.includes(MASTERS)) return;
    const why = `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`;
    throw forbiddenByAdmission(request, why);
  },
};
