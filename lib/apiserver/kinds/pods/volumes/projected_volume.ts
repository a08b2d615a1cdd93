// Mirrors `core/validation/validation.go, validateProjectedVolumeSource`.
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach } from "@xca/apimachinery/internal/validation";
import { validateFieldReference, validateResourceReference } from "../common/field_reference.ts";
import { validatePodCertificate, validateTrustBundle } from "./certificate_projections.ts";
import { fileModeProblems, localPathProblems } from "../common/paths.ts";
import type { PodRules } from "../common/pod_rules.ts";
import type { Volume } from "../common/pod_types.ts";

type Projected = NonNullable<Volume["projected"]>;
type Source = NonNullable<Projected["sources"]>[number];
type DownwardApiFile = NonNullable<NonNullable<Volume["downwardAPI"]>["items"]>[number];

const VOLUME_FIELDS = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** Validates the projection of a key of a ConfigMap or Secret to a file of a volume. */
export function validateKeyToPath(
  item: { key?: string; path?: string; mode?: number },
  path: FieldPath,
): FieldError[] {
  const { key, path: file = "", mode } = item;
  return [
    ...key ? [] : [required(path.child("key"))],
    ...file ? [] : [required(path.child("path"))],
    ...invalidForEach(path.child("path"), file, localPathProblems(file)),
    ...invalidForEach(path.child("mode"), mode, fileModeProblems(mode)),
  ];
}

/**
 * Validates a downward API file of a volume, which contains a field of the pod or a resource of a
 * container.
 */
export function validateDownwardApiFile(file: DownwardApiFile, path: FieldPath): FieldError[] {
  const { path: name = "", fieldRef, resourceFieldRef, mode } = file;
  const errors = name ? [] : [required(path.child("path"))];
  errors.push(...invalidForEach(path.child("path"), name, localPathProblems(name)));
  if (fieldRef) {
    errors.push(...validateFieldReference(fieldRef, VOLUME_FIELDS, path.child("fieldRef")));
    if (resourceFieldRef) {
      const detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
      errors.push(invalid(path, "resource", detail));
    }
  } else if (resourceFieldRef) {
    const at = path.child("resourceFieldRef");
    errors.push(...validateResourceReference(resourceFieldRef, at, true));
  } else {
    errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
  }
  errors.push(...invalidForEach(path.child("mode"), mode, fileModeProblems(mode)));
  return errors;
}

/**
 * Validates a projected volume, whose files have several sources (`core/validation/validation.go`,
 * `validateProjectedVolumeSource`).
 */
export function validateProjected(
  projected: Projected,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const { defaultMode } = projected;
  const errors = invalidForEach(
    path.child("defaultMode"),
    defaultMode,
    fileModeProblems(defaultMode),
  );
  const seen = new Set<string>();
  for (const [index, source] of (projected.sources ?? []).entries()) {
    const at = path.child("sources").index(index);
    errors.push(...validateNamedFiles(source.secret, at.child("secret"), path, seen));
    errors.push(...validateNamedFiles(source.configMap, at.child("configMap"), path, seen));
    for (const item of source.downwardAPI?.items ?? []) {
      errors.push(...validateDownwardApiFile(item, at.child("downwardAPI")));
      errors.push(...claimFile(item.path, item.path, path, seen));
    }
    errors.push(...validateToken(source, at, path, rules));
    const claim = (file: string): FieldError[] => claimFile(file, file, path, seen, true);
    const { clusterTrustBundle, podCertificate } = source;
    errors.push(...validateTrustBundle(clusterTrustBundle, at.child("clusterTrustBundle"), claim));
    errors.push(...validatePodCertificate(podCertificate, at.child("podCertificate"), claim));
    const kinds = [
      "secret",
      "configMap",
      "downwardAPI",
      "serviceAccountToken",
      "clusterTrustBundle",
      "podCertificate",
    ] as const;
    if (kinds.filter((kind) => source[kind]).length > 1) {
      errors.push(forbiddenField(at, "may not specify more than 1 volume type per source"));
    }
  }
  return errors;
}

function validateNamedFiles(
  source: Source["secret"],
  path: FieldPath,
  volumePath: FieldPath,
  seen: Set<string>,
): FieldError[] {
  if (!source) return [];
  const errors = source.name ? [] : [required(path.child("name"))];
  for (const [index, item] of (source.items ?? []).entries()) {
    errors.push(...validateKeyToPath(item, path.child("items").index(index)));
    errors.push(...claimFile(item.path, source.name ?? "", volumePath, seen));
  }
  return errors;
}

/**
 * Records the path of a projected volume's file in `seen`. Returns a list: with an error at `path`
 * that shows the value `shown` if a file of the same or another source has the path already,
 * otherwise empty. An absent path is ignored, as is an empty one without `countsEmpty`.
 */
function claimFile(
  file: string | undefined,
  shown: string | undefined,
  path: FieldPath,
  seen: Set<string>,
  countsEmpty = false,
): FieldError[] {
  if (file === undefined || (file === "" && !countsEmpty)) return [];
  if (seen.has(file)) return [invalid(path, shown, "conflicting duplicate paths")];
  seen.add(file);
  return [];
}

function validateToken(
  { serviceAccountToken: token }: Source,
  path: FieldPath,
  volumePath: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!token) return [];
  const { expirationSeconds = 3600, path: file = "" } = token;
  const at = path.child("serviceAccountToken", "expirationSeconds");
  const errors: FieldError[] = [];
  if (expirationSeconds < 600) {
    errors.push(invalid(at, expirationSeconds, "may not specify a duration less than 10 minutes"));
  }
  if (expirationSeconds > 2 ** 32) {
    const detail = "may not specify a duration larger than 2^32 seconds";
    errors.push(invalid(at, expirationSeconds, detail));
  }
  if (file === "") errors.push(required(volumePath.child("path")));
  else if (!rules.allowNonLocalTokenPath) {
    errors.push(...invalidForEach(volumePath.child("path"), file, localPathProblems(file)));
  }
  return errors;
}
