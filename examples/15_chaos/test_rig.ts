/**
 * The scene of the tests: a living cluster on virtual time with an application, and the operator, whose
 * connection breaks where a test asks for it.
 *
 * @module
 */
import {
  type Client,
  Deployment,
  mergePatch,
  Namespace,
  type OperatorHandle,
  Pod,
  runOperator,
} from "@xca/operator";
import { seededRandom } from "@xca/operator/base";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import { CustomResourceDefinition } from "@xca/operator/meta";
import { clientOf, dropCall } from "@xca/operator/testing";
import {
  deploymentOf,
  type LivingCluster,
  livingCluster,
} from "../../tests/support/living_cluster.ts";
import { Chaos, type NewChaos } from "./chaos.ts";
import { BY_LABEL } from "./injector.ts";
import { operator } from "./operator.ts";

/** The name of the Chaos of the tests. */
export const NAME = "storm";

/** A crash of the operator: its write is lost, or is done and the response is lost. */
export interface Crash {
  readonly write: number;
  readonly moment: "before" | "after";
}

/** A living cluster with four pods `web`, a Chaos among them at each minute, and the operator. */
export class Rig implements AsyncDisposable {
  /** The operator's writes so far, as `PATCH pods/web-1`, events left out. */
  readonly writes: string[] = [];
  /** Called after each write of the operator. */
  onWrite: (write: string) => void | Promise<void> = () => {};
  readonly #stack = new AsyncDisposableStack();
  #running: OperatorHandle | undefined;
  #client: Client | undefined;
  #isDead = false;

  private constructor(readonly cluster: LivingCluster) {
    this.#stack.use(cluster);
  }

  static async start(spec: Partial<NewChaos["spec"]> = {}, crash?: Crash): Promise<Rig> {
    const rig = new Rig(await livingCluster());
    const { client } = rig.cluster;
    await client.create(CustomResourceDefinition, Chaos.crd);
    await client.create(Deployment, deploymentOf("web", { replicas: 4 }));
    await rig.cluster.pass(5);
    await client.create(Chaos, {
      metadata: { name: NAME },
      spec: {
        schedule: "* * * * *",
        fault: "kill",
        seconds: 20,
        matchLabels: { app: "web" },
        ...spec,
      },
    });
    rig.run(crash);
    return rig;
  }

  /** Runs the operator, whose connection breaks for good at one of its writes. */
  run(crash?: Crash): void {
    const { clock, server } = this.cluster;
    this.#isDead = false;
    const client = clientOf(server, {
      clock,
      through: (fetch) => async (request) => {
        if (this.#isDead) throw new TypeError("The process of the operator is gone");
        const { pathname } = new URL(request.url);
        // An event may be lost.
        if (request.method === "GET" || pathname.includes("/events")) return await fetch(request);
        const write = `${request.method} ${pathname}`;
        if (this.writes.push(write) !== crash?.write) {
          const response = await fetch(request);
          await this.onWrite(write);
          return response;
        }
        this.#isDead = true;
        return await dropCall(crash.moment)(request, fetch, { clock });
      },
    });
    this.#client = client;
    this.#running = runOperator(operator, { client, clock, random: seededRandom(1) });
  }

  /** Lets time pass; a process that has crashed is started again. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.cluster.pass(1);
      if (!this.#isDead) continue;
      await this.stop();
      this.run();
    }
  }

  /** Lets time pass until a second of the minute. */
  async until(second: number): Promise<void> {
    do await this.pass(1); while (this.cluster.clock.now().getUTCSeconds() !== second);
  }

  chaos(): Promise<Chaos> {
    return this.cluster.client.get(Chaos, NAME);
  }

  async set(spec: Partial<Chaos["spec"]>): Promise<void> {
    await this.cluster.client.patch(Chaos, NAME, mergePatch({ spec }));
    await this.pass(1);
  }

  async pods(): Promise<V1Pod[]> {
    return (await this.cluster.client.list(Pod)).items;
  }

  /** Returns the names of the pods that are frozen or slow. */
  async harmed(): Promise<string[]> {
    const { items } = await this.cluster.client.list(Pod, { labelSelector: BY_LABEL });
    return items.map(({ metadata }) => metadata!.name!);
  }

  /** Returns the number of pods that are ready. */
  async ready(): Promise<number> {
    return (await this.pods()).filter(({ status }) =>
      status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True")
    ).length;
  }

  /** Creates a Deployment of the same labels in a namespace of its own. */
  async deployIn(namespace: string): Promise<void> {
    const { client } = this.cluster;
    const exists = namespace === "kube-system";
    if (!exists) await client.create(Namespace, { metadata: { name: namespace } });
    const deployment = deploymentOf("web");
    deployment.metadata!.namespace = namespace;
    await client.create(Deployment, deployment);
    await this.pass(3);
  }

  async stop(): Promise<void> {
    const stopped = this.#running?.stop();
    await this.cluster.pass(6);
    await stopped?.catch(() => {});
    this.#running = undefined;
    this.#client?.[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#stack.disposeAsync();
  }
}
