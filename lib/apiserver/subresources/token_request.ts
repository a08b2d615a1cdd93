import {
  badRequest,
  conflict,
  type FieldError,
  FieldPath,
  invalid,
  invalidObject,
  notFound,
  notSupported,
} from "@xca/apimachinery/internal/errors";
import { dnsSubdomainProblems } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import { shownMap } from "../validation/shown.ts";
import type { TokenIssuer, TokenOrder } from "../access/tokens/token_issuer.ts";
import { mapAsItCame } from "../machinery/empty_maps.ts";
import type { Endpoint } from "../machinery/endpoint.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import type { RegistryReader } from "../machinery/registry_reader.ts";

const TOKEN_REQUEST = { group: "authentication.k8s.io", kind: "TokenRequest" };
const ACCOUNTS = { group: "", resource: "serviceaccounts" };
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3600;
/**
 * The expiration that kubelets request for the tokens of pods, in seconds. The API server issues a
 * token that is requested with this expiration, bound to a pod and for its own audiences only, for
 * a year; in kube-apiserver, its use after this time is only logged
 * (`token.ExpirationExtensionSeconds`).
 */
const KUBELET_SECONDS = 3607;
const KUBELET_LIFE_SECONDS = 365 * 24 * 3600;

interface BoundObjectRef {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

type Attestations = Readonly<Record<string, readonly string[]>>;

interface Spec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: BoundObjectRef | null;
  readonly attestations?: Attestations;
}

/**
 * The object that a service account token is bound to: a Secret, a node, or a pod with its node.
 */
type Bound = Pick<TokenOrder, "pod" | "secret" | "node">;

/**
 * Returns the endpoint of `serviceaccounts/token`, which issues a token for a service account
 * (`core/serviceaccount/storage/token.go`, `TokenREST.Create`).
 */
export function tokenRequest(issuer: TokenIssuer): Endpoint {
  return {
    create(body, context, registry) {
      const account = accountOf(body, context, registry);
      const sent = (body["spec"] ?? {}) as Spec;
      const audiences = sent.audiences?.length ? sent.audiences : issuer.audiences;
      const expirationSeconds = sent.expirationSeconds ?? DEFAULT_SECONDS;
      checkExpiration(expirationSeconds);
      const ref = sent.boundObjectRef ?? null;
      checkAttestations(sent, audiences);
      const bound = ref ? boundObject(ref, context, registry) : {};
      const extended = bound.pod !== undefined && expirationSeconds === KUBELET_SECONDS &&
        audiences.every((audience) => issuer.audiences.includes(audience));
      const token = issuer.issue({
        serviceAccount: account,
        ...bound,
        audiences,
        expirationSeconds: extended ? KUBELET_LIFE_SECONDS : expirationSeconds,
        ...(extended && { warnAfterSeconds: expirationSeconds }),
      });
      const expires = context.now.getTime() + expirationSeconds * 1000;
      return {
        kind: "TokenRequest",
        apiVersion: "authentication.k8s.io/v1",
        metadata: {
          ...body.metadata,
          name: context.name,
          namespace: context.namespace,
          uid: account.metadata.uid!,
          creationTimestamp: timeText(context.now.getTime()),
        },
        spec: { audiences, expirationSeconds, boundObjectRef: ref },
        status: { token, expirationTimestamp: timeText(expires) },
      };
    },
  };
}

function timeText(time: number): string {
  return formatTime(new Date(time));
}

/**
 * Returns the service account that a token is requested for.
 *
 * @throws {StatusError} 404 if the account does not exist; 422 if the body names another name or
 * namespace; 409 if the body names another uid.
 */
function accountOf(
  { metadata = {} }: ApiObject,
  context: RequestContext,
  registry: RegistryReader,
): ApiObject {
  const mismatch = (field: string, value: string): FieldError =>
    invalid(
      FieldPath.of("metadata", field),
      value,
      `must match the service account ${field} if specified`,
    );
  const { name, namespace, uid } = metadata;
  if (name && name !== context.name) {
    throw invalidObject(TOKEN_REQUEST, context.name, [mismatch("name", name)]);
  }
  if (namespace && namespace !== context.namespace) {
    throw invalidObject(TOKEN_REQUEST, context.name, [mismatch("namespace", namespace)]);
  }
  const account = registry.get("", "serviceaccounts", context.namespace, context.name);
  if (!account) throw notFound(ACCOUNTS, context.name);
  if (uid && uid !== account.metadata.uid) {
    const why = `the UID in the token request (${uid}) does not match the UID of the service ` +
      `account (${account.metadata.uid})`;
    throw conflict(
      { group: TOKEN_REQUEST.group, resource: TOKEN_REQUEST.kind },
      context.name,
      why,
    );
  }
  return account;
}

