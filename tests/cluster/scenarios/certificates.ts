/** Scenarios of CertificateSigningRequests: their approval, and the certificates that are issued. @module */
import { Buffer } from "node:buffer";
import { X509Certificate } from "node:crypto";
import { derValues } from "../../../lib/apimachinery/pki/der_reader.ts";
import type { V1CertificateSigningRequest } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { CertificateSigningRequest } from "../../../lib/apimachinery/meta/mod.ts";
import {
  certificationRequest,
  type RequestContents,
} from "../../support/network/certification_request.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";

type Spec = Omit<V1CertificateSigningRequest["spec"], "request">;

const APISERVER_CLIENT: Spec = {
  signerName: "kubernetes.io/kube-apiserver-client",
  usages: ["digital signature", "key encipherment", "client auth"],
};
const KUBELET_CLIENT: Spec = {
  ...APISERVER_CLIENT,
  signerName: "kubernetes.io/kube-apiserver-client-kubelet",
};
const KUBELET_SERVING: Spec = {
  signerName: "kubernetes.io/kubelet-serving",
  usages: ["digital signature", "server auth"],
};
const NODE: RequestContents = { commonName: "system:node:a", organizations: ["system:nodes"] };
const USER: RequestContents = { commonName: "jane", organizations: ["dev", "ops"] };

/**
 * Returns a scenario of one CertificateSigningRequest, which is approved or denied if a decision is
 * given.
 */
function requested(
  name: string,
  contents: RequestContents,
  spec: Spec,
  decision?: "Approved" | "Denied",
): Scenario {
  return {
    name: `CertificateSigningRequest ${name}`,
    run: async (stage) => {
      const { request } = await certificationRequest(contents);
      const made = await stage.client.create(CertificateSigningRequest, {
        metadata: { name: stage.namespace },
        spec: { ...spec, request: btoa(request) },
      });
      await stage.settle();
      if (decision) await decide(stage, made.metadata.name!, decision);
    },
    after: ({ client, namespace }) => client.delete(CertificateSigningRequest, namespace).then(),
  };
}

/** Adds a decision to a CertificateSigningRequest, as `kubectl certificate` does. */
async function decide({ client }: Stage, name: string, type: string): Promise<void> {
  const request = await client.get(CertificateSigningRequest, name);
  const conditions = [...request.status?.conditions ?? []];
  if (!conditions.some((condition) => condition.type === type)) {
    conditions.push({ type, status: "True", reason: "Scenario", message: "decided" } as never);
  }
  await client.requestJson({
    method: "PUT",
    path: `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}/approval`,
    body: {
      ...request,
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      status: { ...request.status, conditions },
    },
  });
}

/**
 * The validity below which a certificate is not shortened by the end of the authority, in seconds.
 */
const SHORT_SECONDS = 7200;
/**
 * The DER bytes, in hex, of the extension with the authority's key identifier, which differs
 * between authorities.
 */
const AUTHORITY_KEY = "551d23";

/** Returns the facts of a certificate that do not depend on its authority or its key. */
function certificateFacts(pem: string): unknown {
  const certificate = new X509Certificate(pem);
  const seconds = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 1000;
  const body = derValues(derValues(Buffer.from(certificate.raw))[0]!.content)[0]!;
  const list = derValues(body.content).find(({ tag }) => tag === 0xa3)!;
  const extensions = derValues(derValues(list.content)[0]!.content).map(({ content }) =>
    derValues(content).map((value) => value.content.toString("hex"))
  );
  return {
    subject: certificate.subject.split("\n").sort(),
    seconds: seconds < SHORT_SECONDS ? seconds : "long",
    extensions: extensions.map(([id, ...value]) =>
      id === AUTHORITY_KEY ? id : [id, ...value].join(" ")
    ),
  };
}

function requestFacts({ spec, status = {} }: V1CertificateSigningRequest): unknown {
  const { signerName, usages, expirationSeconds } = spec;
  const { certificate } = status;
  return {
    spec: { signerName, usages, expirationSeconds },
    conditions: status.conditions ?? [],
    certificate: certificate && JSON.stringify(certificateFacts(atob(certificate))),
  };
}

