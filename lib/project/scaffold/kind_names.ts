import { isDnsLabel } from "@xca/apimachinery/meta";
import { ProjectError } from "../project.ts";

/** The names of a kind in the files of a project. */
export interface KindNames {
  /** The kind in CamelCase, such as `Shop`. */
  readonly kind: string;
  /** The whole API group of the kind, such as `trade.example.org`. */
  readonly group: string;
  /** The API version of the kind, such as `v1alpha1`. */
  readonly version: string;
  /** The plural name of the kind in URLs, such as `shops`. */
  readonly plural: string;
  /** The name of the kind's files without the extension: the kind in lower case, such as `shop`. */
  readonly file: string;
  /** The variable name for an object or a component of the kind, such as `shop`. */
  readonly variable: string;
}

/** The names of a kind as the user gives them, from which the other names are derived. */
export interface GivenNames {
  /** The name of the kind in CamelCase, such as `Shop`, as the user gives it. */
  readonly kind: string;
  /**
   * The first part of the kind's API group, or, with a dot, the whole group.
   *
   * @default the project's domain is the group
   */
  readonly group?: string | undefined;
  /**
   * The API version of the kind, such as `v1alpha1`, as the user gives it.
   *
   * @default {"v1alpha1"}
   */
  readonly version?: string | undefined;
  /**
   * The plural name of the kind in URLs, as the user gives it.
   *
   * @default derived from the kind by the rules of English
   */
  readonly plural?: string | undefined;
}

/** The names that the files of a project use for other purposes, so that no kind may have them. */
const TAKEN = new Set([
  "ApiServer",
  "ConfigMap",
  "Deno",
  "Promise",
  "ReconcileContext",
  "StoredOf",
]);

/**
 * Returns all names of a kind in the files of a project, given those that the user chose.
 *
 * @throws {ProjectError} When a name is not valid, the project's files need the kind's name, or the
 * group is one of Kubernetes' own.
 */
export function kindNames(
  { kind, group = "", version = "v1alpha1", plural = pluralOf(kind) }: GivenNames,
  domain: string,
): KindNames {
  check(
    "kind",
    kind,
    isKind,
    "must begin with a capital, and have only letters and digits, such as Shop",
  );
  if (TAKEN.has(kind)) {
    throw new ProjectError(
      `kind ${JSON.stringify(kind)} is a name that the files of a project use; choose another`,
    );
  }
  check(
    "version",
    version,
    isVersion,
    "must be a version of an API, such as v1alpha1, v1beta2 or v1",
  );
  const whole = group.includes(".") ? group : [group, domain].filter((part) => part).join(".");
  const isGroup = (text: string): boolean => text === "" || text.split(".").every(isDnsLabel);
  check("group", group, isGroup, "must have lower-case letters, digits and dashes, such as trade");
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(whole)) {
    throw new ProjectError(
      `group ${
        JSON.stringify(whole)
      } is one of Kubernetes' own, for which the API server serves no kind ` +
        "without an approval; choose a domain of your own, such as example.org",
    );
  }
  const isPlural = (text: string): boolean => isDnsLabel(text) && /^[a-z]/.test(text);
  check(
    "plural",
    plural,
    isPlural,
    "must have lower-case letters, digits and dashes, such as shops",
  );
  return {
    kind,
    group: whole,
    version,
    plural,
    file: kind.toLowerCase(),
    variable: kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/, (first) => first.toLowerCase()),
  };
}

/**
 * Returns the kind that a project's own name suggests: the name in CamelCase without the suffix
 * `-operator` or `-controller`, such as `Shop` for `shop-operator`.
 */
export function kindOfProject(name: string): string {
  const words = name.replace(/(?<=.)-(operator|controller)$/, "").split("-");
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

function isKind(text: string): boolean {
  return /^[A-Z][A-Za-z0-9]{0,62}$/.test(text);
}

function isVersion(text: string): boolean {
  return /^v[1-9][0-9]{0,3}((alpha|beta)[1-9][0-9]{0,3})?$/.test(text);
}

/**
 * Returns the plural of a kind in lower case; it equals that of code-generator's plural namer for
 * most words.
 */
function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

function check(
  what: string,
  value: string,
  isValid: (value: string) => boolean,
  rule: string,
): void {
  if (!isValid(value)) throw new ProjectError(`${what} ${JSON.stringify(value)} ${rule}`);
}
