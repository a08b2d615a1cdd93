import { posix, win32 } from "node:path";
import type { ConfigOverrides } from "../config/config.ts";
import { namesText, quoted, refused } from "../config/config_place.ts";

/** The overrides that decide which credential plugins may be run: policy and allow-list. */
export type PluginPolicyOptions = Pick<
  ConfigOverrides,
  "credentialPluginPolicy" | "credentialPluginAllowlist"
>;

/**
 * Checks that the policy and the allow-list of credential plugins are valid and consistent. A list
 * without the policy `Allowlist`, or that policy without a list, is a mistake that would otherwise
 * allow or deny plugins silently.
 *
 * @throws {ConfigError} When the policy or an entry of the allow-list is invalid, or the two are
 * not consistent.
 */
export function checkPluginPolicy(options: PluginPolicyOptions, os: string): void {
  const { credentialPluginPolicy: policy, credentialPluginAllowlist: list } = options;
  if (policy === "Allowlist") {
    if (list === undefined || list.length === 0) {
      throw refused(
        "credentialPluginPolicy",
        'it is "Allowlist", and credentialPluginAllowlist names no plugin',
        'list the plugins that may run, or set "DenyAll"',
      );
    }
    for (const name of list) checkEntry(name, os);
    return;
  }
  if (policy !== undefined && policy !== "AllowAll" && policy !== "DenyAll") {
    throw refused(
      "credentialPluginPolicy",
      `${quoted(String(policy))} is not a policy`,
      "write AllowAll, DenyAll or Allowlist",
    );
  }
  if (list !== undefined) {
    throw refused(
      "credentialPluginAllowlist",
      `the policy is ${quoted(policy ?? "")}, so no list counts`,
      'set credentialPluginPolicy to "Allowlist", or leave the list out',
    );
  }
}

function checkEntry(name: string, os: string): void {
  const path = os === "windows" ? win32 : posix;
  const isPath = name.includes("/") || (os === "windows" && name.includes("\\"));
  if (name !== "" && path.normalize(name) === name && (!isPath || path.isAbsolute(name))) return;
  throw refused(
    "credentialPluginAllowlist",
    `${
      quoted(name)
    } is neither a program's name nor an absolute path in its shortest form, without ., .. and //`,
    "write one of the two",
  );
}

/**
 * Throws a ConfigError unless the policy allows a credential plugin or a legacy login. Without a
 * policy, all are allowed outside of a pod, and none in a pod. The allow-list does not concern a
 * legacy login without a command.
 *
 * @throws {ConfigError} When the plugin or login is not allowed.
 */
export function allowPlugin(
  plugin: { readonly place: string; readonly command: string | undefined },
  options: PluginPolicyOptions,
  inCluster: boolean,
): void {
  const { place, command } = plugin;
  const { credentialPluginPolicy: policy, credentialPluginAllowlist: list = [] } = options;
  if (policy === undefined && inCluster) {
    throw refused(
      place,
      `this runs in a pod, where ${command ? `${quoted(command)} is not run` : "logins are off"}`,
      'use the pod\'s service account, or set credentialPluginPolicy to "Allowlist"',
    );
  }
  if (policy === "DenyAll") {
    throw refused(
      place,
      'credentialPluginPolicy is "DenyAll"',
      "give --token, or a user with a token or a client certificate",
    );
  }
  if (policy !== "Allowlist" || command === undefined || list.includes(command)) return;
  throw refused(
    place,
    `${quoted(command)} is not on credentialPluginAllowlist`,
    `add it there if you trust it; on it are: ${namesText(list)}`,
  );
}
