import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach } from "@xca/apimachinery/internal/validation";
import { httpHeaderNameProblems } from "../../../validation/identifiers.ts";
import { validateNonnegative } from "../../../validation/numbers.ts";
import { portNameProblems, portNumberProblems } from "../../../validation/ports.ts";
import type { Container, Probe } from "../common/pod_types.ts";

type Lifecycle = NonNullable<Container["lifecycle"]>;
type Handler = Probe & NonNullable<Lifecycle["preStop"]>;
type HttpGet = NonNullable<Probe["httpGet"]>;

/** Validates the port of a probe or hook: a number or a name. */
function validatePort(port: number | string | undefined, path: FieldPath): FieldError[] {
  return typeof port === "string"
    ? invalidForEach(path, port, portNameProblems(port))
    : invalidForEach(path, port ?? 0, portNumberProblems(port ?? 0));
}

/**
 * Validates the lifecycle hooks of a container (`core/validation/validation.go`,
 * `validateLifecycle`); `gracePeriod` is the termination grace period of the pod in seconds.
 */
export function validateLifecycle(
  { postStart, preStop }: Lifecycle,
  gracePeriod: number | undefined,
  path: FieldPath,
): FieldError[] {
  return [
    ...postStart ? validateHandler(postStart, gracePeriod, path.child("postStart")) : [],
    ...preStop ? validateHandler(preStop, gracePeriod, path.child("preStop")) : [],
  ];
}

/**
 * Validates the startup, liveness and readiness probes of a container; `gracePeriod` is the
 * termination grace period of the pod in seconds.
 */
export function validateProbes(
  { livenessProbe, readinessProbe, startupProbe }: Container,
  gracePeriod: number | undefined,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateSingleSuccess(livenessProbe, gracePeriod, path.child("livenessProbe")),
    ...validateReadiness(readinessProbe, gracePeriod, path.child("readinessProbe")),
    ...validateSingleSuccess(startupProbe, gracePeriod, path.child("startupProbe")),
  ];
}

function validateSingleSuccess(
  probe: Probe | undefined,
  gracePeriod: number | undefined,
  path: FieldPath,
): FieldError[] {
  if (!probe) return [];
  const errors = validateProbe(probe, gracePeriod, path);
  if (probe.successThreshold !== 1) {
    errors.push(invalid(path.child("successThreshold"), probe.successThreshold ?? 0, "must be 1"));
  }
  return errors;
}

function validateReadiness(
  probe: Probe | undefined,
  gracePeriod: number | undefined,
  path: FieldPath,
): FieldError[] {
  if (!probe) return [];
  const errors = validateProbe(probe, gracePeriod, path);
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined) {
    const at = path.child("terminationGracePeriodSeconds");
    errors.push(invalid(at, seconds, "must not be set for readinessProbes"));
  }
  return errors;
}

function validateProbe(
  probe: Probe,
  gracePeriod: number | undefined,
  path: FieldPath,
): FieldError[] {
  const numbers = [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ] as const;
  const errors = [
    ...validateHandler(probe, gracePeriod, path),
    ...numbers.flatMap((field) => validateNonnegative(probe[field] ?? 0, path.child(field))),
  ];
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    const at = path.child("terminationGracePeriodSeconds");
    errors.push(invalid(at, seconds, "must be greater than 0"));
  }
  return errors;
}

/**
 * Checks that a probe or lifecycle hook has exactly one handler, and validates the handler. Returns
 * the field errors.
 */
function validateHandler(
  handler: Handler,
  gracePeriod: number | undefined,
  path: FieldPath,
): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const ways: [string, () => FieldError[]][] = [];
  if (exec) {
    const missing = (exec.command ?? []).length === 0;
    ways.push(["exec", () => missing ? [required(path.child("exec", "command"))] : []]);
  }
  if (httpGet) ways.push(["httpGet", () => validateHttpGet(httpGet, path.child("httpGet"))]);
  if (tcpSocket) {
    ways.push(["tcpSocket", () => validatePort(tcpSocket.port, path.child("tcpSocket", "port"))]);
  }
  if (grpc) ways.push(["grpc", () => validatePort(grpc.port, path.child("grpc", "port"))]);
  if (sleep) {
    ways.push(["sleep", () => validateSleep(sleep.seconds ?? 0, gracePeriod, path.child("sleep"))]);
  }
  const [first, ...more] = ways;
  if (!first) return [required(path, "must specify a handler type")];
  const detail = "may not specify more than 1 handler type";
  return [...first[1](), ...more.map(([way]) => forbiddenField(path.child(way), detail))];
}

function validateHttpGet(get: HttpGet, path: FieldPath): FieldError[] {
  const { path: urlPath, port, scheme = "", httpHeaders = [] } = get;
  const schemes = ["HTTP", "HTTPS"];
  return [
    ...urlPath ? [] : [required(path.child("path"))],
    ...validatePort(port, path.child("port")),
    ...schemes.includes(scheme) ? [] : [notSupported(path.child("scheme"), scheme, schemes)],
    ...httpHeaders.flatMap(({ name = "" }) =>
      invalidForEach(path.child("httpHeaders"), name, httpHeaderNameProblems(name))
    ),
  ];
}

function validateSleep(
  seconds: number,
  gracePeriod: number | undefined,
  path: FieldPath,
): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const detail =
    `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(path, seconds, detail)];
}
