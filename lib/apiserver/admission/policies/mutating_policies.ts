// Mirrors `policy/mutating/dispatcher.go, dispatcher.dispatchInvocations`.
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import { isStackOverflow, StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, goQuote, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import { apiVersionOf } from "../../machinery/keys.ts";
import type { Registry } from "../../machinery/registry.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import { type AdmissionAttributes, attributesOf, forbiddenByAdmission } from "../attributes.ts";
import { type ExpressionCode, EXPRESSIONS, madeOnce } from "../expression_code.ts";
import { isExempt, type Match } from "../matching.ts";
import { ADMISSION_GROUP, Configured } from "../objects_of_kind.ts";
import type { AdmissionPorts } from "../ports.ts";
import { type Reinvocation, Reinvocations } from "../reinvocation.ts";
import { asMatched } from "../webhooks/hook_call.ts";
import { asRequested } from "../webhooks/mutating_webhooks.ts";
import { type Binding, boundTo, matchResources, namespaceOf } from "./binding.ts";
import type { CompiledMutations } from "./mutations.ts";
import { collectParams, ConfigurationError, paramKindProblem } from "./params.ts";
import type { MutatingPolicySpec } from "./policy.ts";

interface ActivePolicy {
  readonly name: string;
  readonly spec: MutatingPolicySpec;
  readonly compiled: (code: ExpressionCode) => CompiledMutations;
  readonly bindings: readonly Binding[];
}

/**
 * An application of a MutatingAdmissionPolicy to a write, with its binding and one parameter
 * object, or `null` for a policy without parameters.
 */
interface Invocation {
  readonly policy: ActivePolicy;
  readonly binding: Binding;
  readonly params: ApiObject | null;
  readonly match: Match;
}

/** A record of the reason why a MutatingAdmissionPolicy could not be applied to a write. */
interface Problem {
  readonly policy: ActivePolicy;
  readonly binding: Binding | undefined;
  readonly message: string;
  /**
   * Reports whether a match condition or a mutation of the policy failed, rather than the
   * configuration of the policy or the binding.
   */
  readonly invalid: boolean;
}

/**
 * The admission plugin that applies MutatingAdmissionPolicies to creations, updates and
 * connections.
 */
export class MutatingPolicies implements Admission {
  readonly name = "MutatingAdmissionPolicy";
  readonly #ports: AdmissionPorts;
  readonly #policies: Configured<readonly ActivePolicy[]> = new Configured(
    ADMISSION_GROUP,
    ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"],
    ([policies, bindings]) => activePolicies(policies!, bindings!),
  );
  readonly #applied: Reinvocations = new Reinvocations();

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  handles(request: AdmissionRequest, registry: Registry): boolean {
    return request.operation !== "DELETE" &&
      this.#policies.of(registry).length > 0 && !isExempt(attributesOf(request));
  }

  /**
   * Changes the object of a write, `request.object`, by all matching MutatingAdmissionPolicies.
   * Returns in `again` whether a patch was applied, even one that changes nothing, in which case
   * the API server calls the mutating plugins a second time for the request.
   *
   * @throws {StatusError} 403 if a policy cannot be applied and its `failurePolicy` is not
   * `Ignore`; 404 if the namespace does not exist; 400 or 500 if a patched object is not of its
   * kind.
   */
  async mutate(request: AdmissionRequest, registry: Registry): Promise<{ again: boolean }> {
    const attributes = attributesOf(request);
    const problems: Problem[] = [];
    const invocations = this.#invocations(attributes, registry, problems);
    const applied = this.#applied.begin(request);
    let patched = false;
    for (const invocation of invocations) {
      if (await this.#invoke(invocation, { attributes, registry, applied, problems })) {
        patched = true;
      }
    }
    if (patched) applied.noteChange();
    applied.end(request);
    const denials = problems.filter(({ policy }) => policy.spec.failurePolicy !== "Ignore");
    if (denials.length > 0) throw denied(request, denials);
    return { again: patched };
  }

  #invocations(
    attributes: AdmissionAttributes,
    registry: Registry,
    problems: Problem[],
  ): Invocation[] {
    const ports = this.#ports;
    return this.#policies.of(registry).flatMap((policy) => {
      const { paramKind, matchConstraints } = policy.spec;
      const match = matchResources(matchConstraints, attributes, registry, ports);
      if (!match) return [];
      const problem = paramKindProblem(paramKind, ports);
      if (problem !== undefined) {
        const message = `failed to configure policy: ${problem}`;
        problems.push({ policy, binding: undefined, message, invalid: false });
        return [];
      }
      return policy.bindings.flatMap((binding) => {
        const { matchResources: resources, paramRef } = binding.spec;
        if (!matchResources(resources, attributes, registry, ports)) return [];
        try {
          return collectParams(paramKind, paramRef, attributes.namespace, registry, ports)
            .map((params) => ({ policy, binding, params, match }));
        } catch (error) {
          if (!(error instanceof ConfigurationError)) throw error;
          const message = `failed to configure binding: ${error.message}`;
          problems.push({ policy, binding, message, invalid: false });
          return [];
        }
      });
    });
  }

  /**
   * Applies one MutatingAdmissionPolicy to a write: sets `request.object` to the changed object,
   * and adds failures to `problems`. Returns whether a patch of the policy was applied, even one
   * that changes nothing.
   */
  async #invoke(
    invocation: Invocation,
    { attributes, registry, applied, problems }: {
      readonly attributes: AdmissionAttributes;
      readonly registry: Registry;
      readonly applied: Reinvocation;
      readonly problems: Problem[];
    },
  ): Promise<boolean> {
    const { policy, binding, params, match } = invocation;
    const { request } = attributes;
    const namespace = namespaceOf(attributes, registry);
    const old = await asMatched(request.old, match, attributes);
    let object = await asMatched(request.object, match, attributes);
    const code = await EXPRESSIONS.get();
    const variables = () =>
      code.expressionVariables({
        attributes,
        match,
        object,
        old,
        params,
        namespace,
        authorizer: this.#ports.authorize,
      });
    const fail = (message: string): void =>
      void problems.push({ policy, binding, message, invalid: true });
    const { conditions, mutations } = policy.compiled(code);
    const { work } = request.context;
    const ignore = policy.spec.failurePolicy === "Ignore";
    const held = conditions && await work.run(conditions.check(variables(), ignore));
    if (held && "problem" in held) {
      fail(held.problem);
      return false;
    }
    if (held && !held.matches) return false;
    const key = JSON.stringify([policy.name, binding.name, params && paramsName(params)]);
    if (applied.skips(key)) return false;
    const before = object;
    let patched = false;
    for (const mutation of mutations) {
      if (!object) break;
      try {
        const resource = match.equivalent ?? request.context.resource;
        const { subresource } = request.context;
        const patch = await work.run(mutation(variables()));
        const { resourceOfKind } = this.#ports;
        object = code.applyPatch(object, patch, { resource, subresource, resourceOfKind });
        patched = true;
      } catch (error) {
        if (error instanceof StatusError || isStackOverflow(error)) throw error;
        fail((error as Error).message);
      }
    }
    if (!jsonEqual(before as unknown as Json, object as unknown as Json)) {
      applied.noteChange();
      const version = match.equivalent?.version ?? otherVersion(object!, request.context.resource);
      request.object = await asRequested(object!, attributes, version);
    }
    if (policy.spec.reinvocationPolicy === "IfNeeded") applied.noteCall(key);
    return patched;
  }
}

