import { dnsLabelProblems } from "@xca/apimachinery/internal/validation";

/**
 * Returns a list with a warning if the name of a new object, which becomes a hostname, is not a DNS
 * label; otherwise an empty list (`api/pod/warnings.go`, `GetWarningsForPod`). `use` is the phrase
 * of the warning that says what uses the name, such as `the Pod's hostname`.
 */
export function hostnameWarnings(name: string, use: string): string[] {
  const problems = dnsLabelProblems(name);
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; ` +
    `a DNS label is recommended: [${problems.join(" ")}]`,
  ];
}
