import {
  declared,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import type { V1PriorityLevelConfiguration } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateFlowConditions } from "./flow_conditions.ts";
import { FLOW_CONTROL } from "./flow_control.ts";

type Spec = NonNullable<V1PriorityLevelConfiguration["spec"]>;
type Limited = NonNullable<Spec["limited"]>;
type Response = NonNullable<Limited["limitResponse"]>;
type Queuing = NonNullable<Response["queuing"]>;

const SPEC = FieldPath.of("spec");
const RESPONSE = SPEC.child("limited", "limitResponse");
const MAX_QUEUES = 10_000_000;
const MAX_HASH_BITS = 60;

/**
 * The strategy of PriorityLevelConfigurations, which sets defaults, prepares objects for storage
 * and validates writes (registry/flowcontrol/prioritylevelconfiguration, `Strategy`).
 */
export const priorityLevelStrategy: KindStrategy = {
  ...FLOW_CONTROL,
  ...typedStrategy<V1PriorityLevelConfiguration>({
    defaults({ spec }) {
      for (const part of [spec?.exempt, spec?.limited]) {
        if (!part) continue;
        part.nominalConcurrencyShares ??= part === spec!.limited ? 30 : 0;
        part.lendablePercent ??= 0;
      }
      const queuing = spec?.limited?.limitResponse?.queuing;
      if (!queuing) return;
      queuing.handSize ||= 8;
      queuing.queues ||= 64;
      queuing.queueLengthLimit ||= 50;
    },
    validateCreate: validate,
    validateUpdate: validate,
  }),
};

function validate({ metadata, spec, status }: V1PriorityLevelConfiguration): FieldError[] {
  const { type = "", exempt, limited } = spec ?? {};
  const errors: FieldError[] = [];
  if ((metadata?.name === "exempt") !== (type === "Exempt")) {
    const detail = "must be 'Exempt' if and only if `name` is 'exempt'";
    errors.push(invalid(SPEC.child("type"), type, detail));
  }
  if (type === "Exempt") {
    if (limited) errors.push(...declared(forbiddenField(SPEC.child("limited"), "")));
    if (exempt) errors.push(...validateShares(exempt, SPEC.child("exempt")));
  } else if (type === "Limited") {
    if (exempt) errors.push(...declared(forbiddenField(SPEC.child("exempt"), "")));
    if (limited) errors.push(...validateLimited(limited));
    else errors.push(...declared(required(SPEC.child("limited"))));
  } else {
    // An unknown type allows neither of the two fields.
    if (exempt) errors.push(...declared(forbiddenField(SPEC.child("exempt"), "")));
    if (limited) errors.push(...declared(forbiddenField(SPEC.child("limited"), "")));
    if (type === "") errors.push(...declared(required(SPEC.child("type"))));
    else errors.push(notSupported(SPEC.child("type"), type, ["Exempt", "Limited"]));
  }
  return [...errors, ...validateFlowConditions(status?.conditions)];
}

function validateShares(
  { nominalConcurrencyShares: shares = 0, lendablePercent: percent = 0 }: Omit<
    Limited,
    "limitResponse"
  >,
  path: FieldPath,
  between: readonly FieldError[] = [],
): FieldError[] {
  const errors: FieldError[] = [];
  if (shares < 0) {
    const at = path.child("nominalConcurrencyShares");
    errors.push(invalid(at, shares, "must be a non-negative integer"));
  }
  errors.push(...between);
  if (percent < 0 || percent > 100) {
    const at = path.child("lendablePercent");
    errors.push(invalid(at, percent, "must be between 0 and 100, inclusive"));
  }
  return errors;
}

function validateLimited(limited: Limited): FieldError[] {
  const path = SPEC.child("limited");
  const errors = validateShares(limited, path, validateResponse(limited.limitResponse));
  const { borrowingLimitPercent: borrowing = 0 } = limited;
  if (borrowing < 0) {
    const detail = "if specified, must be a non-negative integer";
    errors.push(invalid(path.child("borrowingLimitPercent"), borrowing, detail));
  }
  return errors;
}

function validateResponse({ type = "", queuing }: Partial<Response> = {}): FieldError[] {
  const at = RESPONSE.child("queuing");
  const unasked = queuing ? declared(forbiddenField(at, "")) : [];
  if (type === "Reject") return unasked;
  if (type === "Queue") return queuing ? validateQueuing(queuing) : declared(required(at));
  if (type === "") return [...unasked, ...declared(required(RESPONSE.child("type")))];
  return [...unasked, notSupported(RESPONSE.child("type"), type, ["Queue", "Reject"])];
}

function validateQueuing(
  { queues = 0, handSize = 0, queueLengthLimit = 0 }: Queuing,
): FieldError[] {
  const path = RESPONSE.child("queuing");
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0) {
    errors.push(invalid(path.child("queueLengthLimit"), queueLengthLimit, "must be positive"));
  }
  if (queues <= 0) errors.push(invalid(path.child("queues"), queues, "must be positive"));
  else if (queues > MAX_QUEUES) {
    errors.push(invalid(path.child("queues"), queues, `must not be greater than ${MAX_QUEUES}`));
  }
  const problem = handProblem(queues, handSize);
  return problem === undefined
    ? errors
    : [...errors, invalid(path.child("handSize"), handSize, problem)];
}

/**
 * Returns the reason why the hand size of a priority level is invalid; `undefined` if it is valid.
 * The bits of one hash value choose the queues of a hand, which limits the hand size and the number
 * of queues.
 */
function handProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return "must be positive";
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  const bits = Math.ceil(Math.log2(queues) * handSize);
  if (bits <= MAX_HASH_BITS) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be ` +
    `greater than ${MAX_HASH_BITS}`;
}
