// Mirrors `apps/v1/conversion.go, Convert_v1_DaemonSet_To_apps_DaemonSet`.
import { goQuote } from "@xca/apimachinery/internal/values";
import { UnconvertibleError } from "../../machinery/unconvertible.ts";
import type { Meta } from "../pods/common/pod_types.ts";

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Returns the value of an annotation that is a number in kube-apiserver's internal type, and
 * rewrites the annotation in canonical form, such as `+07` to `7`; `undefined` for an absent
 * annotation.
 *
 * @throws {UnconvertibleError} If the annotation is not a 64-bit integer; `about` is the prefix of
 *   the message.
 */
export function countedAnnotation(
  metadata: Meta,
  name: string,
  kind: string,
  about = "",
): bigint | undefined {
  const { annotations } = metadata;
  const value = annotations?.[name];
  if (value === undefined) return undefined;
  const problem = (why: string) =>
    new UnconvertibleError(
      kind,
      "v1",
      `${about}strconv.ParseInt: parsing ${goQuote(value)}: ${why}`,
    );
  if (!/^[+-]?[0-9]+$/.test(value)) throw problem("invalid syntax");
  const number = BigInt(value.replace("+", ""));
  if (number > MAX_INT64 || number < -MAX_INT64 - 1n) throw problem("value out of range");
  annotations![name] = String(number);
  return number;
}
