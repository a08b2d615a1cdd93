/**
 * Validates the devices and the resource claim for extended resources in the status of a pod
 * (`core/validation/validation.go`, `validatePodExtendedResourceClaimStatus`), and removes status
 * fields of disabled features.
 *
 * @module
 */
import { nanosOf } from "@xca/apimachinery/internal/values";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
} from "@xca/apimachinery/internal/validation";
import type { Container, ContainerStatus, PodSpec, PodStatus } from "./common/pod_types.ts";

const STATUS = FieldPath.of("status");
const HEALTH = ["Healthy", "Unhealthy", "Unknown"];
const MAX_MESSAGE = 1024;

/**
 * The health of the devices of one resource of a container, as a pod's status reports it: an entry
 * of `allocatedResourcesStatus`.
 */
type Allocated = NonNullable<ContainerStatus["allocatedResourcesStatus"]>[number] & {
  resources?: { resourceID?: string; health?: string; message?: string }[];
};

/** Validates the health of containers' devices that a pod's status reports. */
export function validateDeviceHealth(status: PodStatus, spec: PodSpec): FieldError[] {
  const lists = [
    ["containerStatuses", spec.containers],
    ["initContainerStatuses", spec.initContainers],
  ] as const;
  const errors = lists.flatMap(([list, containers = []]) =>
    (status[list] ?? []).flatMap(({ name, allocatedResourcesStatus = [] }, index) => {
      const container = containers.find((each) => each.name === name);
      const path = STATUS.child(list).index(index).child("allocatedResourcesStatus");
      return allocatedResourcesStatus.flatMap((each, at) =>
        validateAllocated(each, container, status, path.index(at))
      );
    })
  );
  const list = "ephemeralContainerStatuses";
  for (const [index, { allocatedResourcesStatus = [] }] of (status[list] ?? []).entries()) {
    if (allocatedResourcesStatus.length === 0) continue;
    const at = STATUS.child(list).index(index).child("allocatedResourcesStatus");
    errors.push(forbiddenField(at, "must not be specified in container status"));
  }
  return errors;
}

function validateAllocated(
  { name = "", resources = [] }: Allocated,
  container: Container | undefined,
  status: PodStatus,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (container && !isAskedFor(name, container) && !isExtended(name, container, status)) {
    const detail = name.startsWith("claim:")
      ? "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' " +
        "when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty"
      : "must match one of the container's resource requests";
    errors.push(invalid(path.child("name"), name, detail));
  }
  const seen = new Set<string>();
  for (const [index, { resourceID = "", health = "", message }] of resources.entries()) {
    const at = path.child("resources").index(index);
    if (!HEALTH.includes(health)) errors.push(notSupported(at.child("health"), health, HEALTH));
    if (message === "") {
      errors.push(required(at.child("message"), "must be non-empty if specified"));
    } else if (message !== undefined && byteLength(message) > MAX_MESSAGE) {
      errors.push(tooLong(at.child("message"), MAX_MESSAGE));
    }
    if (seen.has(resourceID)) errors.push(duplicate(at.child("resourceID"), resourceID));
    seen.add(resourceID);
  }
  return errors;
}

function isAskedFor(name: string, { resources = {} }: Container): boolean {
  if (!name.startsWith("claim:")) return resources.requests?.[name] !== undefined;
  return (resources.claims ?? []).some(({ name: claim = "", request }) =>
    name === `claim:${claim}${request ? `/${request}` : ""}`
  );
}

/**
 * Reports whether a name, such as `claim:NAME/REQUEST`, is that of a resource claim for an extended
 * resource of the container.
 */
function isExtended(
  name: string,
  { name: containerName, resources }: Container,
  { extendedResourceClaimStatus: claim }: PodStatus,
): boolean {
  return (claim?.requestMappings ?? []).some((mapping) =>
    name === `claim:${claim!.resourceClaimName}/${mapping.requestName}` &&
    mapping.containerName === containerName &&
    nanosOf(resources?.requests?.[mapping.resourceName ?? ""]) !== 0n
  );
}

/** Validates the resource claim for extended resources that a pod's status names. */
export function validateExtendedClaim(status: PodStatus, spec: PodSpec): FieldError[] {
  const claim = status.extendedResourceClaimStatus;
  if (!claim) return [];
  const path = STATUS.child("extendedResourceClaimStatus");
  const mappings = claim.requestMappings ?? [];
  const errors = mappings.length > 0
    ? []
    : [required(path.child("requestMappings"), "at least one request mapping is required")];
  const containers = new Map(
    [...spec.initContainers ?? [], ...spec.containers ?? []].map((each) => [each.name, each]),
  );
  const seen = new Set<string>();
  for (const [index, mapping] of mappings.entries()) {
    const { containerName = "", resourceName = "", requestName = "" } = mapping;
    const at = path.child("requestMappings").index(index);
    const container = containers.get(containerName);
    if (!container) {
      const detail = "must match the name of an entry in spec.initContainers.name or " +
        "spec.containers.name";
      errors.push(invalid(at.child("containerName"), containerName, detail));
    } else if (container.resources?.requests?.[resourceName] === undefined) {
      const detail = "must match the extended resource name of an entry in " +
        "spec.initContainers.resources.requests or spec.containers.resources.requests";
      errors.push(invalid(at.child("resourceName"), resourceName, detail));
    }
    const problems = dnsLabelProblems(requestName);
    errors.push(...invalidForEach(path.child("requestName"), requestName, problems));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      errors.push(duplicate(at.child("containerName"), containerName));
      errors.push(duplicate(at.child("resourceName"), resourceName));
      errors.push(duplicate(at.child("requestName"), requestName));
    }
    seen.add(key);
  }
  const { resourceClaimName: name = "" } = claim;
  const at = path.child("resourceClaimName");
  if (name === "") return [...errors, required(at)];
  return [...errors, ...invalidForEach(at, name, dnsSubdomainProblems(name))];
}

/**
 * Removes the fields of a pod's status that belong to disabled features, unless the stored pod has
 * them.
 */
export function dropDisabledStatusFields(status: PodStatus, old: PodStatus): void {
  const claims = "nodeAllocatableResourceClaimStatuses";
  const fields = status as Record<string, unknown>;
  if (((old as Record<string, unknown>)[claims] as unknown[] | undefined ?? []).length === 0) {
    delete fields[claims];
  }
  const { volumeHealth } = old as { volumeHealth?: unknown[] };
  if (!volumeHealth?.length) delete fields["volumeHealth"];
  const hadDigests = volumeMountsOf(old).some((mount) => mount["volumeStatus"] !== undefined);
  if (hadDigests) return;
  for (const mount of volumeMountsOf(status)) delete mount["volumeStatus"];
}

function volumeMountsOf(status: PodStatus): Record<string, unknown>[] {
  const lists = [
    "containerStatuses",
    "initContainerStatuses",
    "ephemeralContainerStatuses",
  ] as const;
  return lists.flatMap((list) =>
    (status[list] ?? []).flatMap(({ volumeMounts = [] }) =>
      volumeMounts as Record<string, unknown>[]
    )
  );
}
