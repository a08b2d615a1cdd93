import {
  declared,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  invalidForEach,
  type IpRange,
  type LabelSelectorFields,
  parseCidr,
  rangeHolds,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type { V1NetworkPolicy } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { checkLegacyCidr } from "../../validation/ip_fields.ts";
import { portNameProblems, portNumberProblems } from "../../validation/ports.ts";
import { beginGeneration, countGeneration } from "./generation.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Spec = NonNullable<V1NetworkPolicy["spec"]>;
type Rule = NonNullable<Spec["ingress"]>[number] & NonNullable<Spec["egress"]>[number];
type Port = NonNullable<Rule["ports"]>[number];
type Peer = NonNullable<Rule["from"]>[number];
type IpBlock = NonNullable<Peer["ipBlock"]>;

const SPEC = FieldPath.of("spec");
const TYPES = ["Ingress", "Egress"];

/**
 * The exceptions for an update of a NetworkPolicy: whether all label selectors may have invalid
 * values, since the stored pod selector has one, and the stored CIDRs (blocks and their
 * exceptions), which may be invalid.
 */
interface Rules {
  readonly allowInvalidValues: boolean;
  readonly existing: readonly string[];
}

/**
 * The strategy of NetworkPolicies, which sets defaults, prepares objects for storage and validates
 * writes (registry/networking/networkpolicy, `Strategy`).
 */
export const networkPolicyStrategy: KindStrategy = typedStrategy<V1NetworkPolicy>({
  defaults(policy) {
    const spec = (policy.spec ??= {} as Spec);
    spec.podSelector ??= {};
    for (const { ports = [] } of rulesOf(spec)) {
      for (const port of ports) port.protocol ??= "TCP";
    }
    if (!spec.policyTypes?.length) {
      spec.policyTypes = spec.egress?.length ? ["Ingress", "Egress"] : ["Ingress"];
    }
  },
  prepareForCreate: beginGeneration,
  validateCreate: ({ spec }) => validate(spec!, { allowInvalidValues: false, existing: [] }),
  prepareForUpdate: (policy, old) => countGeneration(policy, old, policy.spec, old.spec),
  validateUpdate({ spec }, old) {
    const selector = old.spec!.podSelector as LabelSelectorFields;
    const existing = rulesOf(old.spec!).flatMap(({ from = [], to = [] }) =>
      [...from, ...to].flatMap(({ ipBlock }) =>
        ipBlock ? [ipBlock.cidr, ...ipBlock.except ?? []] : []
      )
    );
    const allowInvalidValues = validateLabelSelector(selector, SPEC).length > 0;
    return validate(spec!, { allowInvalidValues, existing });
  },
  metadataOfUpdate: "change",
});

function rulesOf({ ingress = [], egress = [] }: Spec): Rule[] {
  return [...ingress, ...egress] as Rule[];
}

function validate(spec: Spec, rules: Rules): FieldError[] {
  const selector = spec.podSelector as LabelSelectorFields;
  const errors = validateLabelSelector(selector, SPEC.child("podSelector"), rules);
  const directions = [["ingress", "from"], ["egress", "to"]] as const;
  for (const [direction, peers] of directions) {
    for (const [index, rule] of ((spec[direction] ?? []) as Rule[]).entries()) {
      const path = SPEC.child(direction).index(index);
      for (const [at, port] of (rule.ports ?? []).entries()) {
        errors.push(...validatePort(port, path.child("ports").index(at)));
      }
      for (const [at, peer] of (rule[peers] ?? []).entries()) {
        errors.push(...validatePeer(peer, path.child(peers).index(at), rules));
      }
    }
  }
  const { policyTypes = [] } = spec;
  const path = SPEC.child("policyTypes");
  if (policyTypes.length > TYPES.length) {
    errors.push(invalid(path, policyTypes, "may not specify more than two policyTypes"));
    return errors;
  }
  for (const [index, type] of policyTypes.entries()) {
    if (!TYPES.includes(type)) errors.push(notSupported(path.index(index), type, TYPES));
  }
  return errors;
}

function validatePort({ protocol, port: sent, endPort }: Port, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const protocols = ["TCP", "UDP", "SCTP"];
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(notSupported(path.child("protocol"), protocol, protocols));
  }
  const port = sent as number | string | undefined;
  const end = path.child("endPort");
  if (typeof port === "number") {
    errors.push(...invalidForEach(path.child("port"), port, portNumberProblems(port)));
    if (endPort === undefined) return errors;
    if (endPort < port) {
      errors.push(invalid(end, endPort, "must be greater than or equal to `port`"));
    }
    errors.push(...invalidForEach(end, endPort, portNumberProblems(endPort)));
  } else {
    if (endPort !== undefined) {
      const why = port === undefined ? "`port` is not specified" : "`port` is non-numeric";
      errors.push(invalid(end, endPort, `may not be specified when ${why}`));
    }
    if (port !== undefined) {
      errors.push(...invalidForEach(path.child("port"), port, portNameProblems(port)));
    }
  }
  return errors;
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: Peer,
  path: FieldPath,
  rules: Rules,
): FieldError[] {
  const errors: FieldError[] = [];
  const selectors = { podSelector, namespaceSelector };
  for (const [name, selector] of Object.entries(selectors)) {
    if (!selector) continue;
    const at = path.child(name);
    errors.push(...validateLabelSelector(selector as LabelSelectorFields, at, rules));
  }
  if (ipBlock) errors.push(...validateBlock(ipBlock, path.child("ipBlock"), rules));
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && !ipBlock) errors.push(required(path, "must specify a peer"));
  else if (selects && ipBlock) {
    errors.push(forbiddenField(path, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

function validateBlock(
  { cidr, except = [] }: IpBlock,
  path: FieldPath,
  { existing }: Rules,
): FieldError[] {
  if (!cidr) return declared(required(path.child("cidr")));
  const errors = checkLegacyCidr(path.child("cidr"), cidr, existing);
  const range = parseCidr(cidr);
  if (!range) return errors;
  for (const [index, text] of except.entries()) {
    const at = path.child("except").index(index);
    errors.push(...checkLegacyCidr(at, text, existing));
    const part = parseCidr(text);
    if (part && !isStrictlyWithin(part, range)) {
      errors.push(invalid(at, text, "must be a strict subset of `cidr`"));
    }
  }
  return errors;
}

function isStrictlyWithin(part: IpRange, whole: IpRange): boolean {
  return rangeHolds(whole, part.address) && whole.prefix < part.prefix;
}
