import { posix, win32 } from "node:path";
import type { ConfigOverrides } from "../config/config.ts";
import { namesText, quoted, refused } from "../config/config_place.ts";

/** The part of the options that says which programs may run. */
export type PluginPolicyOptions = Pick<
  ConfigOverrides,
  "credentialPluginPolicy" | "credentialPluginAllowlist"
>;

/**
 * Checks that a policy means what somebody meant: a list without the policy for it, or the policy
 * without its list, is a slip that must not open or close a door unseen.
 *
 * @throws {ConfigError} When policy and list do not fit each other.
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
      `${quoted(String(policy))} is no policy`,
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
    `${quoted(name)} is neither a program's name nor an absolute path without detours`,
    "write one of the two",
  );
}

/**
 * Refuses a program that may not run.
 *
 * @throws {ConfigError} When the policy does not allow it.
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