/**
 * Returns the new `apiVersion` of a custom object, `group/version`, if a patch has changed it from
 * that of the request's resource; `undefined` for all other objects, also if the patch changed the
 * kind.
 */
function otherVersion({ apiVersion, kind }: ApiObject, resource: ApiResource): string | undefined {
  const isCustom = resource.customResourceDefinition !== undefined && kind === resource.kind;
  return isCustom && apiVersion !== apiVersionOf(resource) ? apiVersion : undefined;
}

function paramsName({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

function activePolicies(
  policies: readonly ApiObject[],
  bindings: readonly ApiObject[],
): ActivePolicy[] {
  return policies.flatMap((policy) => {
    const own = boundTo(policy, bindings);
    if (own.length === 0) return [];
    const spec = (policy["spec"] ?? {}) as MutatingPolicySpec;
    const compiled = madeOnce(({ CompiledMutations }) => new CompiledMutations(spec));
    return [{ name: policy.metadata.name!, spec, compiled, bindings: own }];
  });
}

function denied(request: AdmissionRequest, problems: readonly Problem[]): StatusError {
  const { status } = forbiddenByAdmission(request, "");
  const messages = problems.map(({ policy, binding, message }) =>
    binding
      ? `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`
      : `policy ${goQuote(policy.name)} denied request: ${message}`
  );
  const reason = problems[0]!.invalid ? "Invalid" : status.reason!;
  return new StatusError(status.code, reason, messages[0]!, {
    ...status.details,
    causes: messages.map((message) => ({ message })),
  });
}
