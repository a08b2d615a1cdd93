import { goQuote } from "@xca/apimachinery/internal/values";
import type { Volume } from "./common/pod_types.ts";

/**
 * The path of a file in a volume of a pod, and the description of its source in a projected volume,
 * which is empty for other volumes.
 */
interface File {
  readonly path: string;
  readonly source: string;
}

type Items = readonly { readonly path?: string }[] | undefined;
type Source = NonNullable<NonNullable<Volume["projected"]>["sources"]>[number];

/**
 * Returns the warnings about files of a volume that replace or contain each other, and about empty
 * sources of projected volumes (`api/pod/warnings.go`, `warningsForOverlappingVirtualPaths`). Only
 * files that a source lists as items, and service account tokens, are compared.
 */
export function fileOverlapWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap(({ name = "", configMap, secret, downwardAPI, projected }) => {
    const warnings: string[] = [];
    const add = (what: string, files: readonly File[]) => {
      for (const overlap of overlaps(files)) {
        warnings.push(`volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`);
      }
    };
    if (configMap) add(`ConfigMap ${goQuote(configMap.name ?? "")}`, filesOf(configMap.items));
    if (secret) add(`Secret ${goQuote(secret.secretName ?? "")}`, filesOf(secret.items));
    if (downwardAPI) add("DownwardAPI", filesOf(downwardAPI.items));
    if (!projected) return warnings;
    const sources = projected.sources ?? [];
    for (const source of sources) {
      if (Object.keys(source).length > 0) continue;
      warnings.push(`volume ${goQuote(name)} (Projected) has no sources provided`);
    }
    add("Projected", sources.flatMap(projectedFiles));
    return warnings;
  });
}

function filesOf(items: Items, source = ""): File[] {
  return (items ?? []).map(({ path = "" }) => ({ path: path.replace(/(?<!\/)\/+$/, ""), source }));
}

function projectedFiles(source: Source): File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap?.items) {
    return filesOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? "")}`);
  }
  if (secret?.items) return filesOf(secret.items, `Secret ${goQuote(secret.name ?? "")}`);
  if (downwardAPI?.items) return filesOf(downwardAPI.items, "DownwardAPI");
  return serviceAccountToken ? filesOf([serviceAccountToken], "ServiceAccountToken") : [];
}

function overlaps(files: readonly File[]): string[] {
  return files.flatMap((file, index) =>
    files.slice(0, index).filter((other) => overlap(file, other))
      .map((other) => `${show(file)} with ${show(other)}`)
  );
}

function overlap(a: File, b: File): boolean {
  if (a.path === "" || b.path === "") return false;
  return `${a.path}/`.startsWith(`${b.path}/`) || `${b.path}/`.startsWith(`${a.path}/`);
}

function show({ path, source }: File): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}
