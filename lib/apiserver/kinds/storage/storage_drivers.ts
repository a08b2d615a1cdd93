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
  byteLength,
  invalidForEach,
  qualifiedNameProblems,
  subdomainNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type {
  V1CSIDriver,
  V1CSINode,
  V1CSIStorageCapacity,
  V1VolumeAttributesClass,
} from "@xca/apimachinery/kubernetes-types";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { countGeneration } from "../core/generation.ts";
import { validateParameters, validateProvisioner } from "./storage_class.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { IMMUTABLE, sameValue, validateImmutable } from "../../validation/immutable.ts";
import { validateNonnegative } from "../../validation/numbers.ts";
import { validateNonnegativeQuantity } from "../../validation/quantity.ts";
import { shownSelector } from "../../validation/shown.ts";
import { validateDriverName } from "../../validation/driver_name.ts";

type DriverSpec = V1CSIDriver["spec"];

const SPEC = FieldPath.of("spec");
const MODES = ["Persistent", "Ephemeral"];
const GROUP_POLICIES = ["File", "None", "ReadWriteOnceWithFSType"];
const MAX_NODE_ID = 192;

/**
 * The strategy of CSIDrivers, which sets defaults, prepares objects for storage and validates
 * writes (registry/storage/csidriver, `Strategy`).
 */
export const csiDriverStrategy: KindStrategy = typedStrategy<V1CSIDriver>({
  defaults(driver) {
    const spec = driver.spec ??= {};
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ["Persistent"];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
    spec.preventPodSchedulingIfMissing ??= false;
  },
  validateCreate: ({ spec }) => validateDriver(spec),
  prepareForUpdate: (driver, old) => countGeneration(driver, old, driver.spec, old.spec),
  validateUpdate: ({ spec }, old) => [
    ...validateDriver(spec),
    ...validateImmutable(
      spec.attachRequired,
      old.spec.attachRequired,
      SPEC.child("attachedRequired"),
    ),
    ...validateImmutable(
      spec.volumeLifecycleModes,
      old.spec.volumeLifecycleModes,
      SPEC.child("volumeLifecycleModes"),
    ),
  ],
  allowUnconditionalUpdate: false,
  metadataOfUpdate: "change",
});

function validateDriver(spec: DriverSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { fsGroupPolicy: policy, nodeAllocatableUpdatePeriodSeconds: period } = spec;
  if (policy !== undefined && !GROUP_POLICIES.includes(policy)) {
    errors.push(notSupported(SPEC.child("fsGroupPolicy"), policy, GROUP_POLICIES));
  }
  errors.push(...validateTokenRequests(spec.tokenRequests ?? []));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (MODES.includes(mode)) continue;
    errors.push(notSupported(SPEC.child("volumeLifecycleModes"), mode, MODES));
  }
  if (period !== undefined && period < 10) {
    const at = SPEC.child("nodeAllocatableUpdatePeriodSeconds");
    errors.push(invalid(at, period, "must be greater than or equal to 10 seconds"));
  }
  const { serviceAccountTokenInSecrets: inSecrets } = spec;
  if (inSecrets !== undefined && !spec.tokenRequests?.length) {
    const detail = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    errors.push(invalid(SPEC.child("serviceAccountTokenInSecrets"), inSecrets, detail));
  }
  return errors;
}

function validateTokenRequests(requests: NonNullable<DriverSpec["tokenRequests"]>): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { audience = "", expirationSeconds: seconds }] of requests.entries()) {
    const at = SPEC.child("tokenRequests").index(index);
    if (seen.has(audience)) {
      errors.push(duplicate(at.child("audience"), audience));
      continue;
    }
    seen.add(audience);
    const refuse = (detail: string): number =>
      errors.push(invalid(at.child("expirationSeconds"), seconds, detail));
    if (seconds === undefined) continue;
    if (seconds < 600) refuse("may not specify a duration less than 10 minutes");
    if (seconds > 2 ** 32) refuse("may not specify a duration larger than 2^32 seconds");
  }
  return errors;
}

/**
 * The strategy of CSINodes, which prepares objects for storage and validates writes
 * (registry/storage/csinode, `Strategy`).
 */
