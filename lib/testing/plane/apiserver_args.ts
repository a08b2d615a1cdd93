import { join } from "node:path";
import { AUDIT_POLICY_METADATA } from "./audit_log.ts";
import type { CertificateAuthority, PemPair, SigningKey } from "@xca/apimachinery/pki";

/**
 * The keys and certificates of a kube-apiserver for tests, which {@linkcode writeApiserverFiles}
 * writes.
 */
export interface ApiserverKeys {
  /** The certificate authority of the client certificates, and of the serving certificate. */
  readonly ca: CertificateAuthority;
  /** The serving certificate of the kube-apiserver. */
  readonly serving: PemPair;
  /** The key pair with which the kube-apiserver signs and verifies service account tokens. */
  readonly serviceAccount: SigningKey;
}

/**
 * Writes the certificate and key files of a kube-apiserver into `folder`, and `audit-policy.yaml`
 * unless `audit` is false or empty: the text of a policy, or `true` for {@linkcode
 * AUDIT_POLICY_METADATA}. Only the owner can read the files. Synchronous, so that a crash between
 * making the folder and starting the first program leaves no folder behind.
 */
export function writeApiserverFiles(
  folder: string,
  keys: ApiserverKeys,
  audit: boolean | string,
): void {
  const write = (name: string, text: string): void =>
    Deno.writeTextFileSync(join(folder, name), text, { mode: 0o600 });
  write("ca.crt", keys.ca.cert);
  write("ca.key", keys.ca.pair.key);
  write("serving.crt", keys.serving.cert);
  write("serving.key", keys.serving.key);
  write("service-account.key", keys.serviceAccount.privateKey);
  write("service-account.pub", keys.serviceAccount.publicKey);
  if (audit) write("audit-policy.yaml", audit === true ? AUDIT_POLICY_METADATA : audit);
}

/**
 * Options for {@linkcode apiserverArgs}, which returns the arguments of a kube-apiserver for tests.
 */
export interface ApiserverArgsOptions {
  /**
   * The folder with the files of {@linkcode writeApiserverFiles}, which receives the
   * kube-apiserver's logs too.
   */
  readonly folder: string;
  /** The port of the kube-apiserver, at 127.0.0.1. */
  readonly port: number;
  /** The URL of the kube-apiserver's etcd. */
  readonly etcdUrl: string;
  /** Sets whether the kube-apiserver writes an audit log, `audit.log` in `folder`. */
  readonly audited: boolean;
  /**
   * Further flags of the kube-apiserver, as `--name=value`; each replaces a default flag of the
   * same name.
   */
  readonly flags: readonly string[];
}

/**
 * Returns the command line arguments of a kube-apiserver for tests: those of loopback, RBAC, no
 * anonymous requests and no ServiceAccount admission, then `flags`.
 */
export function apiserverArgs(options: ApiserverArgsOptions): string[] {
  const { folder, port, etcdUrl, audited, flags } = options;
  const ours = [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    "--advertise-address=127.0.0.1",
    // The reconciler would report every few seconds that 127.0.0.1 is not a valid endpoint.
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
    // The plugin would reject pods until a controller has created the service account of the
    // namespace.
    "--disable-admission-plugins=ServiceAccount",
    "--allow-privileged=true",
    "--profiling=false",
  ];
  if (audited) {
    ours.push(
      `--audit-policy-file=${join(folder, "audit-policy.yaml")}`,
      `--audit-log-path=${join(folder, "audit.log")}`,
      "--audit-log-mode=blocking-strict",
      // In megabytes; large enough that the log is never rotated during a test.
      "--audit-log-maxsize=100000",
    );
  }
  const replaced = new Set(flags.map(flagName));
  return [...ours.filter((flag) => !replaced.has(flagName(flag))), ...flags];
}

function flagName(flag: string): string {
  return flag.split("=", 1)[0]!;
}
