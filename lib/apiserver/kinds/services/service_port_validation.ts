// Mirrors `core/validation/validation.go, validateServicePort`.
import {
  duplicate,
  type FieldError,
  FieldPath,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  invalidForEach,
  qualifiedNameProblems,
} from "@xca/apimachinery/internal/validation";
import { portNameProblems, portNumberProblems } from "../../validation/ports.ts";
import type { ServicePort, ServiceSpec } from "./service_fields.ts";

/** The protocols that a port of a Service can have. */
export const PORT_PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

/**
 * Validates the ports of a Service one by one (`core/validation/validation.go`, `validateServicePort`).
 */
export function validateServicePorts({ ports = [] }: ServiceSpec): FieldError[] {
  const names = new Set<string>();
  const path = FieldPath.of("spec", "ports");
  return ports.flatMap((port, index) => {
    const errors = validateName(port, ports.length > 1, names, path.index(index));
    return [...errors, ...validatePort(port, path.index(index))];
  });
}

function validateName(
  { name = "" }: ServicePort,
  needed: boolean,
  names: Set<string>,
  path: FieldPath,
): FieldError[] {
  if (name === "") return needed ? [required(path.child("name"))] : [];
  const errors = invalidForEach(path.child("name"), name, dnsLabelProblems(name));
  if (names.has(name)) errors.push(duplicate(path.child("name"), name));
  names.add(name);
  return errors;
}

function validatePort(sent: ServicePort, path: FieldPath): FieldError[] {
  const { port = 0, protocol = "", targetPort, appProtocol } = sent;
  const errors = invalidForEach(path.child("port"), port, portNumberProblems(port));
  if (protocol === "") errors.push(required(path.child("protocol")));
  else if (!PORT_PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(path.child("protocol"), protocol, PORT_PROTOCOLS));
  }
  const target = targetPort as number | string | undefined ?? 0;
  const problems = typeof target === "string"
    ? portNameProblems(target)
    : portNumberProblems(target);
  errors.push(...invalidForEach(path.child("targetPort"), target, problems));
  if (appProtocol !== undefined) {
    const at = path.child("appProtocol");
    errors.push(...invalidForEach(at, appProtocol, qualifiedNameProblems(appProtocol)));
  }
  return errors;
}
