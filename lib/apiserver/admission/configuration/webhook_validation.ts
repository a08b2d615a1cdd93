// Mirrors `apis/admissionregistration/validation/validation.go,
// ValidateMutatingWebhookConfiguration`.
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dns1035LabelProblems,
  dnsSubdomainProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import { type ApiObject, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import { portNumberProblems } from "../../validation/ports.ts";
import type { WebhookClientConfig } from "../../machinery/call_webhook.ts";
import type { Hook } from "../webhooks/hook.ts";
import type { ExpressionCode } from "../expression_code.ts";
import { validateConditions } from "./condition_validation.ts";
import { validateRule } from "./rule_validation.ts";

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const FORM = "; desired format: https://host[/path]";

function hooksOf(object: ApiObject): readonly Hook[] {
  return (object["webhooks"] ?? []) as readonly Hook[];
}

/**
 * Validates all webhooks of a webhook configuration, in steps, and returns the field errors. An
 * update validates the match conditions only if those of a webhook or the number of webhooks
 * changed.
 */
export function* validateWebhooks(
  code: ExpressionCode,
  object: ApiObject,
  old: ApiObject | undefined,
  mutating: boolean,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const hooks = hooksOf(object);
  const areConditionsOld = old !== undefined && hooks.length === hooksOf(old).length &&
    hooks.every(({ matchConditions }, index) =>
      jsonEqual(
        matchConditions as unknown as Json,
        hooksOf(old)[index]!.matchConditions as unknown as Json,
      )
    );
  for (const [index, hook] of hooks.entries()) {
    const path = FieldPath.of("webhooks").index(index);
    errors.push(...validateHook(hook, path, mutating));
    if (!areConditionsOld) {
      errors.push(
        ...yield* validateConditions(
          code,
          hook.matchConditions,
          path.child("matchConditions"),
          false,
        ),
      );
    }
    errors.push(
      ...validateVersions(
        hook.admissionReviewVersions ?? [],
        path.child("admissionReviewVersions"),
      ),
    );
    if (!hook.name) continue;
    if (names.has(hook.name)) errors.push(duplicate(path.child("name"), hook.name));
    names.add(hook.name);
  }
  return errors;
}

function oneOf(
  value: string | null | undefined,
  path: FieldPath,
  supported: readonly string[],
): FieldError[] {
  return value === undefined || value === null || supported.includes(value)
    ? []
    : [notSupported(path, value, supported)];
}

function validateHook(hook: Hook, path: FieldPath, mutating: boolean): FieldError[] {
  const errors = fullyQualifiedName(hook.name ?? "", path.child("name"));
  for (const [index, rule] of (hook.rules ?? []).entries()) {
    errors.push(...validateRule(rule, path.child("rules").index(index)));
  }
  errors.push(
    ...oneOf(hook.failurePolicy, path.child("failurePolicy"), ["Fail", "Ignore"]),
    ...oneOf(hook.matchPolicy, path.child("matchPolicy"), ["Equivalent", "Exact"]),
  );
  if (!hook.sideEffects) {
    const why = `must specify one of ${SIDE_EFFECTS.join(", ")}`;
    errors.push(required(path.child("sideEffects"), why));
  } else errors.push(...oneOf(hook.sideEffects, path.child("sideEffects"), SIDE_EFFECTS));
  const { timeoutSeconds = 1 } = hook;
  if (timeoutSeconds > 30 || timeoutSeconds < 1) {
    const why = "the timeout value must be between 1 and 30 seconds";
    errors.push(invalid(path.child("timeoutSeconds"), timeoutSeconds, why));
  }
  errors.push(
    ...validateLabelSelector(hook.namespaceSelector, path.child("namespaceSelector")),
    ...validateLabelSelector(hook.objectSelector, path.child("objectSelector")),
  );
  if (mutating) {
    const at = path.child("reinvocationPolicy");
    errors.push(...oneOf(hook.reinvocationPolicy, at, ["IfNeeded", "Never"]));
  }
  errors.push(...validateClientConfig(hook.clientConfig ?? {}, path.child("clientConfig")));
  return errors;
}

function fullyQualifiedName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  const problems = dnsSubdomainProblems(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(","))];
  return name.split(".").length < 3
    ? [invalid(path, name, "should be a domain with at least three segments separated by dots")]
    : [];
}

function validateVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  const all = REVIEW_VERSIONS.join(", ");
  if (versions.length === 0) return [required(path, `must specify one of ${all}`)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const at = path.index(index);
    if (seen.has(version)) {
      errors.push(invalid(at, version, "duplicate version"));
      continue;
    }
    seen.add(version);
    errors.push(...dns1035LabelProblems(version).map((problem) => invalid(at, version, problem)));
  }
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    errors.push(invalid(path, versions, `must include at least one of ${all}`));
  }
  return errors;
}

function validateClientConfig(
  { url, service }: WebhookClientConfig,
  path: FieldPath,
): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(path, "exactly one of url or service is required")];
  }
  return url !== undefined
    ? validateUrl(url, path.child("url"))
    : validateService(service!, path.child("service"));
}

function validateUrl(text: string, path: FieldPath): FieldError[] {
  const match =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/
      .exec(text)!;
  const [, scheme = "", user, host = "", , query, fragment] = match;
  const errors: FieldError[] = [];
  if (scheme !== "https") {
    errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (host === "") errors.push(invalid(path, host, `host must be specified${FORM}`));
  if (user !== undefined) {
    errors.push(invalid(path, user, "user information is not permitted in the URL"));
  }
  if (fragment) errors.push(invalid(path, fragment, "fragments are not permitted in the URL"));
  if (query) errors.push(invalid(path, query, "query parameters are not permitted in the URL"));
  return errors;
}

function validateService(
  { name, namespace, path: urlPath, port = 443 }: NonNullable<WebhookClientConfig["service"]>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  // kube-apiserver passes name and namespace in the wrong order, so that an absent name is reported
  // at the path of the namespace, and vice versa.
  if (!namespace) errors.push(required(path.child("name")));
  if (!name) errors.push(required(path.child("namespace")));
  const problems = portNumberProblems(port);
  if (problems.length > 0) {
    errors.push(invalid(path.child("port"), port, `port is not valid: ${problems.join(", ")}`));
  }
  if (urlPath !== undefined) errors.push(...validateUrlPath(urlPath, path.child("path")));
  return errors;
}

function validateUrlPath(text: string, path: FieldPath): FieldError[] {
  if (text === "" || text === "/") return [];
  if (text === "//") return [invalid(path, text, "segment[0] may not be empty")];
  const errors: FieldError[] = [];
  if (!text.startsWith("/")) errors.push(invalid(path, text, "must start with a '/'"));
  for (const [index, step] of text.slice(1).replace(/\/$/, "").split("/").entries()) {
    if (step === "") {
      errors.push(invalid(path, text, `segment[${index}] may not be empty`));
      continue;
    }
    for (const problem of dnsSubdomainProblems(step)) {
      errors.push(invalid(path, text, `segment[${index}]: ${problem}`));
    }
  }
  return errors;
}
