// Mirrors `admission/plugin/resourcequota/controller.go, CheckRequest`.
import { nanosOf } from "@xca/apimachinery/internal/values";
import type { AdmissionRequest } from "../../machinery/admission.ts";
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import type { StatusError } from "@xca/apimachinery/internal/errors";
import { forbiddenByAdmission } from "../attributes.ts";
import {
  type Amounts,
  amountsText,
  type Evaluator,
  exceeded,
  increase,
  only,
  sum,
  withoutZeros,
} from "@xca/apimachinery/internal/quota";
import { isAbout, type Quota } from "./quotas.ts";

/**
 * The usage that a write adds to one ResourceQuota: the quota's name, and the amounts by resource
 * name.
 */
export interface Charge {
  readonly quota: string;
  readonly amounts: Amounts;
}

/**
 * Returns the usage that a write adds to the given ResourceQuotas, without the quotas to which it
 * adds none.
 *
 * @throws {StatusError} 403 if the usage cannot be determined, or exceeds a quota.
 */
export function chargesOf(
  request: AdmissionRequest,
  evaluator: Evaluator,
  quotas: readonly Quota[],
  registry: RegistryReader,
): Charge[] {
  const object = request.object!;
  const concerned = quotas.filter((quota) => isAbout(quota, evaluator, object, registry));
  for (const quota of concerned) checkCountable(request, evaluator, quota, registry);
  const context = { registry, now: request.context.now };
  const usage = evaluator.usage(object, context);
  const negative = Object.keys(usage).filter((name) => nanosOf(usage[name]) < 0n).sort();
  if (negative.length > 0) {
    const why = `quota usage is negative for resource(s): ${negative.join(",")}`;
    throw forbiddenByAdmission(request, why);
  }
  const { old } = request;
  const more = old && increase(usage, evaluator.usage(old, context));
  return concerned.flatMap((quota) => {
    const added = more && isAbout(quota, evaluator, old!, registry) ? more : withoutZeros(usage);
    const amounts = only(added, Object.keys(quota.hard));
    if (Object.keys(amounts).length === 0) return [];
    checkGranted(request, quota, amounts);
    return [{ quota: quota.name, amounts }];
  });
}

/**
 * Checks that the written object specifies the resources that a ResourceQuota counts, and that the
 * quota's status has their usage.
 *
 * @throws {StatusError} 403
 */
function checkCountable(
  request: AdmissionRequest,
  evaluator: Evaluator,
  { name, hard, used }: Quota,
  registry: RegistryReader,
): void {
  const names = evaluator.matching(Object.keys(hard), registry);
  const problem = evaluator.problem?.(request.object!, names);
  if (problem !== undefined) {
    throw forbiddenByAdmission(request, `failed quota: ${name}: ${problem}`);
  }
  if (names.every((each) => used[each] !== undefined)) return;
  const resources = [...names].sort().join(",");
  const why = `status unknown for quota: ${name}, resources: ${resources}`;
  throw forbiddenByAdmission(request, why);
}

/**
 * Checks that a ResourceQuota's hard limits allow the usage that a write adds. A write of `status`
 * is always allowed.
 *
 * @throws {StatusError} 403
 */
export function checkGranted(
  request: AdmissionRequest,
  { name, hard, used }: Quota,
  amounts: Amounts,
): void {
  if (request.context.subresource === "status") return;
  const over = exceeded(only(sum(used, amounts), Object.keys(amounts)), hard);
  if (over.length > 0) throw exceededError(request, name, amounts, used, hard, over);
}

function exceededError(
  request: AdmissionRequest,
  name: string,
  amounts: Amounts,
  used: Amounts,
  hard: Amounts,
  over: readonly string[],
): StatusError {
  const [requested, already, limited] = [amounts, used, hard]
    .map((each) => amountsText(only(each, over)));
  return forbiddenByAdmission(
    request,
    `exceeded quota: ${name}, requested: ${requested}, used: ${already}, limited: ${limited}`,
  );
}
