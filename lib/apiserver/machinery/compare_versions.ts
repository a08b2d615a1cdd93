// Mirrors `version/helpers.go, CompareKubeAwareVersionStrings`.

/**
 * Compares API versions in the order of discovery, the preferred one first: `v2`, `v1`, `v1beta2`,
 * `v1beta1`, `v1alpha1`, then names that are not Kubernetes versions, alphabetically
 * (`version.CompareKubeAwareVersionStrings`).
 */
export function compareVersions(a: string, b: string): number {
  const left = rank(a);
  const right = rank(b);
  for (let part = 0; part < left.length; part++) {
    if (left[part] !== right[part]) return right[part]! - left[part]!;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(version: string): readonly [number, number, number] {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!match) return [0, 0, 0];
  const stage = match[2] === "alpha" ? 1 : match[2] === "beta" ? 2 : 3;
  return [stage, Number(match[1]), Number(match[3] ?? 0)];
}
