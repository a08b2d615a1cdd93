import {
  declared,
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
  labelValueProblems,
  parseIp,
  qualifiedNameProblems,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1EndpointSlice } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { declareImmutable, sameValue } from "../../validation/immutable.ts";
import { checkEndpointIp, checkIp, checkLegacyIp, ipWarnings } from "../../validation/ip_fields.ts";
import { beginGeneration, countGeneration } from "../core/generation.ts";
import { PORT_PROTOCOLS } from "./service_port_validation.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Endpoint = NonNullable<V1EndpointSlice["endpoints"]>[number];
type Port = NonNullable<V1EndpointSlice["ports"]>[number];
type Hints = NonNullable<Endpoint["hints"]>;

const ENDPOINTS = FieldPath.of("endpoints");
const PORTS = FieldPath.of("ports");
const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
/**
 * The values of the label `endpointslice.kubernetes.io/managed-by` of Kubernetes' own controllers.
 * Addresses in their slices are not checked for warnings, because these controllers always write
 * canonical addresses.
 */
const OWN_CONTROLLERS = [
  "endpointslice-controller.k8s.io",
  "endpointslicemirroring-controller.k8s.io",
];

/**
 * The strategy of EndpointSlices, which sets defaults, prepares objects for storage and validates
 * writes (registry/discovery/endpointslice, `Strategy`).
 */
