import { dnsLabelProblems } from "@xca/apimachinery/internal/validation";

/**
 * Returns a warning if a name that becomes a hostname is not a DNS label (`api/pod/warnings.go`,
 * `GetWarningsForPod`).
 */
export function hostnameWarnings(name: string, use: string): string[] {
  const problems = dnsLabelProblems(name);
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; ` +
    `a DNS label is recommended: [${problems.join(" ")}]`,
  ];
}
