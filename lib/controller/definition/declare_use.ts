import { checkOptionNames, described, type OptionNames } from "@xca/apimachinery/internal/base";
import { isDnsLabel, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { checkResourceType } from "./builder_checks.ts";
import {
  type AccessCall,
  type AccessVerb,
  CALL_NEEDS,
  type ResourceUse,
  type UseOptions,
} from "./resource_use.ts";

/**
 * The RBAC verbs that may be declared, as the keys of a record, so that an {@linkcode AccessVerb}
 * that is left out is a compile error.
 */
const ACCESS_VERBS: Record<AccessVerb, true> = {
  get: true,
  list: true,
  watch: true,
  create: true,
  update: true,
  patch: true,
  delete: true,
  deletecollection: true,
  approve: true,
  attest: true,
  bind: true,
  escalate: true,
  impersonate: true,
  sign: true,
  use: true,
};

/**
 * Returns the checked and frozen declaration of a controller's calls on a resource, from which RBAC
 * rules are derived.
 *
 * @throws {TypeError} When `type` is not a resource type, a call or an option is unknown or not
 * valid, `namespaces` are given for a cluster-scoped resource, a `subresource` for a call that is
 * not a verb, or `names` for a call whose request has no name.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { resourceUse } from "@xca/operator/controller";
 * import { Secret } from "@xca/operator/meta";
 *
 * const use = resourceUse(Secret, ["get"], { namespaces: ["shop"], names: ["token"] });
 * assert.deepEqual(use.calls, ["get"]);
 * assert.throws(() => resourceUse(Secret, ["create"], { names: ["token"] }), /no name/);
 * ```
 */
export function resourceUse<T extends KubeObject>(
  type: ResourceType<T>,
  calls: readonly AccessCall[],
  options: UseOptions = {},
): ResourceUse {
  checkResourceType(type, "Cannot declare the use of a resource");
  const failure = `Cannot declare the use of ${type.id}`;
  checkCalls(calls, failure);
  checkOptions(options, failure);
  const { subresource, namespaces, names } = options;
  if (namespaces && type.scope === "Cluster") {
    throw new TypeError(`${failure}: namespaces are given, but that resource is cluster-scoped`);
  }
  const helper = calls.find((call) => call in CALL_NEEDS);
  if (subresource !== undefined && helper !== undefined) {
    throw new TypeError(
      `${failure}: ${helper} is not a verb of the subresource ${subresource}; name verbs such as get`,
    );
  }
  const nameless = calls.find((call) => NAMELESS.has(call));
  if (names && nameless !== undefined && subresource === undefined) {
    throw new TypeError(
      `${failure}: ${nameless} cannot be restricted to names, since its request has no name; ` +
        `declare it by another .uses() without names`,
    );
  }
  return Object.freeze({
    type,
    calls: Object.freeze([...calls]),
    ...(subresource !== undefined && { subresource }),
    ...(namespaces && { namespaces: Object.freeze([...namespaces]) }),
    ...(names && { names: Object.freeze([...names]) }),
  });
}

/**
 * The calls on the resource itself that send a request without the name of an object, which no RBAC
 * rule with names allows.
 */
const NAMELESS: ReadonlySet<AccessCall> = new Set<AccessCall>([
  "create",
  "createOrUpdate",
  "deletecollection",
  "deleteCollection",
]);

function checkCalls(calls: unknown, failure: string): void {
  if (!Array.isArray(calls) || calls.length === 0) {
    throw new TypeError(
      `${failure}: the calls must be an array such as ["get", "create"], are ${described(calls)}`,
    );
  }
  const known = [...Object.keys(ACCESS_VERBS), ...Object.keys(CALL_NEEDS)];
  for (const call of calls) {
    if (known.includes(call)) continue;
    throw new TypeError(
      `${failure}: there is no call ${JSON.stringify(call)}, only ${known.join(", ")}`,
    );
  }
}

/** The names of all options of {@linkcode resourceUse}. */
const USE_OPTIONS: OptionNames<UseOptions> = {
  subresource: true,
  namespaces: true,
  names: true,
};

function checkOptions(options: UseOptions, failure: string): void {
  checkOptionNames(failure, options, USE_OPTIONS);
  const { subresource, namespaces, names } = options;
  if (subresource !== undefined && !/^[a-z]+(\/[a-z]+)*$/.test(subresource)) {
    throw new TypeError(
      `${failure}: subresource must be lower-case letters such as scale, is ` +
        JSON.stringify(subresource),
    );
  }
  checkList("namespaces", namespaces, isDnsLabel, failure);
  checkList("names", names, (name) => name !== "" && name !== "*" && !/[\s/]/.test(name), failure);
}

function checkList(
  name: string,
  values: unknown,
  isValid: (value: string) => boolean,
  failure: string,
): void {
  if (values === undefined) return;
  const isList = Array.isArray(values) && values.length > 0 &&
    values.every((value) => typeof value === "string" && isValid(value));
  if (isList) return;
  throw new TypeError(
    `${failure}: ${name} must be an array of at least one name, is ${JSON.stringify(values)}; ` +
      "leave it out for all",
  );
}