function checkExpiration(seconds: number): void {
  const path = FieldPath.of("spec", "expirationSeconds");
  const refuse = (detail: string) =>
    invalidObject(TOKEN_REQUEST, "", [invalid(path, seconds, detail)]);
  if (seconds < MIN_SECONDS) throw refuse("may not specify a duration less than 10 minutes");
  if (seconds > MAX_SECONDS) throw refuse("may not specify a duration larger than 2^32 seconds");
}

const WEBHOOK_KINDS = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];
const GROUPS = "admissionReviewAPIGroups";

/**
 * Throws an error if a token request has attestations, which belong to tokens for webhooks, or asks
 * for such a token, since the feature gate of these tokens is off
 * (`authentication/validation/validation.go, ValidateTokenRequest`).
 *
 * @throws {StatusError} 422 for attestations without a reference to a webhook configuration, or a
 * reference with invalid attestations or audiences; 400 for a valid request for such a token.
 */
function checkAttestations(
  sent: Spec,
  audiences: readonly string[],
): void {
  const { boundObjectRef: ref } = sent;
  const attestations = mapAsItCame(sent, "attestations");
  const spec = FieldPath.of("spec");
  const path = spec.child("attestations");
  const isForWebhook = WEBHOOK_KINDS.includes(ref?.kind ?? "") &&
    ref?.apiVersion === "admissionregistration.k8s.io/v1";
  const errors: FieldError[] = [];
  if (!isForWebhook) {
    if (Object.keys(attestations ?? {}).length === 0) return;
    const detail = "attestations may only be specified with a webhook bound object reference";
    throw invalidObject(TOKEN_REQUEST, "", [invalid(path, shownMap(attestations), detail)]);
  }
  if (audiences.length !== 1) {
    const detail = "must be length 1 when bound to a webhook config";
    errors.push(invalid(spec.child("audiences"), audiences, detail));
  }
  errors.push(...attestationErrors(attestations, path));
  if (errors.length > 0) throw invalidObject(TOKEN_REQUEST, "", errors);
  throw badRequest(
    `cannot bind token to object of type ${ref!.apiVersion}, Kind=${ref!.kind} ` +
      "(feature gate APIServerWebhookAuthenticationToken is disabled)",
  );
}

function attestationErrors(
  attestations: Attestations | undefined,
  path: FieldPath,
): FieldError[] {
  const [entry, ...others] = Object.entries(attestations ?? {});
  if (!entry || others.length > 0) {
    const detail = `webhook bound requests require exactly one ${GROUPS} attestation`;
    return [invalid(path, shownMap(attestations), detail)];
  }
  const [key, values] = entry;
  const at = path.key(key);
  if (key !== GROUPS) return [notSupported(at, key, [GROUPS])];
  if (values.length !== 1) return [invalid(at, values, "must specify a single value")];
  const [group = ""] = values;
  if (group === "") return [invalid(at.index(0), group, "may not be an empty string")];
  if (group === "*") return [];
  return dnsSubdomainProblems(group).map((problem) =>
    invalid(at.index(0), group, `must specify a valid API Group: ${problem}`)
  );
}

/**
 * Returns the pod, Secret or node that a service account token is to be bound to.
 *
 * @throws {StatusError} 404 if the object does not exist; 409 if it has another uid than the
 * request names; 400 if it is of another kind, or the pod has another service account.
 */
function boundObject(
  ref: BoundObjectRef,
  context: RequestContext,
  registry: RegistryReader,
): Bound {
  const { apiVersion = "", kind = "", name = "", uid } = ref;
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const resource = { Pod: "pods", Node: "nodes", Secret: "secrets" }[kind];
  if (group !== "" || !resource) {
    const version = apiVersion.slice(slash + 1);
    throw badRequest(
      `cannot bind token to object of type ${group}/${version}, Kind=${kind}`,
    );
  }
  const namespace = kind === "Node" ? "" : context.namespace;
  const object = registry.get("", resource, namespace, name);
  if (!object) throw notFound({ group: "", resource }, name);
  if (kind === "Pod" && (object as V1Pod).spec?.serviceAccountName !== context.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(context.name)} to pod running with ` +
        "different serviceaccount name.",
    );
  }
  if (uid && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in ` +
      "record. The object might have been deleted and then recreated";
    throw conflict({ group: "", resource: kind }, name, why);
  }
  if (kind === "Secret") return { secret: object };
  if (kind === "Node") return { node: { name, uid: object.metadata.uid! } };
  return { pod: object, ...nodeOf(registry, object as V1Pod) };
}

/**
 * Returns the node of a pod that a token is bound to, without a uid if the node does not exist; an
 * empty object if the pod has no node.
 */
function nodeOf(registry: RegistryReader, pod: V1Pod): Pick<Bound, "node"> {
  const name = pod.spec?.nodeName;
  if (!name) return {};
  const uid = registry.get("", "nodes", "", name)?.metadata.uid;
  return { node: { name, ...(uid && { uid }) } };
}
