import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import type { Host } from "@xca/apimachinery/base";
import { certificateFiles } from "@xca/apimachinery/internal/serving";
import type { CertificateSource } from "@xca/apimachinery/serving";

/** Options of {@linkcode filesCertificate}, which reads a certificate from files. */
export interface FilesCertificateOptions {
  /** The folder of the certificate files, such as the mount path of a Secret's volume. */
  readonly path: string;
  /** The name of the file with the certificate. @default {"tls.crt"} */
  readonly certName?: string | undefined;
  /** The name of the file with the private key. @default {"tls.key"} */
  readonly keyName?: string | undefined;
  /**
   * The name of the file with the certificate authorities, which cert-manager also writes into the
   * folder. A missing file counts as none.
   *
   * @default {"ca.crt"}
   */
  readonly caName?: string | undefined;
  /**
   * The host names and IP addresses by which the API server calls the webhooks; a certificate that
   * is not valid for all of them is refused.
   *
   * @default any
   */
  readonly hosts?: readonly string[] | undefined;
  /** The file system from which the certificate files are read. @default {systemHost} */
  readonly host?: Pick<Host, "readFile"> | undefined;
}

/** The names of all options of {@linkcode filesCertificate}. */
const FILES_OPTIONS: OptionNames<FilesCertificateOptions> = {
  path: true,
  certName: true,
  keyName: true,
  caName: true,
  hosts: true,
  host: true,
};

/**
 * Returns a certificate source that reads the files of a folder, as cert-manager and `kubectl
 * create secret tls` name them. The source reads the files again every ten seconds.
 *
 * @throws {TypeError} When an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { filesCertificate } from "@xca/operator/webhook";
 *
 * const source = filesCertificate({ path: "/tmp/k8s-webhook-server/serving-certs" });
 * assert.equal(source.name, "/tmp/k8s-webhook-server/serving-certs/tls.crt");
 * ```
 */
export function filesCertificate(options: FilesCertificateOptions): CertificateSource {
  checkOptionNames("Cannot serve a certificate of files", options, FILES_OPTIONS);
  const { certName = "tls.crt", keyName = "tls.key", caName = "ca.crt" } = options;
  const folder = options.path.replace(/\/+$/, "");
  const files = {
    certFile: `${folder}/${certName}`,
    keyFile: `${folder}/${keyName}`,
    caFile: `${folder}/${caName}`,
  };
  return certificateFiles(files, { hosts: options.hosts, host: options.host });
}

/** Returns the DNS names of a Service; the API server calls it by the first. */
export function serviceNames(
  { name, namespace }: { readonly name: string; readonly namespace: string },
): readonly string[] {
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}
