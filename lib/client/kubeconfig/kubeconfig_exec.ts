import { refused, type Sourced } from "../config/config_place.ts";
import type { AuthProviderEntry, ExecEntry } from "./kubeconfig.ts";
import type { KubeconfigNode } from "./kubeconfig_node.ts";

/**
 * The name of the extension of a kubeconfig cluster whose content is passed to credential plugins.
 */
const EXTENSION = "client.authentication.k8s.io/exec";

/**
 * Returns the configuration of the credential plugin (field `exec`) of a kubeconfig user. The value
 * is `undefined` when the user has none. The function checks the types of the fields, but not their
 * values, since another user may be selected.
 *
 * @throws {ConfigError} When a field is of a wrong type.
 */
export function readExec(exec: KubeconfigNode): Sourced<ExecEntry | undefined> {
  if (!exec.present) return exec.sourced(undefined);
  return exec.sourced({
    apiVersion: exec.get("apiVersion").text(),
    command: exec.get("command").text(),
    args: exec.get("args").texts().value,
    env: exec.get("env").items().map((item) => ({
      name: item.get("name").text(),
      value: item.get("value").text().value,
    })),
    installHint: exec.get("installHint").text().value,
    provideClusterInfo: exec.get("provideClusterInfo").flag().value,
    interactiveMode: exec.get("interactiveMode").text(),
  });
}

/**
 * Returns the configuration of the legacy login (field `auth-provider`) of a kubeconfig user. The
 * value is `undefined` when the user has none.
 *
 * @throws {ConfigError} When a field is of a wrong type.
 */
export function readAuthProvider(node: KubeconfigNode): Sourced<AuthProviderEntry | undefined> {
  if (!node.present) return node.sourced(undefined);
  const config = Object.fromEntries(
    node.get("config").entries().map(([key, value]) => [key, value.text().value]),
  );
  return node.sourced({ name: node.get("name").text(), config });
}

/**
 * Returns the content of the extension of a kubeconfig cluster that is passed to credential
 * plugins. The value is `undefined` when the cluster has none.
 *
 * @throws {ConfigError} When the extensions are invalid; see {@linkcode readExtensions}.
 */
export function readExecExtension(extensions: KubeconfigNode): Sourced<unknown> {
  const extension = readExtensions(extensions).get(EXTENSION);
  return extension?.sourced(extension.json()) ?? extensions.sourced(undefined);
}

/**
 * Returns the extensions of a kubeconfig entry by name. The extensions belong to other programs,
 * and are checked because kubectl checks them.
 *
 * @throws {ConfigError} When a name occurs twice, or a value is of a wrong type.
 */
export function readExtensions(extensions: KubeconfigNode): Map<string, KubeconfigNode> {
  const named = new Map<string, KubeconfigNode>();
  for (const item of extensions.items()) {
    const name = item.get("name").text().value;
    if (named.has(name)) {
      throw refused(item.place, "the name occurs twice", "remove one of the two");
    }
    named.set(name, item.get("extension"));
  }
  return named;
}
