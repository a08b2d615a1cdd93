// Mirrors `policy/generic/policy_dispatcher.go, CollectParams`.
import { selectorMatches } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import type { AdmissionPorts } from "../ports.ts";
import type { ParamRef, PolicySpec } from "./policy.ts";

/**
 * The error for an admission policy binding whose `paramRef` makes it impossible to apply the
 * policy.
 */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

type ParamKind = NonNullable<PolicySpec["paramKind"]>;

function resourceOf(
  { apiVersion, kind }: ParamKind,
  ports: AdmissionPorts,
): ReturnType<AdmissionPorts["resourceOfKind"]> {
  const [group, version] = apiVersion.includes("/")
    ? apiVersion.split("/") as [string, string]
    : ["", apiVersion];
  return ports.resourceOfKind(group, version, kind);
}

/**
 * Returns the error message for an admission policy whose `paramKind` the API server does not
 * serve; `undefined` if the kind is served, or the policy has no parameters.
 */
export function paramKindProblem(
  paramKind: PolicySpec["paramKind"],
  ports: AdmissionPorts,
): string | undefined {
  if (!paramKind || resourceOf(paramKind, ports)) return undefined;
  const { apiVersion, kind } = paramKind;
  return `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`;
}

/**
 * Returns the parameter objects that a binding selects, each for a separate evaluation of the
 * policy; a single `null` for a policy or a binding without parameters. The list is empty if the
 * binding selects no object and allows this.
 *
 * @throws {ConfigurationError} If `paramRef` does not fit the scope of the kind, or selects no
 * object and `parameterNotFoundAction` is `Deny`.
 */
export function collectParams(
  paramKind: PolicySpec["paramKind"],
  paramRef: ParamRef | undefined,
  requestNamespace: string,
  registry: Registry,
  ports: AdmissionPorts,
): readonly (ApiObject | null)[] {
  if (!paramKind) return [null];
  const resource = resourceOf(paramKind, ports);
  if (!paramRef || !resource) return [null];
  const { name, selector, namespace } = paramRef;
  let within = "";
  if (resource.namespaced) {
    within = namespace || requestNamespace;
    if (within === "") {
      throw new ConfigurationError(
        "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
      );
    }
  } else if (namespace) {
    throw new ConfigurationError(
      "paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
    );
  }
  const found: ApiObject[] = [];
  if (name) {
    const object = registry.get(resource.group, resource.plural, within, name);
    if (object) found.push(object);
  } else {
    for (const object of registry.list(resource.group, resource.plural, within || undefined)) {
      if (selectorMatches(selector ?? {}, object.metadata.labels ?? {})) found.push(object);
    }
  }
  if (found.length === 0 && paramRef.parameterNotFoundAction === "Deny") {
    throw new ConfigurationError(
      "no params found for policy binding with `Deny` parameterNotFoundAction",
    );
  }
  return found;
}
