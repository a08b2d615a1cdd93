import { type FieldError, FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import type {
  V1DeviceClass,
  V1ResourceClaim,
  V1ResourceClaimTemplate,
  V1ResourceSlice,
} from "@xca/apimachinery/kubernetes-types";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { beginGeneration, countGeneration } from "../core/generation.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateImmutable } from "../../validation/immutable.ts";
import { validateDriverName } from "../../validation/driver_name.ts";

type ClaimSpec = NonNullable<V1ResourceClaim["spec"]>;

const SPEC = FieldPath.of("spec");

/**
 * The strategy of DeviceClasses, which sets their `metadata.generation`
 * (registry/resource/deviceclass, `Strategy`).
 */
export const deviceClassStrategy: KindStrategy = typedStrategy<V1DeviceClass>({
  prepareForCreate: beginGeneration,
  prepareForUpdate: (object, old) => countGeneration(object, old, object.spec, old.spec),
});

/**
 * The strategy of ResourceClaims, which sets defaults, clears or keeps the status, and rejects
 * changes of the spec (registry/resource/resourceclaim, `NewStrategy`).
 */
export const resourceClaimStrategy: KindStrategy = typedStrategy<V1ResourceClaim>({
  defaults: ({ spec }) => defaultClaim(spec),
  prepareForCreate(claim) {
    claim.status = {};
  },
  prepareForUpdate(claim, old) {
    claim.status = old.status ?? {};
  },
  validateUpdate: (claim, old) => validateImmutable(claim.spec, old.spec, SPEC),
  status: {
    prepareForUpdate(claim, old) {
      claim.spec = old.spec!;
      keepMetadata(claim, old);
    },
  },
});

/**
 * The strategy of ResourceClaimTemplates, which sets defaults and rejects changes of the spec
 * (registry/resource/resourceclaimtemplate, `NewStrategy`).
 */
export const resourceClaimTemplateStrategy: KindStrategy = typedStrategy<V1ResourceClaimTemplate>({
  defaults: ({ spec }) => defaultClaim(spec?.spec),
  validateUpdate: (template, old) => validateImmutable(template.spec, old.spec, SPEC),
});

/**
 * Sets the default allocation mode of a ResourceClaim's requests, `ExactCount`, and for this mode
 * the default count, 1, in place.
 */
function defaultClaim(spec: ClaimSpec | undefined): void {
  for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    for (const request of [...exactly ? [exactly] : [], ...firstAvailable]) {
      request.allocationMode ||= "ExactCount";
      if (request.allocationMode === "ExactCount") request.count ||= 1;
    }
  }
}

/**
 * The strategy of ResourceSlices, which prepares objects for storage and validates writes
 * (registry/resource/resourceslice, `Strategy`).
 */
export const resourceSliceStrategy: KindStrategy = typedStrategy<V1ResourceSlice>({
  prepareForCreate: beginGeneration,
  validateCreate: validateSlice,
  prepareForUpdate: (object, old) => countGeneration(object, old, object.spec, old.spec),
  validateUpdate: (object, old) => [
    ...validateSlice(object),
    ...validateImmutable(object.spec.driver, old.spec.driver, SPEC.child("driver")),
    ...validateImmutable(object.spec.pool.name, old.spec.pool.name, SPEC.child("pool", "name")),
    ...validateImmutable(object.spec.nodeName, old.spec.nodeName, SPEC.child("nodeName")),
  ],
  selectableFields: ({ spec }) => ({
    "spec.driver": spec?.driver ?? "",
    "spec.nodeName": spec?.nodeName ?? "",
    "spec.pool.name": spec?.pool?.name ?? "",
  }),
  selectableFieldNames: ["spec.driver", "spec.nodeName", "spec.pool.name"],
});

function validateSlice({ spec }: V1ResourceSlice): FieldError[] {
  const { driver = "", pool } = spec ?? {};
  const errors = validateDriverName(driver, SPEC.child("driver"));
  if (!pool?.name) errors.push(required(SPEC.child("pool", "name")));
  const count = pool?.resourceSliceCount ?? 0;
  if (count <= 0) {
    const at = SPEC.child("pool", "resourceSliceCount");
    errors.push(invalid(at, count, "must be greater than zero"));
  }
  const { generation = 0 } = pool ?? {};
  if (generation < 0) {
    const detail = "must be greater than or equal to zero";
    errors.push(invalid(SPEC.child("pool", "generation"), generation, detail));
  }
  return [...errors, ...validatePlace(spec)];
}

/** Validates that a ResourceSlice names its nodes in exactly one way. */
function validatePlace(spec: V1ResourceSlice["spec"] | undefined): FieldError[] {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec ?? {};
  const ways = { nodeName, nodeSelector, allNodes, perDeviceNodeSelection };
  const taken = Object.entries(ways).filter(([, value]) => value).map(([name]) => name);
  const which = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, " +
    "`perDeviceNodeSelection` is required";
  if (taken.length === 0) return [required(SPEC, which)];
  if (taken.length === 1) return [];
  const shown = `{${taken.map((name) => `\`${name}\``).join(", ")}}`;
  return [invalid(SPEC, shown, `${which}, but multiple fields are set`)];
}
