/**
 * The rules for names of Kubernetes objects. Each function returns the messages of kube-apiserver
 * about a text that breaks a rule.
 *
 * Mirrors `util/validation/validation.go, IsDNS1123Subdomain`.
 *
 * @module
 */
import { byteLength, maxLengthProblem, patternProblem } from "./texts.ts";

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_WITH_UNDERSCORE = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SUBDOMAIN_WITH_UNDERSCORE = `${LABEL_WITH_UNDERSCORE}(\\.${LABEL_WITH_UNDERSCORE})*`;
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const WILDCARD = `\\*\\.${SUBDOMAIN}`;

const LABEL_MESSAGE = "a lowercase RFC 1123 label must consist of lower case alphanumeric " +
  "characters or '-', and must start and end with an alphanumeric character";
const CASELESS_SUBDOMAIN_MESSAGE = "an RFC 1123 subdomain must consist of alphanumeric " +
  "characters, '-' or '.', and must start and end with an alphanumeric character";
const SUBDOMAIN_MESSAGE = "a lowercase RFC 1123 subdomain must consist of lower case " +
  "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const SUBDOMAIN_WITH_UNDERSCORE_MESSAGE = "a lowercase RFC 1123 subdomain must consist of lower " +
  "case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric " +
  "character";
const LABEL_1035_MESSAGE = "a DNS-1035 label must consist of lower case alphanumeric characters " +
  "or '-', start with an alphabetic character, and end with an alphanumeric character";
const WILDCARD_MESSAGE =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid " +
  "DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end " +
  "with an alphanumeric character";

const whole = (expression: string): RegExp => new RegExp(`^(?:${expression})$`);
const IS_LABEL = whole(LABEL);
const IS_SUBDOMAIN = whole(SUBDOMAIN);
const IS_SUBDOMAIN_WITH_UNDERSCORE = whole(SUBDOMAIN_WITH_UNDERSCORE);
const IS_LABEL_1035 = whole(LABEL_1035);
const IS_WILDCARD = whole(WILDCARD);

const LABEL_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;

function check(value: string, length: number, isRight: RegExp, problem: () => string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > length) problems.push(maxLengthProblem(length));
  if (!isRight.test(value)) problems.push(problem());
  return problems;
}

/**
 * Returns kube-apiserver's messages about a text that must be a DNS-1123 label, such as `my-name`;
 * none for a valid text.
 */
export function dnsLabelProblems(value: string): string[] {
  return check(
    value,
    LABEL_LENGTH,
    IS_LABEL,
    () =>
      IS_SUBDOMAIN.test(value)
        ? "must not contain dots"
        : patternProblem(LABEL_MESSAGE, LABEL, "my-name", "123-abc"),
  );
}

/**
 * Returns kube-apiserver's messages about a text that must be a DNS-1123 subdomain, such as
 * `example.com`; none for a valid text.
 */
export function dnsSubdomainProblems(value: string): string[] {
  return check(
    value,
    SUBDOMAIN_LENGTH,
    IS_SUBDOMAIN,
    () => patternProblem(SUBDOMAIN_MESSAGE, SUBDOMAIN, "example.com"),
  );
}

/**
 * Returns kube-apiserver's messages about a text that must be a DNS-1123 subdomain in upper or
 * lower case; none for a valid text. The messages show the lower-case pattern, as upstream's do.
 */
export function caselessSubdomainProblems(value: string): string[] {
  return check(
    value,
    SUBDOMAIN_LENGTH,
    new RegExp(`^${SUBDOMAIN}$`, "i"),
    () => patternProblem(CASELESS_SUBDOMAIN_MESSAGE, SUBDOMAIN, "Example.com"),
  );
}

/**
 * Returns kube-apiserver's messages about a text that must be a DNS subdomain whose labels may
 * contain underscores, such as a search domain; none for a valid text.
 */
export function dnsSubdomainWithUnderscoreProblems(value: string): string[] {
  return check(value, SUBDOMAIN_LENGTH, IS_SUBDOMAIN_WITH_UNDERSCORE, () =>
    patternProblem(
      SUBDOMAIN_WITH_UNDERSCORE_MESSAGE,
      SUBDOMAIN_WITH_UNDERSCORE,
      "example.com",
    ));
}

/**
 * Returns kube-apiserver's messages about a text that must be a DNS-1035 label, such as `my-name`,
 * which begins with a letter; none for a valid text.
 */
export function dns1035LabelProblems(value: string): string[] {
  return check(
    value,
    LABEL_LENGTH,
    IS_LABEL_1035,
    () => patternProblem(LABEL_1035_MESSAGE, LABEL_1035, "my-name", "abc-123"),
  );
}

/**
 * Returns kube-apiserver's messages about a text that must be a wildcard subdomain, such as
 * `*.example.com`; none for a valid text.
 */
export function wildcardSubdomainProblems(value: string): string[] {
  return check(
    value,
    SUBDOMAIN_LENGTH,
    IS_WILDCARD,
    () => patternProblem(WILDCARD_MESSAGE, WILDCARD, "*.example.com"),
  );
}

/**
 * Returns the name that is validated in place of a `generateName`, which may end with a dash: the
 * last two characters become one letter, as in kube-apiserver. Messages about the length therefore
 * count one character less.
 */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}

/**
 * Returns kube-apiserver's messages about an object name that must be a DNS-1123 subdomain; with
 * `prefix`, about a `generateName`. None for a valid name.
 */
export function subdomainNameProblems(name: string, prefix: boolean): string[] {
  return dnsSubdomainProblems(prefix ? maskTrailingDash(name) : name);
}

/**
 * Returns kube-apiserver's messages about an object name that must be a DNS-1123 label; with
 * `prefix`, about a `generateName`. None for a valid name.
 */
export function labelNameProblems(name: string, prefix: boolean): string[] {
  return dnsLabelProblems(prefix ? maskTrailingDash(name) : name);
}

/**
 * Returns kube-apiserver's messages about an object name that must be a DNS-1035 label; with
 * `prefix`, about a `generateName`. None for a valid name.
 */
export function label1035NameProblems(name: string, prefix: boolean): string[] {
  return dns1035LabelProblems(prefix ? maskTrailingDash(name) : name);
}

/**
 * Returns kube-apiserver's messages about an object name that may be any path segment; with
 * `prefix`, about a `generateName`. None for a valid name.
 */
export function pathSegmentNameProblems(name: string, prefix: boolean): string[] {
  if (!prefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((sign) => name.includes(sign)).map((sign) =>
    `may not contain '${sign}'`
  );
}
