import {
  type FieldError,
  FieldPath,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  invalidForEach,
  qualifiedNameProblems,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1Endpoints } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { sameValue } from "../../validation/immutable.ts";
import { checkEndpointIp, checkLegacyIp, ipWarnings } from "../../validation/ip_fields.ts";
import { portNumberProblems } from "../../validation/ports.ts";
import { PORT_PROTOCOLS } from "./service_port_validation.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Subset = NonNullable<V1Endpoints["subsets"]>[number];
type Address = NonNullable<Subset["addresses"]>[number];
type Port = NonNullable<Subset["ports"]>[number];

const SUBSETS = FieldPath.of("subsets");
const LISTS = ["addresses", "notReadyAddresses"] as const;

/**
 * The strategy of Endpoints, which sets defaults and validates writes (registry/core/endpoint,
 * `Strategy`).
 */
export const endpointsStrategy: KindStrategy = typedStrategy<V1Endpoints>({
  defaults({ subsets = [] }) {
    for (const { ports = [] } of subsets) {
      for (const port of ports) port.protocol ||= "TCP";
    }
  },
  validateCreate: ({ subsets }) => validateSubsets(subsets),
  validateUpdate: ({ subsets }, old) =>
    sameValue(subsets, old.subsets) ? [] : validateSubsets(subsets),
  warnings: ({ subsets }) => subsetWarnings(subsets),
  validateName: subdomainNameProblems,
  allowCreateOnUpdate: true,
});

/**
 * The number of addresses of one list in Endpoints after which the validation, and the search for
 * warnings, yields to other work.
 */
const PAUSE_AFTER = 200;

function* subsetWarnings(subsets: readonly Subset[] = []): Generator<void, string[]> {
  const warnings: string[] = [];
  for (const [index, subset] of subsets.entries()) {
    for (const list of LISTS) {
      const path = SUBSETS.index(index).child(list);
      for (const [at, { ip }] of (subset[list] ?? []).entries()) {
        if (at % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
        warnings.push(...ipWarnings(path.index(at).child("ip"), ip));
      }
    }
    yield;
  }
  return warnings;
}

function* validateSubsets(subsets: readonly Subset[] = []): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, subset] of subsets.entries()) {
    const path = SUBSETS.index(index);
    if (!subset.addresses?.length && !subset.notReadyAddresses?.length) {
      errors.push(required(path, "must specify `addresses` or `notReadyAddresses`"));
    }
    for (const list of LISTS) {
      for (const [at, address] of (subset[list] ?? []).entries()) {
        if (at % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
        errors.push(...validateAddress(address, path.child(list).index(at)));
      }
    }
    const { ports = [] } = subset;
    for (const [at, port] of ports.entries()) {
      errors.push(...validatePort(port, ports.length > 1, path.child("ports").index(at)));
    }
    yield;
  }
  return errors;
}

function validateAddress({ ip, hostname, nodeName }: Address, path: FieldPath): FieldError[] {
  const errors = checkLegacyIp(path.child("ip"), ip);
  if (hostname) {
    errors.push(...invalidForEach(path.child("hostname"), hostname, dnsLabelProblems(hostname)));
  }
  if (nodeName !== undefined) {
    const problems = subdomainNameProblems(nodeName, false);
    errors.push(...invalidForEach(path.child("nodeName"), nodeName, problems));
  }
  return [...errors, ...checkEndpointIp(path.child("ip"), ip)];
}

function validatePort(
  { name = "", port, protocol = "", appProtocol }: Port,
  needsName: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === "") {
    if (needsName) errors.push(required(path.child("name")));
  } else errors.push(...invalidForEach(path.child("name"), name, dnsLabelProblems(name)));
  errors.push(...invalidForEach(path.child("port"), port, portNumberProblems(port)));
  if (!PORT_PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(path.child("protocol"), protocol, PORT_PROTOCOLS));
  }
  if (appProtocol !== undefined) {
    const problems = qualifiedNameProblems(appProtocol);
    errors.push(...invalidForEach(path.child("appProtocol"), appProtocol, problems));
  }
  return errors;
}
