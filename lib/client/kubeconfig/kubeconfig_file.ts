import { posix, win32 } from "node:path";
import { quoted, refused } from "../config/config_place.ts";
import type { ClusterEntry, ContextEntry, Kubeconfig, UserEntry } from "./kubeconfig.ts";
import {
  readAuthProvider,
  readExec,
  readExecExtension,
  readExtensions,
} from "./kubeconfig_exec.ts";
import { KubeconfigNode } from "./kubeconfig_node.ts";

/**
 * Parses a kubeconfig file and returns its content. Types are checked as kubectl checks them:
 * unknown fields and missing sections are accepted, wrong types and repeated names are not.
 * {@linkcode resolveConnection} checks the values later, for the selected context alone. A file
 * without a document is an empty configuration.
 *
 * @throws {ConfigError} When the file is not a kubeconfig.
 */
export async function parseKubeconfig(
  bytes: Uint8Array,
  path: string,
  os: string,
): Promise<Kubeconfig> {
  const folder = (os === "windows" ? win32 : posix).dirname(path);
  // Imported on demand: a program in a cluster reads no kubeconfig. The module imports the parts of
  // js-yaml that it uses, so that a bundler leaves out the others.
  const { parseKubeconfigYaml } = await import("./kubeconfig_yaml.ts");
  const root = new KubeconfigNode(parseKubeconfigYaml(bytes, path), "", { path, folder });
  expectWord(root.get("apiVersion"), "v1");
  expectWord(root.get("kind"), "Config");
  const preferences = root.get("preferences");
  preferences.get("colors").flag();
  for (const any of [root, preferences]) readExtensions(any.get("extensions"));
  return {
    currentContext: root.get("current-context").text(),
    contexts: named(root.get("contexts"), (entry) => readContext(entry, path)),
    clusters: named(root.get("clusters"), readCluster),
    users: named(root.get("users"), readUser),
  };
}

function expectWord(node: KubeconfigNode, word: string): void {
  const { value, place } = node.text();
  if (value === "" || value === word) return;
  throw refused(place, `it is ${quoted(value)}, not "${word}"`, "is this a kubeconfig file?");
}

function named<T>(list: KubeconfigNode, read: (entry: KubeconfigNode) => T): Map<string, T> {
  const entries = new Map<string, T>();
  for (const entry of list.items()) {
    const name = entry.get("name").text().value;
    if (entries.has(name)) {
      throw refused(entry.place, "the name occurs twice", "rename or remove one of the two");
    }
    entries.set(name, read(entry));
  }
  return entries;
}

function readContext(entry: KubeconfigNode, file: string): ContextEntry {
  const context = entry.get("context");
  readExtensions(context.get("extensions"));
  return {
    place: entry.place,
    file,
    cluster: context.get("cluster").text(),
    user: context.get("user").text(),
    namespace: context.get("namespace").text(),
  };
}

function readCluster(entry: KubeconfigNode): ClusterEntry {
  const cluster = entry.get("cluster");
  return {
    place: entry.place,
    server: cluster.get("server").text(),
    certificateAuthority: cluster.get("certificate-authority").text(),
    certificateAuthorityData: cluster.get("certificate-authority-data").text(),
    insecureSkipTlsVerify: cluster.get("insecure-skip-tls-verify").flag(),
    disableCompression: cluster.get("disable-compression").flag(),
    tlsServerName: cluster.get("tls-server-name").text(),
    proxyUrl: cluster.get("proxy-url").text(),
    execExtension: readExecExtension(cluster.get("extensions")),
  };
}

function readUser(entry: KubeconfigNode): UserEntry {
  const user = entry.get("user");
  const extra = user.get("as-user-extra");
  readExtensions(user.get("extensions"));
  return {
    place: entry.place,
    clientCertificate: user.get("client-certificate").text(),
    clientCertificateData: user.get("client-certificate-data").text(),
    clientKey: user.get("client-key").text(),
    clientKeyData: user.get("client-key-data").text(),
    token: user.get("token").text(),
    tokenFile: user.get("tokenFile").text(),
    username: user.get("username").text(),
    password: user.get("password").text(),
    as: user.get("as").text(),
    asUid: user.get("as-uid").text(),
    asGroups: user.get("as-groups").texts(),
    asUserExtra: extra.sourced(
      Object.fromEntries(extra.entries().map(([key, values]) => [key, values.texts().value])),
    ),
    exec: readExec(user.get("exec")),
    authProvider: readAuthProvider(user.get("auth-provider")),
  };
}
