import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsSubdomainProblems,
  invalidForEach,
} from "@xca/apimachinery/internal/validation";
import { type Container, containersOf, type PodSpec } from "../common/pod_types.ts";

type Options = NonNullable<NonNullable<Container["securityContext"]>["windowsOptions"]>;

const MAX_SPEC_KIB = 64;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);

/**
 * Validates the Windows options of a container's or pod's security context
 * (`core/validation/validation.go`, `validateWindowsSecurityContextOptions`).
 */
export function validateWindowsOptions(
  options: Options | undefined,
  path: FieldPath,
): FieldError[] {
  if (!options) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  const errors: FieldError[] = [];
  if (name !== undefined) {
    const at = path.child("gmsaCredentialSpecName");
    errors.push(...invalidForEach(at, name, dnsSubdomainProblems(name)));
  }
  if (spec !== undefined) {
    const at = path.child("gmsaCredentialSpec");
    if (spec === "") errors.push(invalid(at, spec, "gmsaCredentialSpec cannot be an empty string"));
    else if (byteLength(spec) > MAX_SPEC_KIB * 1024) {
      errors.push(invalid(at, spec, `gmsaCredentialSpec size must be under ${MAX_SPEC_KIB} KiB`));
    }
  }
  if (user !== undefined) {
    errors.push(...invalidForEach(path.child("runAsUserName"), user, userNameProblems(user)));
  }
  return errors;
}

function userNameProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  // deno-lint-ignore no-control-regex -- it finds control characters.
  if (/[\x00-\x1f\x7f]/.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1)!;
  const domain = parts.length === 2 ? parts[0]! : undefined;
  const problems: string[] = [];
  if (domain !== undefined && byteLength(domain) >= 256) {
    problems.push("runAsUserName's Domain length must be under 256 characters");
  }
  if (domain !== undefined && !NET_BIOS.test(domain) && !DNS_DOMAIN.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > 104) {
    problems.push("runAsUserName's User length must not be longer than 104 characters");
  }
  if (/^[. ]+$/.test(user)) {
    problems.push("runAsUserName's User cannot contain only periods or spaces");
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(
      "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]",
    );
  }
  return problems;
}

/**
 * Checks the host process containers of a Windows pod: either all containers or none are host
 * processes, and a pod with host processes uses the network of its host. Returns the field errors.
 */
export function validateHostProcesses(spec: PodSpec, path: FieldPath): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  let containers = 0;
  let hostProcesses = 0;
  for (const [container, at] of containersOf(spec, path)) {
    containers++;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      const where = at.child("securityContext", "windowsOptions", "hostProcess");
      errors.push(invalid(where, own, detail));
    }
    if (own ?? ofPod) hostProcesses++;
  }
  if (hostProcesses === 0) return errors;
  if (hostProcesses !== containers) {
    const detail = "If pod contains any hostProcess containers then all containers must be " +
      "HostProcess containers";
    errors.push(invalid(path, "", detail));
  }
  if (!spec.hostNetwork) {
    const detail = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.push(invalid(path.child("hostNetwork"), false, detail));
  }
  return errors;
}

/**
 * The fields that a Windows pod cannot have, in the order of kube-apiserver, each with a boolean
 * that is true if the field belongs to the pod's security context.
 */
const POD_FIELDS: readonly (readonly [inSecurityContext: boolean, field: string])[] = [
  [true, "appArmorProfile"],
  [true, "seLinuxOptions"],
  [true, "seccompProfile"],
  [true, "fsGroup"],
  [true, "fsGroupChangePolicy"],
  [true, "sysctls"],
  [true, "runAsUser"],
  [true, "runAsGroup"],
  [true, "supplementalGroups"],
  [true, "supplementalGroupsPolicy"],
  [true, "seLinuxChangePolicy"],
  [false, "hostUsers"],
  [false, "hostPID"],
  [false, "hostIPC"],
  [false, "shareProcessNamespace"],
];

const CONTAINER_FIELDS = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
] as const;

/**
 * Checks that a pod which names its operating system, Linux or Windows, sets no fields that the
 * system does not support. Returns the field errors.
 */
export function validateForSystem(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.os?.name === "linux") return validateForLinux(spec, path);
  const errors: FieldError[] = [];
  const detail = "cannot be set for a windows pod";
  for (const [inSecurityContext, field] of POD_FIELDS) {
    const holder = (inSecurityContext ? spec.securityContext ?? {} : spec) as Record<
      string,
      unknown
    >;
    const value = holder[field];
    const isSet = field === "hostPID" || field === "hostIPC"
      ? value === true
      : field === "sysctls"
      ? Array.isArray(value) && value.length > 0
      : value !== undefined;
    const at = inSecurityContext ? path.child("securityContext", field) : path.child(field);
    if (isSet) errors.push(forbiddenField(at, detail));
  }
  for (const [{ securityContext }, at] of containersOf(spec, path)) {
    for (const field of CONTAINER_FIELDS) {
      if (securityContext?.[field] === undefined) continue;
      errors.push(forbiddenField(at.child("securityContext", field), detail));
    }
  }
  return errors;
}

function validateForLinux(spec: PodSpec, path: FieldPath): FieldError[] {
  const detail = "windows options cannot be set for a linux pod";
  const holders = [[spec, path] as const, ...containersOf(spec, path)];
  return holders.filter(([{ securityContext }]) => securityContext?.windowsOptions)
    .map(([, at]) => forbiddenField(at.child("securityContext", "windowsOptions"), detail));
}
