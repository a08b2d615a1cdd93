// Mirrors `policy/validating/dispatcher.go, dispatcher.Dispatch`.
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import { type AdmissionAttributes, attributesOf, forbiddenByAdmission } from "../attributes.ts";
import { type ExpressionCode, EXPRESSIONS, madeOnce } from "../expression_code.ts";
import { isExempt, type Match } from "../matching.ts";
import { ADMISSION_GROUP, Configured } from "../objects_of_kind.ts";
import type { AdmissionPorts } from "../ports.ts";
import { asMatched } from "../webhooks/hook_call.ts";
import { type Binding, boundTo, matchResources, namespaceOf } from "./binding.ts";
import type { CompiledPolicy } from "./compiled_policy.ts";
import { collectParams, ConfigurationError, paramKindProblem } from "./params.ts";
import type { PolicySpec } from "./policy.ts";

/** A ValidatingAdmissionPolicy with at least one binding. */
interface ActivePolicy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly compiled: (code: ExpressionCode) => CompiledPolicy;
  readonly bindings: readonly Binding[];
}

/**
 * A record of the refusal of a write by a ValidatingAdmissionPolicy, with the names of the policy
 * and the binding.
 */
interface Denial {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason?: string;
}

const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

/** A write that ValidatingAdmissionPolicies check, with the inputs of their evaluation. */
interface Write {
  readonly attributes: AdmissionAttributes;
  readonly registry: Registry;
  readonly match: Match;
  readonly namespace: ApiObject | undefined;
}

/**
 * The admission plugin that applies ValidatingAdmissionPolicies. By the `validationActions` of its
 * binding, a violation refuses the write (`Deny`) or adds a warning to the response (`Warn`);
 * `Audit` has no effect. The error about a refused write states the first refusal only.
 */
export class ValidatingPolicies implements Admission {
  readonly name = "ValidatingAdmissionPolicy";
  readonly #ports: AdmissionPorts;
  readonly #policies: Configured<readonly ActivePolicy[]> = new Configured(
    ADMISSION_GROUP,
    ["validatingadmissionpolicies", "validatingadmissionpolicybindings"],
    ([policies, bindings]) => activePolicies(policies!, bindings!),
  );

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  handles(request: AdmissionRequest, registry: Registry): boolean {
    return this.#policies.of(registry).length > 0 && !isExempt(attributesOf(request));
  }

  async validate(request: AdmissionRequest, registry: Registry): Promise<void> {
    const attributes = attributesOf(request);
    const denials: Denial[] = [];
    for (const policy of this.#policies.of(registry)) {
      const match = matchResources(
        policy.spec.matchConstraints,
        attributes,
        registry,
        this.#ports,
      );
      if (!match) continue;
      const problem = paramKindProblem(policy.spec.paramKind, this.#ports);
      if (problem !== undefined) {
        if (policy.spec.failurePolicy === "Ignore") continue;
        const message = `failed to configure policy: ${problem}`;
        denials.push({ policy: policy.name, binding: undefined, message });
        continue;
      }
      const namespace = namespaceOf(attributes, registry);
      denials.push(
        ...await this.#apply(policy, { attributes, registry, match, namespace }),
      );
    }
    if (denials.length > 0) throw denied(request, denials[0]!);
  }

  async #apply(policy: ActivePolicy, write: Write): Promise<Denial[]> {
    const { attributes, registry } = write;
    const denials: Denial[] = [];
    for (const binding of policy.bindings) {
      if (!matchResources(binding.spec.matchResources, attributes, registry, this.#ports)) continue;
      try {
        denials.push(...await this.#applyBinding(policy, binding, write));
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        if (policy.spec.failurePolicy === "Ignore") continue;
        denials.push({
          policy: policy.name,
          binding: binding.name,
          message: `failed to configure binding: ${error.message}`,
        });
      }
    }
    return denials;
  }

  async #applyBinding(policy: ActivePolicy, binding: Binding, write: Write): Promise<Denial[]> {
    const { attributes, registry, match, namespace } = write;
    const { request } = attributes;
    const { paramKind, failurePolicy } = policy.spec;
    const all = collectParams(
      paramKind,
      binding.spec.paramRef,
      attributes.namespace,
      registry,
      this.#ports,
    );
    const object = await asMatched(request.object, match, attributes);
    const old = await asMatched(request.old, match, attributes);
    const code = await EXPRESSIONS.get();
    const denials: Denial[] = [];
    for (const params of all) {
      const variables = code.expressionVariables({
        attributes,
        match,
        object,
        old,
        params,
        namespace,
        authorizer: this.#ports.authorize,
      });
      const violations = await request.context.work.run(policy.compiled(code).check(variables));
      for (const { message, reason, isError } of violations) {
        if (isError && failurePolicy === "Ignore") continue;
        const denial = { policy: policy.name, binding: binding.name, message };
        for (const action of binding.spec.validationActions ?? []) {
          if (action === "Deny") denials.push({ ...denial, ...(reason && { reason }) });
          if (action !== "Warn") continue;
          request.context.warn(
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding ` +
              `'${binding.name}': ${message}`,
          );
        }
      }
    }
    return denials;
  }
}

function activePolicies(
  policies: readonly ApiObject[],
  bindings: readonly ApiObject[],
): ActivePolicy[] {
  return policies.flatMap((policy) => {
    const name = policy.metadata.name!;
    const own = boundTo(policy, bindings);
    if (own.length === 0) return [];
    const spec = (policy["spec"] ?? {}) as PolicySpec;
    const compiled = madeOnce(({ CompiledPolicy }) => new CompiledPolicy(spec));
    return [{ name, spec, compiled, bindings: own }];
  });
}

function denied(
  request: AdmissionRequest,
  { policy, binding, message, reason = "Invalid" }: Denial,
): StatusError {
  const by = binding === undefined ? "" : ` with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const { status } = forbiddenByAdmission(request, why);
  return new StatusError(CODES[reason] ?? 422, reason, status.message!, {
    ...status.details,
    causes: [{ message: why }],
  });
}