/** The scenarios of the controllers that approve and sign certificates. */
export const CERTIFICATES: ScenarioArea = {
  name: "certificates",
  kinds: [{
    type: CertificateSigningRequest,
    facts: requestFacts,
    belongsTo: ({ metadata }: V1CertificateSigningRequest, namespace) =>
      metadata.name === namespace,
  }],
  scenarios: [
    requested("of a user, approved", USER, APISERVER_CLIENT, "Approved"),
    requested("of a user, undecided", USER, APISERVER_CLIENT),
    requested("of a user, denied", USER, APISERVER_CLIENT, "Denied"),
    requested(
      "with an RSA key",
      { ...USER, kind: "RSA" },
      APISERVER_CLIENT,
      "Approved",
    ),
    requested("with a P-384 key", { ...USER, kind: "P-384" }, APISERVER_CLIENT, "Approved"),
    requested(
      "with an Ed25519 key",
      { ...USER, kind: "Ed25519" },
      { ...APISERVER_CLIENT, usages: ["client auth"] },
      "Approved",
    ),
    requested(
      "with alternative names",
      {
        ...USER,
        dns: ["a.example.com", "*.example.com"],
        emails: ["jane@example.com"],
        ips: ["192.0.2.1"],
        uris: ["spiffe://example.com/jane"],
      },
      APISERVER_CLIENT,
      "Approved",
    ),
    requested(
      "for ten minutes",
      USER,
      { ...APISERVER_CLIENT, expirationSeconds: 600 },
      "Approved",
    ),
    requested(
      "for an hour",
      USER,
      { ...APISERVER_CLIENT, expirationSeconds: 3600 },
      "Approved",
    ),
    requested(
      "for a hundred years",
      USER,
      { ...APISERVER_CLIENT, expirationSeconds: 2_147_483_647 },
      "Approved",
    ),
    requested(
      "for a server, of the signer for users",
      USER,
      { ...APISERVER_CLIENT, usages: ["client auth", "server auth"] },
      "Approved",
    ),
    requested(
      "without client authentication",
      USER,
      { ...APISERVER_CLIENT, usages: ["digital signature"] },
      "Approved",
    ),
    requested("of a kubelet", NODE, KUBELET_CLIENT),
    requested("of a kubelet without key encipherment", NODE, {
      ...KUBELET_CLIENT,
      usages: ["client auth", "digital signature"],
    }),
    requested(
      "of a kubelet of another organization",
      { ...NODE, organizations: ["nodes"] },
      KUBELET_CLIENT,
      "Approved",
    ),
    requested(
      "of a kubelet of another name",
      { ...NODE, commonName: "node:a" },
      KUBELET_CLIENT,
      "Approved",
    ),
    requested(
      "of a kubelet with a DNS name",
      { ...NODE, dns: ["a"] },
      KUBELET_CLIENT,
      "Approved",
    ),
    requested(
      "of a kubelet with an email address",
      { ...NODE, emails: ["a@b.example"] },
      KUBELET_CLIENT,
      "Approved",
    ),
    requested(
      "of a kubelet with other usages",
      NODE,
      { ...KUBELET_CLIENT, usages: ["client auth"] },
      "Approved",
    ),
    requested(
      "of a kubelet's server",
      { ...NODE, dns: ["a"], ips: ["192.0.2.1"] },
      KUBELET_SERVING,
      "Approved",
    ),
    requested("of a kubelet's server, undecided", { ...NODE, dns: ["a"] }, KUBELET_SERVING),
    requested("of a kubelet's server without names", NODE, KUBELET_SERVING, "Approved"),
    requested(
      "of a kubelet's server with a URI",
      { ...NODE, dns: ["a"], uris: ["https://a.example"] },
      KUBELET_SERVING,
      "Approved",
    ),
    requested(
      "of a kubelet's server with other usages",
      { ...NODE, dns: ["a"] },
      { ...KUBELET_SERVING, usages: ["server auth"] },
      "Approved",
    ),
    requested(
      "of a kubelet's server of another name",
      { ...NODE, commonName: "a", dns: ["a"] },
      KUBELET_SERVING,
      "Approved",
    ),
    requested(
      "of another signer",
      USER,
      { ...APISERVER_CLIENT, signerName: "example.com/own" },
      "Approved",
    ),
  ],
};
