import { seededRandom } from "../../../lib/apimachinery/base/mod.ts";
import { FakeClock } from "../../../lib/apimachinery/base/time/fake_clock.ts";
import type { V1Deployment, V1Pod } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { EventsEvent, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import type { Client } from "../../../lib/client/mod.ts";
import { type ClusterOptions, startCluster } from "../../../lib/cluster/mod.ts";
import { ApiServer, clientOf } from "../../../lib/testing/mod.ts";

/** A simulated cluster in process, on a virtual clock. */
export interface LivingCluster extends AsyncDisposable {
  readonly server: ApiServer;
  readonly client: Client;
  readonly clock: FakeClock;
  /** Lets time pass, and does all work that becomes due. */
  pass(seconds: number): Promise<void>;
  /** Returns the pods with their phases, sorted by name, the random ends of the names left out. */
  pods(): Promise<V1Pod[]>;
  /** Returns the notes of the events of a reason. */
  notes(reason: string): Promise<string[]>;
}

/** Starts a simulated cluster in process, on a virtual clock. */
export async function livingCluster(
  options: Partial<ClusterOptions> = {},
): Promise<LivingCluster> {
  const clock = new FakeClock();
  const random = seededRandom(1);
  const { serviceAccountKey } = options;
  const server = await ApiServer.start({
    clock,
    random,
    ...(serviceAccountKey !== undefined && { serviceAccountKey }),
  });
  const client = clientOf(server, { clock });
  const pass = (seconds: number): Promise<void> => clock.advance(seconds * 1000);
  const cluster = await startCluster({ client, clock, random, ...options });
  await pass(1);
  return {
    server,
    client,
    clock,
    pass,
    pods: async () => (await client.list(Pod)).items,
    notes: async (reason) =>
      (await client.list(EventsEvent)).items.filter((event) => event.reason === reason)
        .map(({ note }) => note ?? ""),
    async [Symbol.asyncDispose]() {
      const stopped = cluster.stop();
      await pass(6);
      await stopped;
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Returns a Deployment of three pods whose label `app` is its name. */
export function deploymentOf(
  name: string,
  spec: Partial<V1Deployment["spec"]> = {},
): V1Deployment {
  const labels = { app: name };
  return {
    metadata: { name, namespace: "default" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
      ...spec,
    },
  };
}

/** Returns a pod of one container. */
export function podOf(name: string, spec: Partial<V1Pod["spec"]> = {}): V1Pod {
  return {
    metadata: { name, namespace: "default" },
    spec: { containers: [{ name: "app", image: "app:1" }], ...spec },
  };
}
