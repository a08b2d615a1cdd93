import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import { base64Length, invalidForEach } from "@xca/apimachinery/internal/validation";
import type { V1Secret } from "@xca/apimachinery/kubernetes-types";
import { hasEmptyMap } from "../../machinery/empty_maps.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { configMapKeyProblems } from "../../validation/identifiers.ts";
import { base64Text, toBase64 } from "./base64.ts";
import { IMMUTABLE, MAX_DATA_BYTES } from "./config_map.ts";
import { goJsonObjectProblem } from "../../validation/go_json_problem.ts";
import { sameValue, validateImmutable } from "../../validation/immutable.ts";
import { keyPairProblem } from "./tls_key_pair.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const DATA = FieldPath.of("data");
const ACCOUNT_NAME = "kubernetes.io/service-account.name";

/**
 * The strategy of Secrets, which sets defaults and validates writes (registry/core/secret,
 * `Strategy`).
 */
export const secretStrategy: KindStrategy = typedStrategy<V1Secret>({
  defaults(secret) {
    secret.type ||= "Opaque";
    mergeStringData(secret);
  },
  validateCreate: validate,
  validateChange: (secret, old) => [
    ...validateImmutable(secret.type, old.type, FieldPath.of("type")),
    ...validateFrozen(secret, old),
  ],
  validateUpdate: (secret) => validate(secret),
  warnings({ type, data = {} }) {
    if (type !== "kubernetes.io/tls") return [];
    const problem = keyPairProblem(
      base64Text(data["tls.crt"] ?? ""),
      base64Text(data["tls.key"] ?? ""),
    );
    return problem === undefined ? [] : [problem];
  },
  selectableFields: ({ type = "" }) => ({ type }),
  selectableFieldNames: ["type"],
});

/**
 * Moves the write-only `stringData` of a Secret into `data`, encoded as base64, in place; values of
 * the same keys in `data` are replaced.
 */
function mergeStringData(secret: V1Secret): void {
  const { stringData } = secret;
  delete secret.stringData;
  for (const [key, text] of Object.entries(stringData ?? {})) {
    secret.data ??= {};
    secret.data[key] = toBase64(text);
  }
}

function validate(secret: V1Secret): FieldError[] {
  const data = secret.data ?? {};
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...invalidForEach(DATA.key(key), key, configMapKeyProblems(key)));
    // A value may be null until the object is stored.
    size += base64Length(value ?? "");
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong(DATA, MAX_DATA_BYTES));
  return [...errors, ...validateByType(secret, data)];
}

function validateByType(
  secret: V1Secret,
  data: Readonly<Record<string, string>>,
): FieldError[] {
  switch (secret.type) {
    case "kubernetes.io/service-account-token":
      if (secret.metadata.annotations?.[ACCOUNT_NAME]) return [];
      return [required(FieldPath.of("metadata", "annotations").key(ACCOUNT_NAME))];
    case "kubernetes.io/dockercfg":
      return validateJsonKey(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return validateJsonKey(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      if ("username" in data || "password" in data) return [];
      return requireKeys(data, "username", "password");
    case "kubernetes.io/ssh-auth":
      return data["ssh-privatekey"] ? [] : [required(DATA.key("ssh-privatekey"))];
    case "kubernetes.io/tls":
      return requireKeys(data, "tls.crt", "tls.key");
    default:
      return [];
  }
}

function requireKeys(data: Readonly<Record<string, string>>, ...keys: string[]): FieldError[] {
  return keys.filter((key) => !(key in data)).map((key) => required(DATA.key(key)));
}

function validateJsonKey(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const value = data[key];
  if (value === undefined) return [required(DATA.key(key))];
  const problem = goJsonObjectProblem(base64Text(value ?? ""));
  if (problem === undefined) return [];
  return [invalid(DATA.key(key), "<secret contents redacted>", problem)];
}

function validateFrozen(secret: V1Secret, old: V1Secret): FieldError[] {
  if (!old.immutable) return [];
  const errors: FieldError[] = [];
  if (!secret.immutable) errors.push(forbiddenField(FieldPath.of("immutable"), IMMUTABLE));
  const emptied = old.data === undefined && hasEmptyMap(secret, "data");
  if (emptied || !sameValue(secret.data, old.data)) errors.push(forbiddenField(DATA, IMMUTABLE));
  return errors;
}