export const endpointSliceStrategy: KindStrategy = typedStrategy<V1EndpointSlice>({
  defaults(slice) {
    for (const port of slice.ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
    // kube-apiserver's output never omits these lists, and shows empty lists as `null`.
    const open: { endpoints?: unknown; ports?: unknown } = slice;
    if (!slice.endpoints?.length) open.endpoints = null;
    if (!slice.ports?.length) open.ports = null;
  },
  prepareForCreate(slice) {
    beginGeneration(slice);
    for (const endpoint of slice.endpoints ?? []) delete endpoint.deprecatedTopology;
  },
  validateCreate: (slice) => validate(slice, undefined),
  prepareForUpdate(slice, old) {
    const wanted = ({ metadata, ...rest }: V1EndpointSlice): unknown => [metadata.labels, rest];
    countGeneration(slice, old, wanted(slice), wanted(old));
    if (sameValue(slice.endpoints, old.endpoints)) return;
    for (const endpoint of slice.endpoints ?? []) delete endpoint.deprecatedTopology;
  },
  validateUpdate: (slice, old) => [
    ...validate(slice, old),
    ...declareImmutable(slice.addressType, old.addressType, FieldPath.of("addressType")),
  ],
  warnings(slice, old) {
    const warnings: string[] = [];
    if (!old && slice.addressType === "FQDN") {
      warnings.push("spec.addressType: FQDN endpoints are deprecated");
    }
    const manager = slice.metadata.labels?.["endpointslice.kubernetes.io/managed-by"] ?? "";
    if (OWN_CONTROLLERS.includes(manager)) return warnings;
    for (const [index, { addresses }] of (slice.endpoints ?? []).entries()) {
      for (const [at, address] of addresses.entries()) {
        const path = ENDPOINTS.index(index).child("addresses").index(at);
        warnings.push(...ipWarnings(path, address));
      }
    }
    return warnings;
  },
  validateName: subdomainNameProblems,
});

function validate(slice: V1EndpointSlice, old: V1EndpointSlice | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const { addressType = "" } = slice;
  if (addressType === "") errors.push(...declared(required(FieldPath.of("addressType"))));
  else if (!ADDRESS_TYPES.includes(addressType)) {
    const wrong = notSupported(FieldPath.of("addressType"), addressType, ADDRESS_TYPES);
    // If the type changed, declarative rules report only the change, not the unsupported type.
    errors.push(...old ? [wrong] : declared(wrong));
  }
  errors.push(...validatePorts(slice.ports ?? []));
  if (!old || !sameValue(slice.endpoints, old.endpoints)) {
    errors.push(...validateEndpoints(slice.endpoints ?? [], addressType));
  }
  return errors;
}

function validatePorts(ports: readonly Port[]): FieldError[] {
  if (ports.length > 20_000) return [tooMany(PORTS, ports.length, 20_000)];
  const names = new Set<string>();
  return ports.flatMap(({ name = "", protocol = "", appProtocol }, index) => {
    const path = PORTS.index(index);
    const errors = name === ""
      ? []
      : invalidForEach(path.child("name"), name, dnsLabelProblems(name));
    if (names.has(name)) errors.push(duplicate(path.child("name"), name));
    names.add(name);
    if (!PORT_PROTOCOLS.includes(protocol)) {
      errors.push(notSupported(path.child("protocol"), protocol, PORT_PROTOCOLS));
    }
    if (appProtocol !== undefined) {
      const problems = qualifiedNameProblems(appProtocol);
      errors.push(...invalidForEach(path.child("appProtocol"), appProtocol, problems));
    }
    return errors;
  });
}

function validateEndpoints(endpoints: readonly Endpoint[], addressType: string): FieldError[] {
  if (endpoints.length > 1000) return [tooMany(ENDPOINTS, endpoints.length, 1000)];
  return endpoints.flatMap((endpoint, index) => {
    const path = ENDPOINTS.index(index);
    const errors = validateAddresses(
      endpoint.addresses ?? [],
      addressType,
      path.child("addresses"),
    );
    const { nodeName, hostname, hints } = endpoint;
    if (nodeName !== undefined) {
      const problems = subdomainNameProblems(nodeName, false);
      errors.push(...invalidForEach(path.child("nodeName"), nodeName, problems));
    }
    if (hostname !== undefined) {
      errors.push(...invalidForEach(path.child("hostname"), hostname, dnsLabelProblems(hostname)));
    }
    if (hints) errors.push(...validateHints(hints, path.child("hints")));
    return errors;
  });
}

function validateAddresses(
  addresses: readonly string[],
  addressType: string,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(...declared(required(path)));
  else if (addresses.length > 100) errors.push(...declared(tooMany(path, addresses.length, 100)));
  for (const [index, address] of addresses.entries()) {
    const at = path.index(index);
    if (addressType === "FQDN") {
      errors.push(...validateFullName(address, at));
      continue;
    }
    if (addressType !== "IPv4" && addressType !== "IPv6") continue;
    const six = addressType === "IPv6";
    const problems = six ? checkIp(at, address) : checkLegacyIp(at, address);
    if (problems.length > 0) errors.push(...problems);
    else {
      if ((parseIp(address)!.bytes.length === 16) !== six) {
        errors.push(invalid(path, address, `must be an ${addressType} address`));
      }
      errors.push(...checkEndpointIp(at, address));
    }
  }
  return errors;
}

function validateFullName(sent: string, path: FieldPath): FieldError[] {
  if (sent === "") return [required(path)];
  const name = sent.replace(/\.$/, "");
  const problems = dnsSubdomainProblems(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(","))];
  const labels = name.split(".");
  if (labels.length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    return [invalid(path, name, detail)];
  }
  const wrong = labels.find((label) => dnsLabelProblems(label).length > 0);
  if (wrong === undefined) return [];
  return [invalid(path, wrong, dnsLabelProblems(wrong).join(","))];
}

function validateHints({ forZones = [], forNodes = [] }: Hints, path: FieldPath): FieldError[] {
  const lists = [
    ["forZones", forZones, labelValueProblems],
    ["forNodes", forNodes, (name: string) => subdomainNameProblems(name, false)],
  ] as const;
  const errors: FieldError[] = [];
  for (const [list, hints, problemsOf] of lists) {
    const at = path.child(list);
    if (hints.length > 8) return [...errors, tooMany(at, hints.length, 8)];
    const seen = new Set<string>();
    for (const [index, { name }] of hints.entries()) {
      const here = at.index(index).child("name");
      if (seen.has(name)) errors.push(duplicate(here, name));
      seen.add(name);
      errors.push(...invalidForEach(here, name, problemsOf(name)));
    }
  }
  return errors;
}
