/**
 * Validates references to fields and resources of a pod, in environment variables and in files.
 *
 * @module
 */
import { nanosOf } from "@xca/apimachinery/internal/values";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach, qualifiedNameProblems } from "@xca/apimachinery/internal/validation";

/**
 * The pod fields that kube-apiserver knows in field references. Environment variables and files
 * each support only some of them.
 */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

/**
 * Validates a reference to a field of a pod, which must be one of `fields`, or a single label or
 * annotation (`core/validation/validation.go`, `validateObjectFieldSelector`).
 */
export function validateFieldReference(
  reference: { readonly apiVersion?: string; readonly fieldPath?: string },
  fields: readonly string[],
  path: FieldPath,
): FieldError[] {
  const { apiVersion = "", fieldPath = "" } = reference;
  if (apiVersion === "") return [required(path.child("apiVersion"))];
  if (fieldPath === "") return [required(path.child("fieldPath"))];
  const cannot = (why: string) => [
    invalid(path.child("fieldPath"), fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== "v1") return cannot(`unsupported pod version: ${apiVersion}`);
  const opened = fieldPath.endsWith("']") ? fieldPath.slice(0, -"']".length) : "";
  const at = opened.indexOf("['");
  if (at > 0) {
    const base = opened.slice(0, at);
    const subscript = opened.slice(at + "['".length);
    if (base === "metadata.annotations") {
      const key = subscript.toLowerCase();
      return invalidForEach(path, key, qualifiedNameProblems(key));
    }
    if (base === "metadata.labels") {
      return invalidForEach(path, subscript, qualifiedNameProblems(subscript));
    }
    return cannot(`field label does not support subscript: ${fieldPath}`);
  }
  const field = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
  if (!KNOWN_FIELDS.has(field)) return cannot(`field label not supported: ${fieldPath}`);
  return fields.includes(field) ? [] : [notSupported(path.child("fieldPath"), field, fields)];
}

const RESOURCES = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const SIZES = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

/**
 * Validates a reference to a resource of a container, in an environment variable or, with `inFile`,
 * in a file. A file, unlike a variable, must name the container.
 */
export function validateResourceReference(
  reference: {
    readonly containerName?: string;
    readonly resource?: string;
    readonly divisor?: string;
  },
  path: FieldPath,
  inFile: boolean,
): FieldError[] {
  const { containerName, resource = "", divisor = "0" } = reference;
  const errors: FieldError[] = [];
  const isHugePages = /^(limits|requests)\.hugepages-/.test(resource);
  if (inFile && !containerName) errors.push(required(path.child("containerName")));
  else if (resource === "") errors.push(required(path.child("resource")));
  else if (!RESOURCES.includes(resource) && !isHugePages) {
    errors.push(notSupported(path.child("resource"), resource, RESOURCES));
  }
  if (nanosOf(divisor) === 0n) return errors;
  const at = path.child("divisor");
  if (/^(limits|requests)\.cpu$/.test(resource)) {
    if (divisor !== "1" && divisor !== "1m") {
      const detail = "only divisor's values 1m and 1 are supported with the cpu resource";
      errors.push(invalid(at, resource, detail));
    }
    return errors;
  }
  const what = isHugePages
    ? "hugepages"
    : resource.endsWith(".memory")
    ? "memory"
    : "local ephemeral storage";
  const isSize = isHugePages || RESOURCES.includes(resource);
  if (isSize && !SIZES.split(", ").includes(divisor)) {
    const detail = `only divisor's values ${SIZES} are supported with the ${what} resource`;
    errors.push(invalid(at, resource, detail));
  }
  return errors;
}
