import type { ResourcePlan } from "./resource_plan.ts";

const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const PASCAL_CASE = /^[A-Z][A-Za-z0-9]{0,62}$/;
const PROTECTED = /(^|\.)(k8s|kubernetes)\.io$/;
/**
 * The name of the annotation that the API server requires in CustomResourceDefinitions of the
 * groups `k8s.io`, `kubernetes.io` and their subdomains.
 */
const APPROVAL = "api-approved.kubernetes.io";

/**
 * Returns the problems of the group, the names and the scope of a resource definition as messages,
 * such as that of an invalid plural; empty if all are valid.
 */
export function nameProblems(plan: ResourcePlan): string[] {
  const { group, kind, plural, singular, listKind, shortNames, categories, scope } = plan;
  return [
    ...groupProblems(plan),
    ...kindProblems("kind", kind),
    // A name that follows from a wrong kind is not reported again.
    ...(typeof kind === "string" ? labelProblems("plural", plural) : []),
    ...(typeof kind === "string" ? labelProblems("singular", singular) : []),
    ...(listKind === `${kind}List` ? [] : kindProblems("listKind", listKind)),
    ...listProblems("shortNames", shortNames),
    ...listProblems("categories", categories),
    ...(listKind === kind ? ["listKind must differ from kind"] : []),
    ...(scope === "Namespaced" || scope === "Cluster"
      ? []
      : [`scope must be "Namespaced" or "Cluster", is ${JSON.stringify(scope)}`]),
    ...(`${plural}.${group}`.length > 253
      ? ["plural and group have more than 252 characters"]
      : []),
  ];
}

function groupProblems({ group, annotations }: ResourcePlan): string[] {
  if (typeof group !== "string" || !SUBDOMAIN.test(group)) {
    return [
      `group must be a DNS name in lower case with a dot, such as apps.example.com, ` +
      `is ${JSON.stringify(group)}`,
    ];
  }
  const approval = annotations[APPROVAL] ?? "";
  if (!PROTECTED.test(group) || /^(unapproved|[A-Za-z][A-Za-z0-9+.-]*:\/\/\S)/.test(approval)) {
    return [];
  }
  return [
    `group ${group} is one of Kubernetes, which needs the annotation ${APPROVAL} with the address ` +
    `of the approval, or with a reason that begins with "unapproved"; use a domain of your own`,
  ];
}

function kindProblems(field: string, value: unknown): string[] {
  if (typeof value === "string" && PASCAL_CASE.test(value)) return [];
  const wanted = "must be a word in PascalCase of at most 63 letters and digits, such as CronTab";
  return [`${field} ${wanted}, is ${JSON.stringify(value)}`];
}

function labelProblems(field: string, value: unknown): string[] {
  if (typeof value === "string" && LABEL.test(value)) return [];
  const wanted = "must be lower case letters, digits and '-', beginning with a letter, at most 63";
  return [`${field} ${wanted}, is ${JSON.stringify(value)}`];
}

function listProblems(field: string, values: readonly string[]): string[] {
  if (!Array.isArray(values)) {
    return [`${field} must be an array of names, is ${JSON.stringify(values)}`];
  }
  const twice = values.filter((each, index) => values.indexOf(each) !== index);
  return [
    ...values.flatMap((each, index) => labelProblems(`${field}[${index}]`, each)),
    ...[...new Set(twice)].map((each) => `${field} lists ${JSON.stringify(each)} twice`),
  ];
}
