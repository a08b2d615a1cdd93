// Mirrors `serviceaccount/admission.go, Plugin.Admit` and `serviceaccount/admission.go, Plugin.Validate`.
import type { V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { forbiddenByAdmission } from "../attributes.ts";
import { Accounts } from "./accounts.ts";
import { findAccount, type Patience } from "./find_account.ts";
import { isMirrorPod, mirrorPodProblem } from "./mirror_pod.ts";
import {
  disallowedEphemeralSecret,
  disallowedSecret,
  type PodOfAccount,
} from "./secret_references.ts";
import { mountToken } from "./token_volume.ts";

const DEFAULT = "default";
const ENFORCE = "kubernetes.io/enforce-mountable-secrets";
/** The texts that Go parses as the boolean true (`strconv.ParseBool`). */
const TRUE = ["1", "t", "T", "TRUE", "true", "True"];

/**
 * Returns the admission plugin that sets the absent service account (`default`), image pull secrets
 * and token volume of new pods, and refuses pods and ephemeral containers whose account does not
 * exist or, if the account is annotated to enforce this, does not reference one of their Secrets.
 * Mirror pods are not changed, and are refused if they refer to a service account or Secrets.
 */
export function serviceAccountPlugin(patience: Patience): Admission {
  const accounts = new Accounts();
  const accountOf = (request: AdmissionRequest, registry: Registry) =>
    requiredAccount(accounts, request, registry, patience);
  return {
    name: "ServiceAccount",
    handles: (request) => isNewPod(request) || isNewEphemeralContainer(request),
    async mutate(request, registry) {
      if (!isNewPod(request)) return;
      const pod = request.object as PodOfAccount;
      if (isMirrorPod(pod)) return checkMirrorPod(request);
      const spec = (pod.spec ??= {});
      if (!spec.serviceAccountName) {
        spec.serviceAccountName = DEFAULT;
        spec.serviceAccount = DEFAULT;
      }
      const account = await accountOf(request, registry);
      if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) {
        mountToken(spec, () => request.context.nameSuffix());
      }
      const { imagePullSecrets = [] } = account;
      if (!spec.imagePullSecrets?.length && imagePullSecrets.length > 0) {
        spec.imagePullSecrets = imagePullSecrets.map(({ name }) => name ? { name } : {});
      }
      checkSecrets(request, account);
    },
    async validate(request, registry) {
      if (isNewPod(request) && isMirrorPod(request.object as PodOfAccount)) {
        checkMirrorPod(request);
      } else {
        checkSecrets(request, await accountOf(request, registry));
      }
    },
  };
}

/**
 * Returns the service account that a pod names, as {@linkcode findAccount} does.
 *
 * @throws {StatusError} 403 if the pod names no account, or the account does not exist.
 */
async function requiredAccount(
  accounts: Accounts,
  request: AdmissionRequest,
  registry: Registry,
  patience: Patience,
): Promise<V1ServiceAccount> {
  const { context, object } = request;
  const name = (object as PodOfAccount).spec?.serviceAccountName ?? "";
  if (name === "") {
    const pod = `${context.namespace}/${object!.metadata.name ?? ""}`;
    throw forbiddenByAdmission(request, `no service account specified for pod ${pod}`);
  }
  const account = await findAccount(accounts, registry, request, name, patience);
  if (account) return account;
  const key = `${context.namespace}/${name}`;
  const why = `error looking up service account ${key}: serviceaccount ${goQuote(name)} not found`;
  throw forbiddenByAdmission(request, why);
}

/**
 * Checks that a mirror pod refers to no service account, Secret or service account token.
 *
 * @throws {StatusError} 403
 */
function checkMirrorPod(request: AdmissionRequest): void {
  const problem = mirrorPodProblem(request.object as PodOfAccount);
  if (problem !== undefined) throw forbiddenByAdmission(request, problem);
}

/**
 * Checks that a pod uses only Secrets that its service account references, if an annotation of the
 * account requires this.
 *
 * @throws {StatusError} 403 for a pod; 500, as kube-apiserver answers, for an ephemeral container.
 */
function checkSecrets(request: AdmissionRequest, account: V1ServiceAccount): void {
  if (!TRUE.includes(account.metadata.annotations?.[ENFORCE] ?? "")) return;
  const pod = request.object as PodOfAccount;
  if (isNewPod(request)) {
    const problem = disallowedSecret(pod, account);
    if (problem !== undefined) throw forbiddenByAdmission(request, problem);
  } else {
    const problem = disallowedEphemeralSecret(pod, account);
    if (problem !== undefined) throw new StatusError(500, "", problem);
  }
}

function isOfPods({ context }: AdmissionRequest, subresource: string): boolean {
  const { group, plural } = context.resource;
  return group === "" && plural === "pods" && context.subresource === subresource;
}

function isNewPod(request: AdmissionRequest): boolean {
  return request.operation === "CREATE" && isOfPods(request, "");
}

function isNewEphemeralContainer(request: AdmissionRequest): boolean {
  return request.operation === "UPDATE" && isOfPods(request, "ephemeralcontainers");
}
