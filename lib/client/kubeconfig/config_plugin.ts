import { posix, win32 } from "node:path";
import type { Host } from "@xca/apimachinery/base";
import { resolvePath } from "../config/config_material.ts";
import { quoted, refused, type Sourced } from "../config/config_place.ts";
import type { ClusterEntry, ExecEntry, UserEntry } from "./kubeconfig.ts";
import {
  type AuthProviderConfig,
  EXEC_API_VERSIONS,
  type ExecApiVersion,
  type ExecConfig,
  type InteractiveMode,
} from "../config/plugin_config.ts";
import { allowPlugin, type PluginPolicyOptions } from "./plugin_policy.ts";

/**
 * The parameters, in addition to the kubeconfig user, by which the user's credential plugin is
 * checked and configured.
 */
export interface PluginSurroundings {
  /** The kubeconfig cluster, which may be passed to the credential plugin. */
  readonly cluster: ClusterEntry;
  /** The policy that decides which credential plugins may run. */
  readonly policy: PluginPolicyOptions;
  /** Reports whether this process runs in a pod. */
  readonly inCluster: () => Promise<boolean>;
  /** The interface to the operating system on which the credential plugin runs. */
  readonly host: Host;
}

const MODES: readonly InteractiveMode[] = ["Never", "IfAvailable", "Always"];

/**
 * Returns the credential plugin or the legacy login of a kubeconfig user, after the checks that
 * kubectl makes before it runs a plugin; an empty object when the user has neither.
 *
 * @throws {ConfigError} When a field is missing or invalid, the user has both, or the policy does
 * not allow the plugin or login.
 */
export async function resolvePlugin(
  user: UserEntry,
  surroundings: PluginSurroundings,
): Promise<{ readonly exec?: ExecConfig; readonly authProvider?: AuthProviderConfig }> {
  const { exec, authProvider } = user;
  if (exec.value && authProvider.value) {
    throw refused(exec.place, `${authProvider.place} is set too`, "keep one of the two");
  }
  const { policy, inCluster } = surroundings;
  if (exec.value) {
    const config = execConfig(exec as Sourced<ExecEntry>, surroundings);
    allowPlugin({ place: exec.place, command: config.command }, policy, await inCluster());
    return { exec: config };
  }
  if (authProvider.value) {
    const { name, config } = authProvider.value;
    if (name.value === "") throw refused(authProvider.place, "it has no name", "set its name");
    const command = config["cmd-path"];
    allowPlugin({ place: authProvider.place, command }, policy, await inCluster());
    if (policy.credentialPluginPolicy === "Allowlist") checkShellText(config, authProvider.place);
    return { authProvider: { name: name.value, config, place: authProvider.place } };
  }
  return {};
}

/**
 * Throws a ConfigError when the command of a legacy login contains shell syntax. A shell runs such
 * a command, and could start programs that are not on the allow-list.
 */
function checkShellText(config: Readonly<Record<string, string>>, place: string): void {
  const text = `${config["cmd-path"] ?? ""} ${config["cmd-args"] ?? ""}`;
  if (/^[\w@%+=:,./\\ -]*$/.test(text)) return;
  throw refused(
    place,
    "a shell runs its command, whose cmd-path or cmd-args have characters that are special to a shell",
    'use an exec plugin, or set credentialPluginPolicy to "AllowAll" if you trust it',
  );
}

function execConfig(
  { value: entry, place }: Sourced<ExecEntry>,
  { cluster, host }: PluginSurroundings,
): ExecConfig {
  const { command, args, env, installHint, provideClusterInfo } = entry;
  if (command.value === "") throw refused(place, "it has no command", "name the program to run");
  const apiVersion = checkedVersion(entry.apiVersion);
  const nameless = env.find(({ name }) => name.value === "");
  if (nameless) throw refused(nameless.name.place, "the variable has no name", "name it");
  return {
    apiVersion,
    command: resolveCommand(command, host),
    interactiveMode: checkedMode(entry.interactiveMode, apiVersion),
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0
      ? {}
      : { env: env.map(({ name, value }) => ({ name: name.value, value })) }),
    ...(installHint === "" ? {} : { installHint }),
    ...(provideClusterInfo ? { provideClusterInfo } : {}),
    ...(provideClusterInfo && cluster.execExtension.value !== undefined
      ? { clusterConfig: cluster.execExtension.value }
      : {}),
    place,
  };
}

function checkedVersion({ value, place }: Sourced<string>): ExecApiVersion {
  const known = EXEC_API_VERSIONS.find((version) => version === value);
  if (known) return known;
  throw refused(
    place,
    value === "" ? "it is not set" : `${quoted(value)} is not a version that kubectl supports`,
    `write ${EXEC_API_VERSIONS.join(" or ")}, as the plugin's documentation says`,
  );
}

function checkedMode({ value, place }: Sourced<string>, version: ExecApiVersion): InteractiveMode {
  const known = MODES.find((mode) => mode === value);
  if (known) return known;
  if (value === "" && version.endsWith("/v1beta1")) return "IfAvailable";
  throw refused(
    place,
    value === "" ? `it is not set, as ${version} needs` : `${quoted(value)} is not a mode`,
    `write ${MODES.join(", ")}: may the plugin ask the person at the terminal?`,
  );
}

/**
 * Returns the command of a credential plugin to run, as kubectl resolves it: a relative path that
 * contains a separator starts at the folder of the kubeconfig, and is made absolute if the working
 * folder is known; a command without a separator is a name to look up on `PATH`.
 */
function resolveCommand(command: Sourced<string>, host: Host): string {
  const path = host.os === "windows" ? win32 : posix;
  if (!command.value.includes(path.sep)) return command.value;
  const resolved = resolvePath(command, host.os);
  if (path.isAbsolute(resolved)) return resolved;
  const folder = host.cwd?.();
  if (folder !== undefined) return path.join(folder, resolved);
  // `./plugin` beside `./config` must not become a name that is looked up on PATH.
  return resolved.includes(path.sep) ? resolved : `.${path.sep}${resolved}`;
}
