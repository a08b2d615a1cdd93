import { join } from "node:path";
import { AUDIT_POLICY_METADATA } from "./audit_log.ts";
import type { CertificateAuthority, PemPair, SigningKey } from "@xca/apimachinery/pki";

/** The keys and certificates that a kube-apiserver starts with. */
export interface ApiserverKeys {
  /** Signs client certificates. */
  readonly ca: CertificateAuthority;
  /** What the server shows. */
  readonly serving: PemPair;
  /** Signs service account tokens. */
  readonly serviceAccount: SigningKey;
}

/**
 * Writes the files that {@linkcode apiserverArgs} names into `folder`. Synchronous, so that no
 * folder is left behind by a crash between making it and starting the first program.
 */
export function writeApiserverFiles(
  folder: string,
  keys: ApiserverKeys,
  audit: boolean | string,
): void {
  const write = (name: string, text: string): void =>
    Deno.writeTextFileSync(join(folder, name), text, { mode: 0o600 });
  write("ca.crt", keys.ca.cert);
  write("serving.crt", keys.serving.cert);
  write("serving.key", keys.serving.key);
  write("service-account.key", keys.serviceAccount.privateKey);
  write("service-account.pub", keys.serviceAccount.publicKey);
  if (audit) write("audit-policy.yaml", audit === true ? AUDIT_POLICY_METADATA : audit);
}

/** What {@linkcode apiserverArgs} needs to know. */
export interface ApiserverArgsOptions {
  /** The folder with the files of {@linkcode writeApiserverFiles}; the logs go there too. */
  readonly folder: string;
  /** The port on 127.0.0.1 to serve on. */
  readonly port: number;
  /** etcd's address. */
  readonly etcdUrl: string;
  /** Whether to keep an audit log. */
  readonly audited: boolean;
  /** More flags; one of them takes the place of ours of the same name. */
  readonly flags: readonly string[];
}

/** The arguments of a kube-apiserver for tests. */
export function apiserverArgs(options: ApiserverArgsOptions): string[] {
  const { folder, port, etcdUrl, audited, flags } = options;
  const ours = [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    "--advertise-address=127.0.0.1",
    // It would report every few seconds that 127.0.0.1 is no endpoint for other machines.
    "--endpoint-reconciler-type=none",
    `--cert-dir=${folder}`,
    `--tls-cert-file=${join(folder, "serving.crt")}`,
    `--tls-private-key-file=${join(folder, "serving.key")}`,
    `--client-ca-file=${join(folder, "ca.crt")}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${join(folder, "service-account.pub")}`,
    `--service-account-signing-key-file=${join(folder, "service-account.key")}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--authorization-mode=Node,RBAC",
    "--anonymous-auth=false",
    // It refuses every pod until a controller has made the namespace's service account.
    "--disable-admission-plugins=ServiceAccount",
    "--allow-privileged=true",
    "--profiling=false",
  ];
  if (audited) {
    ours.push(
      `--audit-policy-file=${join(folder, "audit-policy.yaml")}`,
      `--audit-log-path=${join(folder, "audit.log")}`,
      "--audit-log-mode=blocking-strict",
      // In megabytes: one file, however long the test.
      "--audit-log-maxsize=100000",
    );
  }
  const replaced = new Set(flags.map(flagName));
  return [...ours.filter((flag) => !replaced.has(flagName(flag))), ...flags];
}

function flagName(flag: string): string {
  return flag.split("=", 1)[0]!;
}
