import { createPrivateKey } from "node:crypto";
import { ADMISSION_PLUGINS } from "./admission/chain.ts";
import { API_SERVER_CONTROLLERS } from "./controllers/controllers.ts";
import { unknownName } from "@xca/apimachinery/internal/base";
import { parseCidr } from "@xca/apimachinery/internal/validation";

/** The default address range of Services, as CIDR. */
export const SERVICE_CIDR = "10.0.0.0/24";
/** The default node port range of Services, both ends included. */
export const NODE_PORTS: { readonly first: number; readonly last: number } = {
  first: 30000,
  last: 32767,
};

/** The options of `ApiServer.start` whose values can be invalid. */
interface StartOptions {
  readonly data?: string;
  readonly controllers?: boolean | readonly string[];
  readonly serviceCidr?: string;
  readonly serviceAccountKey?: string;
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  readonly nodePorts?: { readonly first: number; readonly last: number };
}

/**
 * Throws an error if an option of `ApiServer.start` is invalid.
 *
 * @throws {RangeError} When an option is invalid; the message names the option and its valid
 *   values.
 */
export function checkStartOptions(options: StartOptions): void {
  const { controllers = true, serviceCidr, serviceAccountKey, nodePorts } = options;
  if (options.data === "") refuse("data", "the path of a file", "");
  const list = typeof controllers === "boolean" ? [] : controllers;
  const unknown = unknownName(list, API_SERVER_CONTROLLERS);
  if (unknown !== undefined) {
    refuse("controllers", `of ${API_SERVER_CONTROLLERS.join(", ")}, or *`, unknown);
  }
  checkPlugins("enableAdmissionPlugins", options.enableAdmissionPlugins);
  checkPlugins("disableAdmissionPlugins", options.disableAdmissionPlugins);
  if (serviceCidr !== undefined && !parseCidr(serviceCidr)) {
    refuse("serviceCidr", "a range of addresses, as 10.0.0.0/24", serviceCidr);
  }
  if (serviceAccountKey !== undefined) checkKey(serviceAccountKey);
  if (nodePorts === undefined) return;
  const { first, last } = nodePorts;
  const fits = Number.isInteger(first) && Number.isInteger(last) && first >= 1 && last >= first;
  if (!fits || last > 65535) refuse("nodePorts", "from 1 to 65535", `${first} to ${last}`);
}

function refuse(option: string, wanted: string, given: string): never {
  const text = `Cannot start the API server: ${option} must be ${wanted}, is `;
  throw new RangeError(text + JSON.stringify(given));
}

function checkPlugins(option: string, names: readonly string[] = []): void {
  const unknown = names.find((name) => !ADMISSION_PLUGINS.includes(name));
  if (unknown !== undefined) refuse(option, `of ${ADMISSION_PLUGINS.join(", ")}`, unknown);
}

function checkKey(pem: string): void {
  try {
    createPrivateKey(pem);
  } catch (cause) {
    const text = "Cannot start the API server: serviceAccountKey must be a private key in PEM";
    throw new RangeError(text, { cause });
  }
}

/**
 * Returns the values of kube-apiserver's flags that `/flagz` shows, by name without dashes: the
 * options of `ApiServer.start` that are flags, with their defaults, and `authorization-mode`.
 */
export function flagsOf(options: StartOptions): Readonly<Record<string, string>> {
  const { serviceCidr = SERVICE_CIDR, nodePorts: { first, last } = NODE_PORTS } = options;
  const { enableAdmissionPlugins: on = [], disableAdmissionPlugins: off = [] } = options;
  return {
    "authorization-mode": "[Node,RBAC]",
    "disable-admission-plugins": `[${off.join(",")}]`,
    "enable-admission-plugins": `[${on.join(",")}]`,
    "service-cluster-ip-range": serviceCidr,
    "service-node-port-range": `${first}-${last}`,
  };
}
