import { errorText } from "@xca/apimachinery/base";
import type { Client } from "../../lib/client/mod.ts";
import {
  cacheSyncCheck,
  type DebugSource,
  healthServer,
  informerMetrics,
  leaderElectionCheck,
  type Manager,
  MetricsRegistry,
  metricsServer,
  type OperatorMetrics,
  operatorMetrics,
  parseBindAddress,
  watchHealthCheck,
} from "../../lib/manager/mod.ts";
import type { CliContext } from "../context.ts";
import { flagWord } from "../global_flags.ts";
import { UsageError } from "../usage_error.ts";
import type { ServerFlags } from "./server_flags.ts";

/** The metrics of a process that serves them. */
export interface ServedMetrics extends OperatorMetrics {
  /** The registry of all metrics. */
  readonly registry: MetricsRegistry;
}

/**
 * Returns the metrics of a process; `undefined` when no server is wanted for them.
 *
 * @throws {UsageError} When the address of a server cannot be.
 */
export function servedMetrics(flags: ServerFlags): ServedMetrics | undefined {
  checkAddress(flags, "healthProbeBindAddress");
  if (!checkAddress(flags, "metricsBindAddress")) return undefined;
  const registry = new MetricsRegistry();
  return { registry, ...operatorMetrics(registry) };
}

/** Reports whether a flag has an address to listen on. */
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

/** Adds the metrics and health servers that the flags of `run` want to a manager. */
export function addServers(
  manager: Manager,
  { client, metrics, flags }: {
    readonly client: Client;
    readonly metrics: ServedMetrics | undefined;
    readonly flags: ServerFlags;
  },
  { clock, host }: CliContext,
): void {
  const informers = () => manager.informers;
  if (metrics) {
    const { registry } = metrics;
    informerMetrics(registry, informers, { clock });
    const folder = flags.metricsCertPath;
    manager.add(metricsServer({
      bindAddress: flags.metricsBindAddress ?? "0",
      secure: flags.metricsSecure,
      registry,
      client,
      certificate: folder === undefined ? undefined : {
        certFile: `${folder}/${flags.metricsCertName ?? "tls.crt"}`,
        keyFile: `${folder}/${flags.metricsCertKey ?? "tls.key"}`,
      },
      certificateMetrics: metrics.certificates,
      debug: [managerSection(manager)],
      host,
      clock,
    }));
  }
  if ((flags.healthProbeBindAddress ?? "0") === "0") return;
  const { elector } = manager;
  manager.add(healthServer({
    bindAddress: flags.healthProbeBindAddress ?? "0",
    live: {
      ping: () => undefined,
      ...(elector && { leaderElection: leaderElectionCheck(elector) }),
    },
    ready: {
      started: () => {
        const { stage } = manager.health;
        return stage === "warm" ? undefined : `the manager is at the stage ${stage}`;
      },
      caches: cacheSyncCheck(informers),
      watches: watchHealthCheck(informers, { clock }),
    },
    clock,
  }));
}

/** Returns the section of `/debug` on a manager: its stage, its leader and the condition of its caches. */
function managerSection(manager: Manager): DebugSource {
  return {
    name: "manager",
    report: () => {
      const { caches, ...health } = manager.health;
      return {
        ...health,
        caches: caches.map(({ watch: _, ...cache }) => cache),
      };
    },
  };
}
