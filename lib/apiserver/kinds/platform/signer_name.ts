import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsLabelProblems,
  dnsSubdomainProblems,
} from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";

const MAX_DOMAIN = 253;
const MAX_PATH = 253 + 63 + 1;

/**
 * Validates the name of a certificate signer, a path with a domain prefix, such as
 * `example.com/signer-name` (`apis/core/validation/names.go`, `ValidateSignerName`).
 */
export function validateSignerName(path: FieldPath, name: string): FieldError[] {
  if (name === "") return [required(path)];
  const segments = name.split("/");
  if (segments.length !== 2) {
    const detail =
      "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, name, detail)];
  }
  const [domain, rest] = segments as [string, string];
  const errors = byteLength(domain) > MAX_DOMAIN ? [tooLong(path, MAX_DOMAIN)] : [];
  errors.push(...validateLabels(path, domain, dnsLabelProblems));
  if (!domain.includes(".")) {
    const detail = "should be a domain with at least two segments separated by dots";
    errors.push(invalid(path, domain, detail));
  }
  errors.push(...validateLabels(path, rest, dnsSubdomainProblems));
  const most = MAX_DOMAIN + MAX_PATH + 1;
  return byteLength(name) > most ? [...errors, tooLong(path, most)] : errors;
}

/**
 * Returns the errors in the first invalid label (text between dots) of the domain or the path in a
 * certificate signer's name.
 */
function validateLabels(
  path: FieldPath,
  text: string,
  problemsOf: (label: string) => readonly string[],
): FieldError[] {
  for (const label of text.split(".")) {
    const problems = problemsOf(label);
    if (problems.length === 0) continue;
    return problems.map((problem) =>
      invalid(path, text, `validating label ${goQuote(label)}: ${problem}`)
    );
  }
  return [];
}

/** Reports whether a certificate signer is one of Kubernetes itself, by the domain of its name. */
export function isKubernetesSigner(name: string): boolean {
  const [domain] = name.split("/", 1);
  return domain === "kubernetes.io" || domain!.endsWith(".kubernetes.io");
}
