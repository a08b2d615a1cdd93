// Mirrors `admission/plugin/resourcequota/admission.go, QuotaAdmission.Validate`.
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1ResourceQuota } from "@xca/apimachinery/kubernetes-types";
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { ByNamespace } from "../by_namespace.ts";
import { evaluatorOf, sum } from "@xca/apimachinery/internal/quota";
import { type Charge, chargesOf, checkGranted } from "./charge.ts";
import { changesUsage } from "./handled_writes.ts";
import { type Quota, quotaOf, quotasOf } from "./quotas.ts";

const QUOTAS = { group: "", resource: "resourcequotas" };
const MANAGER = "kube-apiserver";

/**
 * The admission plugin that enforces the ResourceQuotas of a namespace, and adds the usage of each
 * write, except a dry run, to the status of the quotas.
 */
export class ResourceQuotas implements Admission {
  readonly name = "ResourceQuota";
  readonly #quotas = new ByNamespace<readonly Quota[]>(QUOTAS, quotasOf);

  handles(request: AdmissionRequest, registry: Registry): boolean {
    const { operation, context: { namespace } } = request;
    if (namespace === "" || operation !== "CREATE" && operation !== "UPDATE") return false;
    return this.#quotas.of(registry, namespace) !== undefined &&
      changesUsage(request);
  }

  async validate(request: AdmissionRequest, registry: Registry): Promise<void> {
    const { namespace, dryRun, resource: { group, plural } } = request.context;
    const quotas = this.#quotas.of(registry, namespace) ?? [];
    const charges = chargesOf(request, evaluatorOf(group, plural)!, quotas, registry);
    if (dryRun) return;
    for (const charge of charges) await take(charge, request, registry);
  }
}

/**
 * Adds the usage of a write to the status of a ResourceQuota. Does nothing if the quota has been
 * deleted.
 *
 * @throws {StatusError} 403 if a concurrent write exhausted the quota.
 */
async function take(
  { quota: name, amounts }: Charge,
  request: AdmissionRequest,
  registry: Registry,
): Promise<void> {
  const change = (current: ApiObject): ApiObject => {
    const quota = quotaOf(current);
    checkGranted(request, quota, amounts);
    const { status } = current as V1ResourceQuota;
    return { ...current, status: { ...status, used: sum(quota.used, amounts) } };
  };
  const address = { ...QUOTAS, namespace: request.context.namespace, name };
  const options = { subresource: "status", fieldManager: MANAGER };
  try {
    await registry.update(address, change, options);
  } catch (error) {
    // A deleted quota limits nothing.
    if (error instanceof StatusError && error.reason === "NotFound") return;
    throw error;
  }
}
