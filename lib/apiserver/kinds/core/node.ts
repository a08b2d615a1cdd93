import {
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  labelValueProblems,
  parseCidr,
  validateLabelKey,
} from "@xca/apimachinery/internal/validation";
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { checkLegacyCidr } from "../../validation/ip_fields.ts";
import { sameValue } from "../../validation/immutable.ts";
import { validateQuantity } from "../pods/containers/resource_requirements.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Taint = NonNullable<NonNullable<V1Node["spec"]>["taints"]>[number];

const SPEC = FieldPath.of("spec");
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/**
 * The strategy of Nodes, which sets defaults, prepares objects for storage and validates writes
 * (registry/core/node, `Strategy`).
 */
export const nodeStrategy: KindStrategy = typedStrategy<V1Node>({
  defaults(node) {
    const spec = node.spec ??= {};
    const status = node.status ??= {};
    if (spec.podCIDR && !spec.podCIDRs?.length) spec.podCIDRs = [spec.podCIDR];
    if (status.capacity) status.allocatable ??= { ...status.capacity };
    const open: { daemonEndpoints?: unknown; nodeInfo?: unknown } = status;
    open.daemonEndpoints ??= { kubeletEndpoint: { Port: 0 } };
    open.nodeInfo ??= NO_INFO;
  },
  prepareForCreate({ spec, status }) {
    delete spec?.configSource;
    delete spec?.podPreemptionPolicy;
    delete status?.config;
  },
  validateCreate: validate,
  prepareForUpdate(node, old) {
    node.status = old.status ?? {};
    if (!old.spec?.configSource) delete node.spec?.configSource;
    if (!old.spec?.podPreemptionPolicy) delete node.spec?.podPreemptionPolicy;
  },
  validateUpdate: (node, old) => [...validate(node), ...validateChange(node, old)],
  status: {
    prepareForUpdate(node, old) {
      node.spec = old.spec ?? {};
      if (!old.status?.config) delete node.status?.config;
    },
    validateUpdate: validateChange,
  },
  selectableFields: ({ spec }) => ({ "spec.unschedulable": String(spec?.unschedulable ?? false) }),
  selectableFieldNames: ["spec.unschedulable"],
});

/** The `nodeInfo`, with empty values, of a node whose kubelet has not reported yet. */
const NO_INFO = {
  architecture: "",
  bootID: "",
  containerRuntimeVersion: "",
  kernelVersion: "",
  kubeProxyVersion: "",
  kubeletVersion: "",
  machineID: "",
  operatingSystem: "",
  osImage: "",
  systemUUID: "",
};

function validate(node: V1Node): FieldError[] {
  return [
    ...validateTaints(node.spec?.taints ?? []),
    ...validateResources(node),
    ...validatePodCidrs(node.spec?.podCIDRs ?? []),
  ];
}

function validateTaints(taints: readonly Taint[]): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    // kube-apiserver reports taints under metadata, although they belong to the spec.
    const path = FieldPath.of("metadata", "taints").index(index);
    const { key = "", value = "", effect = "" } = taint;
    const errors = validateLabelKey(key, path.child("key"));
    const problems = labelValueProblems(value);
    if (problems.length > 0) {
      errors.push(invalid(path.child("value"), value, problems.join(";")));
    }
    if (effect === "") errors.push(required(path.child("effect")));
    else if (!EFFECTS.includes(effect)) {
      errors.push(notSupported(path.child("effect"), effect, EFFECTS));
    }
    const identity = `${effect} ${key}`;
    if (seen.has(identity)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null };
      const { body, ...rest } = duplicate(path, shown);
      errors.push({ ...rest, body: `${body}: taints must be unique by key and effect pair` });
    }
    seen.add(identity);
    return errors;
  });
}

function validateResources({ status }: V1Node): FieldError[] {
  return (["capacity", "allocatable"] as const).flatMap((list) =>
    Object.entries(status?.[list] ?? {}).flatMap(([name, quantity]) => {
      const path = FieldPath.of("status", list, name);
      return validateQuantity(name, quantity, path);
    })
  );
}

function validatePodCidrs(cidrs: readonly string[]): FieldError[] {
  const path = SPEC.child("podCIDRs");
  const errors = cidrs.flatMap((cidr, index) => checkLegacyCidr(path.index(index), cidr));
  const families = new Set(cidrs.map((cidr) => parseCidr(cidr)?.address.bytes.length));
  if (cidrs.length > 1 && (families.size < 2 || cidrs.length > 2)) {
    errors.push(invalid(path, cidrs, "may specify no more than one CIDR for each IP family"));
  }
  return errors;
}

function validateChange(node: V1Node, old: V1Node): FieldError[] {
  const errors = validateResources(node);
  const addresses = node.status?.addresses ?? [];
  for (const [index, address] of addresses.entries()) {
    if (!addresses.slice(0, index).some((each) => sameValue(each, address))) continue;
    const shown = { Type: address.type, Address: address.address };
    errors.push(duplicate(FieldPath.of("status", "addresses").index(index), shown));
  }
  const before = old.spec ?? {};
  const now = node.spec ?? {};
  if (before.podCIDRs?.length && !sameValue(before.podCIDRs, now.podCIDRs)) {
    const detail = 'node updates may not change podCIDR except from "" to valid';
    errors.push(forbiddenField(SPEC.child("podCIDRs"), detail));
  }
  if (before.providerID && before.providerID !== now.providerID) {
    const detail = now.providerID
      ? "field cannot be modified once set"
      : "field cannot be cleared once set";
    errors.push(invalid(SPEC.child("providerID"), undefined, detail));
  }
  errors.push(...validateTaints(now.taints ?? []));
  if ((before.externalID ?? "") !== (now.externalID ?? "")) {
    errors.push(forbiddenField(SPEC.child("externalID"), "may not be updated"));
  }
  return errors;
}
