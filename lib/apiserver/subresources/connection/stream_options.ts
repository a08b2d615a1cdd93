// Mirrors `endpoints/handlers/get.go, getRequestOptions`.
import { badRequest } from "@xca/apimachinery/internal/errors";
import { booleanParameter, goQuote } from "@xca/apimachinery/internal/values";
import type { ConnectOptions } from "../../machinery/endpoint.ts";

/** The largest port number. */
const MAX_PORT = 65_535;

/** The options of a connection to a container: `PodExecOptions` or `PodAttachOptions`. */
export interface StreamOptions extends ConnectOptions {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
  /** The command to run, word by word, in `PodExecOptions` only; `null` for none. */
  readonly command?: readonly string[] | null;
}

/** The options of a connection to ports of a pod: `PodPortForwardOptions`. */
export interface PortForwardOptions extends ConnectOptions {
  readonly ports?: readonly number[];
}

/** Returns the options in the query of a request for `pods/exec` or `pods/attach`. */
export function streamOptions(
  query: URLSearchParams,
  kind: "PodExecOptions" | "PodAttachOptions",
): StreamOptions {
  const container = query.get("container") ?? "";
  const command = query.getAll("command");
  return {
    kind,
    apiVersion: "v1",
    ...(booleanParameter(query, "stdin") && { stdin: true }),
    ...(booleanParameter(query, "stdout") && { stdout: true }),
    ...(booleanParameter(query, "stderr") && { stderr: true }),
    ...(booleanParameter(query, "tty") && { tty: true }),
    ...(container !== "" && { container }),
    ...(kind === "PodExecOptions" && { command: command.length > 0 ? command : null }),
  };
}

/**
 * Returns the options in the query of a request for `pods/portforward`.
 *
 * @throws {StatusError} 400 if a port is not a number from 0 to 65,535.
 */
export function portForwardOptions(query: URLSearchParams): PortForwardOptions {
  const ports = query.getAll("ports").flatMap((each) => each.split(",")).map(portOf);
  return {
    kind: "PodPortForwardOptions",
    apiVersion: "v1",
    ...(ports.length > 0 && { ports }),
  };
}

/**
 * Parses a port number (`apis/meta/v1/conversion.go`, `Convert_Slice_string_To_Slice_int32`).
 *
 * @throws {StatusError} 400 if it is not a number from 0 to 65,535.
 */
function portOf(text: string): number {
  const isNumber = /^\d+$/.test(text);
  if (isNumber && Number(text) <= MAX_PORT) return Number(text);
  const why = isNumber ? "value out of range" : "invalid syntax";
  throw badRequest(
    `cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: ${why}`,
  );
}
