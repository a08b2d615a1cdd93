import type { V1CertificateSigningRequest } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import {
  type Condition,
  type Request,
  validateRequest,
  validateRequestChange,
} from "./certificate_validation.ts";

const DECISIONS = ["Approved", "Denied"];

/**
 * The strategy of CertificateSigningRequests, which prepares objects for storage, with the
 * requesting user in the spec, and validates writes (registry/certificates/certificates,
 * `Strategy`).
 */
export const certificateSigningRequestStrategy: KindStrategy = typedStrategy<
  V1CertificateSigningRequest
>({
  prepareForCreate(object, { user }) {
    const { username: _1, uid: _2, groups: _3, extra: _4, ...asked } = object.spec;
    const { name, uid, groups, extra = {} } = user;
    object.spec = {
      ...asked,
      ...name && { username: name },
      ...uid && { uid },
      ...groups.length > 0 && { groups: [...groups] },
      ...Object.keys(extra).length > 0 &&
        { extra: structuredClone(extra) as NonNullable<Request["extra"]> },
    };
    object.status = {};
  },
  // A name may be any path segment.
  validateName: () => [],
  validateCreate: (object) => validateRequest(object, undefined),
  prepareForUpdate(object, old) {
    object.spec = old.spec;
    object.status = old.status ?? {};
  },
  validateUpdate: (object, old) => validateRequestChange(object, old, {}),
  status: {
    prepareForUpdate(object, old, context) {
      object.spec = old.spec;
      for (const type of DECISIONS) keepConditions(object, old, type);
      stampConditions(object, old, context);
    },
    validateUpdate: (object, old) => validateRequestChange(object, old, { mayIssue: true }),
  },
  subresources: {
    approval: {
      prepareForUpdate(object, old, context) {
        stampConditions(object, old, context);
        object.spec = old.spec;
        const { conditions } = object.status ?? {};
        object.status = { ...old.status };
        if (conditions) object.status.conditions = conditions;
        else delete object.status.conditions;
      },
      validateUpdate: (object, old) => validateRequestChange(object, old, { mayDecide: true }),
    },
  },
  selectableFields: ({ spec }) => ({ "spec.signerName": spec?.signerName ?? "" }),
  selectableFieldNames: ["spec.signerName"],
});

function conditionsOf({ status }: V1CertificateSigningRequest): Condition[] {
  return status?.conditions ?? [];
}

/**
 * Restores the stored conditions of one type in a CertificateSigningRequest, if the update does not
 * change their number.
 */
function keepConditions(
  object: V1CertificateSigningRequest,
  old: V1CertificateSigningRequest,
  type: string,
): void {
  const before = conditionsOf(old).filter((each) => each.type === type);
  const now = conditionsOf(object);
  const places = [...now.keys()].filter((index) => now[index]!.type === type);
  if (places.length !== before.length) return;
  for (const [nth, index] of places.entries()) now[index] = structuredClone(before[nth]!);
}

/**
 * Sets absent times of a CertificateSigningRequest's conditions: the update time to the time of the
 * request, the transition time to that of the stored condition of the same type and status, or else
 * to the time of the request.
 */
function stampConditions(
  object: V1CertificateSigningRequest,
  old: V1CertificateSigningRequest,
  context: RequestContext,
): void {
  const now = formatTime(context.now);
  for (const condition of conditionsOf(object)) {
    condition.lastUpdateTime ??= now;
    if (condition.lastTransitionTime) continue;
    const before = conditionsOf(old).find(({ type, status, lastTransitionTime }) =>
      type === condition.type && status === condition.status && lastTransitionTime
    );
    condition.lastTransitionTime = before?.lastTransitionTime ?? now;
  }
}
