// Mirrors `apis/apiextensions/validation/validation.go, validateCustomResourceConversion`.
import {
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { dns1035LabelProblems, dnsSubdomainProblems } from "../../validation/names.ts";
import { caBundleProblem } from "./ca_bundle.ts";
import type { DefinitionConversion, WebhookClientConfig } from "./definition.ts";

const FORM = "; desired format: https://host[/path]";
const STRATEGIES = ["None", "Webhook"];

/**
 * Returns the field errors of the `conversion` field of a CustomResourceDefinition. With
 * `allowsInvalidCaBundle`, the CA bundle of the webhook is not checked.
 */
export function conversionErrors(
  conversion: DefinitionConversion,
  path: FieldPath,
  allowsInvalidCaBundle: boolean,
): FieldError[] {
  const errors = enumErrors(path.child("strategy"), conversion.strategy ?? "", STRATEGIES);
  const config = conversion.webhook?.clientConfig;
  const versions = conversion.webhook?.conversionReviewVersions ?? [];
  const configPath = path.child("webhookClientConfig");
  const versionsPath = path.child("conversionReviewVersions");
  if (conversion.strategy !== "Webhook") {
    const why = "should not be set when strategy is not set to Webhook";
    if (config) errors.push(forbiddenField(configPath, why));
    if (versions.length > 0) errors.push(forbiddenField(versionsPath, why));
    return errors;
  }
  if (config) errors.push(...clientConfigErrors(config, configPath, allowsInvalidCaBundle));
  else errors.push(required(configPath, "required when strategy is set to Webhook"));
  return [...errors, ...reviewVersionErrors(versions, versionsPath)];
}

/**
 * Returns the field error about a required field of a CustomResourceDefinition that is absent or
 * has none of the supported values, in a list; an empty list for a supported value.
 */
export function enumErrors(
  path: FieldPath,
  value: string,
  accepted: readonly string[],
): FieldError[] {
  if (value === "") return [required(path)];
  return accepted.includes(value) ? [] : [notSupported(path, value, accepted)];
}

function clientConfigErrors(
  { url, service, caBundle = "" }: WebhookClientConfig,
  path: FieldPath,
  allowsInvalidCaBundle: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, "exactly one of url or service is required"));
  } else if (url !== undefined) errors.push(...urlErrors(url, path.child("url")));
  else errors.push(...serviceErrors(service!, path.child("service")));
  if (caBundle !== "" && !allowsInvalidCaBundle) {
    const problem = caBundleProblem(caBundle);
    if (problem !== undefined) errors.push(invalid(path.child("caBundle"), caBundle, problem));
  }
  return errors;
}

function urlErrors(text: string, path: FieldPath): FieldError[] {
  const match =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
      .exec(text)!;
  const [, scheme = "", authority = "", , query = "", fragment = ""] = match;
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  // deno-lint-ignore no-control-regex -- control characters make it no URL at all.
  if (/[\x00-\x1f\x7f]/.test(text)) {
    const why = `parse ${JSON.stringify(text)}: net/url: invalid control character in URL`;
    return [required(path, `url must be a valid URL: ${why}${FORM}`)];
  }
  if (text.startsWith(":")) {
    const why = `parse ${JSON.stringify(text)}: missing protocol scheme`;
    return [required(path, `url must be a valid URL: ${why}${FORM}`)];
  }
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== "https") {
    const why = `'https' is the only allowed URL scheme${FORM}`;
    errors.push(invalid(path, scheme.toLowerCase(), why));
  }
  if (host === "") errors.push(invalid(path, host, `host must be specified${FORM}`));
  if (at >= 0) {
    const user = authority.slice(0, at);
    errors.push(invalid(path, user, "user information is not permitted in the URL"));
  }
  if (fragment !== "") {
    errors.push(invalid(path, fragment, "fragments are not permitted in the URL"));
  }
  if (query !== "") {
    errors.push(invalid(path, query, "query parameters are not permitted in the URL"));
  }
  return errors;
}

function serviceErrors(
  service: NonNullable<WebhookClientConfig["service"]>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  // kube-apiserver confuses the two fields in its error messages, too.
  if (!service.namespace) errors.push(required(path.child("name")));
  if (!service.name) errors.push(required(path.child("namespace")));
  const { port = 443, path: urlPath = "" } = service;
  if (port < 1 || port > 65535) {
    const why = "port is not valid: must be between 1 and 65535, inclusive";
    errors.push(invalid(path.child("port"), port, why));
  }
  return [...errors, ...urlPathErrors(urlPath, path.child("path"))];
}

function urlPathErrors(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === "" || urlPath === "/") return [];
  if (urlPath === "//") return [invalid(path, urlPath, "segment[0] may not be empty")];
  const errors = urlPath.startsWith("/") ? [] : [invalid(path, urlPath, "must start with a '/'")];
  const segments = urlPath.slice(1).replace(/\/$/, "").split("/");
  for (const [index, segment] of segments.entries()) {
    const problems = segment === ""
      ? [`segment[${index}] may not be empty`]
      : dnsSubdomainProblems(segment).map((problem) => `segment[${index}]: ${problem}`);
    for (const problem of problems) errors.push(invalid(path, urlPath, problem));
  }
  return errors;
}

function reviewVersionErrors(versions: readonly string[], path: FieldPath): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const at = path.index(index);
    if (seen.has(version)) errors.push(invalid(at, version, "duplicate version"));
    else {
      for (const problem of dns1035LabelProblems(version)) {
        errors.push(invalid(at, version, problem));
      }
    }
    seen.add(version);
  }
  if (!seen.has("v1") && !seen.has("v1beta1")) {
    errors.push(invalid(path, versions, "must include at least one of v1, v1beta1"));
  }
  return errors;
}