export const csiNodeStrategy: KindStrategy = typedStrategy<V1CSINode>({
  prepareForCreate(node) {
    node.status = {};
  },
  prepareForUpdate(node, old) {
    if (old.status) node.status = old.status;
    else delete node.status;
  },
  validateCreate: validateNode,
  status: {
    prepareForUpdate(node, old) {
      node.spec = old.spec;
      keepMetadata(node, old);
      // The feature CSIVolumeHealth, which guards the only field of the status, is off by default.
      node.status = {};
    },
  },
  resetFields: [["status"]],
  validateUpdate(node, old) {
    const errors = validateNode(node);
    for (const before of old.spec.drivers ?? []) {
      const now = node.spec.drivers?.find(({ name }) => name === before.name);
      if (!now) continue;
      const { allocatable: _1, ...fixed } = now;
      const { allocatable: _2, ...fixedBefore } = before;
      errors.push(...validateImmutable(fixed, fixedBefore, SPEC.child("drivers")));
    }
    return errors;
  },
  allowUnconditionalUpdate: false,
});

function validateNode({ spec }: V1CSINode): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, driver] of (spec?.drivers ?? []).entries()) {
    const at = SPEC.child("drivers").index(index);
    const { name = "", nodeID = "", allocatable } = driver;
    errors.push(...validateDriverName(name, at.child("name")));
    if (nodeID === "") errors.push(required(at.child("nodeID")));
    if (byteLength(nodeID) > MAX_NODE_ID) {
      errors.push(invalid(at.child("nodeID"), nodeID, `must be ${MAX_NODE_ID} characters or less`));
    }
    if (allocatable?.count !== undefined) {
      errors.push(...validateNonnegative(allocatable.count, at.child("allocatable", "count")));
    }
    if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    seen.add(name);
    errors.push(...validateTopologyKeys(driver.topologyKeys ?? [], at));
  }
  return errors;
}

function validateTopologyKeys(keys: readonly string[], path: FieldPath): FieldError[] {
  return keys.flatMap((key, index) => [
    ...key === "" ? [required(path)] : [],
    ...keys.indexOf(key) < index ? [duplicate(path, key)] : [],
    ...invalidForEach(path, key, qualifiedNameProblems(key)),
  ]);
}

/**
 * The strategy of CSIStorageCapacities, which validates writes
 * (registry/storage/csistoragecapacity, `Strategy`).
 */
export const csiStorageCapacityStrategy: KindStrategy = typedStrategy<V1CSIStorageCapacity>({
  validateCreate: validateCapacity,
  validateUpdate(object, old) {
    const errors = validateCapacity(object);
    if (!sameValue(object.nodeTopology, old.nodeTopology)) {
      const shown = object.nodeTopology ? shownSelector(object.nodeTopology) : null;
      errors.push(invalid(FieldPath.of("nodeTopology"), shown, IMMUTABLE));
    }
    if (object.storageClassName !== old.storageClassName) {
      const at = FieldPath.of("storageClassName");
      errors.push(invalid(at, object.storageClassName, IMMUTABLE));
    }
    return errors;
  },
  allowUnconditionalUpdate: false,
});

function validateCapacity(object: V1CSIStorageCapacity): FieldError[] {
  const { nodeTopology, storageClassName = "", capacity } = object;
  const at = FieldPath.of("storageClassName");
  return [
    ...validateLabelSelector(nodeTopology, FieldPath.of("nodeTopology")),
    ...invalidForEach(at, storageClassName, subdomainNameProblems(storageClassName, false)),
    ...capacity === undefined
      ? []
      : validateNonnegativeQuantity(capacity, FieldPath.of("capacity")),
  ];
}

/**
 * The strategy of VolumeAttributesClasses, which validates writes
 * (registry/storage/volumeattributesclass, `Strategy`).
 */
export const volumeAttributesClassStrategy: KindStrategy = typedStrategy<V1VolumeAttributesClass>({
  validateCreate: validateAttributes,
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    for (const field of ["driverName", "parameters"] as const) {
      if (sameValue(object[field], old[field])) continue;
      errors.push(forbiddenField(FieldPath.of(field), `updates to ${field} are forbidden.`));
    }
    return [...errors, ...validateAttributes(object)];
  },
});

function validateAttributes(object: V1VolumeAttributesClass): FieldError[] {
  const { driverName = "", parameters = {} } = object;
  const at = FieldPath.of("parameters");
  return [
    ...validateProvisioner(driverName, FieldPath.of("driverName")),
    ...validateParameters(parameters),
    ...Object.keys(parameters).length === 0
      ? [required(at, "must contain at least one key/value pair")]
      : [],
  ];
}
