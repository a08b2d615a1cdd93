import { badRequest } from "../../machinery/status_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import type { Meta } from "../pods/pod_types.ts";

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * An annotation that is a number inside the real server, which so cannot take anything else. An absent
 * one is `undefined`; the number is written as numbers are.
 *
 * @throws {StatusError} 400 when it is no 64 bit integer; `about` makes the message of the problem.
 */
export function countedAnnotation(
  metadata: Meta,
  name: string,
  about: (problem: string) => string,
): bigint | undefined {
  const { annotations } = metadata;
  const value = annotations?.[name];
  if (value === undefined) return undefined;
  const problem = (why: string) =>
    badRequest(about(`strconv.ParseInt: parsing ${goQuote(value)}: ${why}`));
  if (!/^[+-]?[0-9]+$/.test(value)) throw problem("invalid syntax");
  const number = BigInt(value.replace("+", ""));
  if (number > MAX_INT64 || number < -MAX_INT64 - 1n) throw problem("value out of range");
  annotations![name] = String(number);
  return number;
}
