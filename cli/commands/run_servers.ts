import { errorText } from "@xca/apimachinery/base";
import {
  type ManagerMetrics,
  managerMetrics,
  type ManagerOptions,
  parseBindAddress,
} from "../../lib/manager/mod.ts";
import type { CliContext } from "../context.ts";
import { flagWord } from "../global_flags.ts";
import { UsageError } from "../usage_error.ts";
import type { ServerFlags } from "./server_flags.ts";

/**
 * Returns new metrics for the metrics server of `kubectl xca run`; `undefined` unless a flag gives
 * it an address to listen on.
 *
 * @throws {UsageError} When the address of the metrics server or of the health server is invalid.
 */
export function servedMetrics(flags: ServerFlags): ManagerMetrics | undefined {
  checkAddress(flags, "healthProbeBindAddress");
  return checkAddress(flags, "metricsBindAddress") ? managerMetrics() : undefined;
}

/**
 * Reports whether a flag of `kubectl xca run` has an address for a server to listen on; false if
 * the flag is absent or `0`.
 *
 * @throws {UsageError} When the address is invalid.
 */
function checkAddress(
  flags: ServerFlags,
  name: "metricsBindAddress" | "healthProbeBindAddress",
): boolean {
  try {
    return parseBindAddress(flags[name] ?? "0") !== undefined;
  } catch (error) {
    throw new UsageError(`${flagWord(name)}: ${errorText(error)}`, { cause: error });
  }
}

/**
 * Returns the manager options for the metrics and health servers; `undefined` for a server that the
 * flags of `kubectl xca run` do not enable.
 */
export function serverOptions(
  flags: ServerFlags,
  metrics: ManagerMetrics | undefined,
  { host }: CliContext,
): Pick<ManagerOptions, "metricsServer" | "healthServer"> {
  const { metricsBindAddress = "0", healthProbeBindAddress = "0", metricsCertPath: folder } = flags;
  return {
    metricsServer: metrics && {
      bindAddress: metricsBindAddress,
      secure: flags.metricsSecure,
      metrics,
      certificate: folder === undefined ? undefined : {
        certFile: `${folder}/${flags.metricsCertName ?? "tls.crt"}`,
        keyFile: `${folder}/${flags.metricsCertKey ?? "tls.key"}`,
      },
      host,
    },
    healthServer: healthProbeBindAddress === "0"
      ? undefined
      : { bindAddress: healthProbeBindAddress },
  };
}
