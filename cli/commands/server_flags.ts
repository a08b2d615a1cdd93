import { type Command, Option } from "@commander-js/extra-typings";
import { flagWord } from "../global_flags.ts";
import { UsageError } from "../usage_error.ts";

/** The flags of `kubectl xca run` for the manager's metrics and health servers. */
export interface ServerFlags {
  readonly metricsBindAddress?: string | undefined;
  readonly metricsSecure?: boolean | undefined;
  readonly metricsCertPath?: string | undefined;
  readonly metricsCertName?: string | undefined;
  readonly metricsCertKey?: string | undefined;
  readonly healthProbeBindAddress?: string | undefined;
}

/** Adds the flags of the metrics and health servers, with kubebuilder's names, to a command. */
export function addServerFlags(command: Command): void {
  command
    .option(
      "--metrics-bind-address <address>",
      "serve /metrics and /debug there: :8443 for HTTPS, :8080 with --metrics-secure=false; 0 does not",
    )
    .option(
      "--metrics-secure",
      "serve metrics over TLS, and only to users whom the cluster allows it; on unless =false",
    )
    .addOption(new Option("--no-metrics-secure").hideHelp())
    .option(
      "--metrics-cert-path <folder>",
      "the folder of the certificate of the metrics server, instead of a self-signed one",
    )
    .option("--metrics-cert-name <file>", "the certificate in that folder, instead of tls.crt")
    .option("--metrics-cert-key <file>", "the private key in that folder, instead of tls.key")
    .option(
      "--health-probe-bind-address <address>",
      "serve /healthz and /readyz there, such as :8081; 0 does not",
    );
}

/**
 * Checks the combination of the flags of the metrics and health servers.
 *
 * @throws {UsageError} When a flag has no effect, or both servers have one address.
 */
export function checkServerFlags(flags: ServerFlags): void {
  const { metricsBindAddress: metrics = "0", healthProbeBindAddress: health } = flags;
  if (metrics !== "0" && metrics === health && !/:0$/.test(metrics)) {
    throw new UsageError(
      `--metrics-bind-address and --health-probe-bind-address are both ${metrics}: give two ports`,
    );
  }
  const { metricsCertPath: path } = flags;
  for (const name of ["metricsCertName", "metricsCertKey"] as const) {
    if (flags[name] === undefined || path) continue;
    throw new UsageError(`${flagWord(name)} is a file of a folder: add --metrics-cert-path`);
  }
  if (path !== undefined && (metrics === "0" || flags.metricsSecure === false)) {
    throw new UsageError(
      "--metrics-cert-path is for a secure metrics server: add --metrics-bind-address, without " +
        "--metrics-secure=false",
    );
  }
}
