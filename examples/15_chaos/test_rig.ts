/**
 * The fixture of the tests: a simulated cluster on virtual time with an application, and the operator,
 * whose connection breaks on demand.
 *
 * @module
 */
import { Deployment, mergePatch, Namespace, Pod, runOperator } from "@xca/operator";
import { seededRandom } from "@xca/operator/base";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import { CustomResourceDefinition } from "@xca/operator/meta";
import { type Crash, OperatorProcess } from "@xca/operator/testing";
import {
  deploymentOf,
  type LivingCluster,
  livingCluster,
} from "../../tests/support/in_process/living_cluster.ts";
import { Chaos, type NewChaos } from "./chaos.ts";
import { BY_LABEL } from "./injector.ts";
import { operator } from "./operator.ts";

/** The name of the Chaos of the tests. */
export const NAME = "storm";

/**
 * A simulated cluster with four pods `web`, a Chaos that harms them every minute, and the operator.
 */
export class Rig implements AsyncDisposable {
  /**
   * A function that the fixture calls after each write of the operator, with the description of the
   * write.
   */
  onWrite: (write: string) => void | Promise<void> = () => {};
  /** The operator process, which crashes on demand. */
  readonly process: OperatorProcess;

  private constructor(readonly cluster: LivingCluster) {
    const { clock, server } = cluster;
    this.process = new OperatorProcess({
      server,
      run: (client) => runOperator(operator, { client, clock, random: seededRandom(1) }),
      onStep: (write) => this.onWrite(write),
    });
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
    rig.process.start(crash);
    return rig;
  }

  /** Lets a number of seconds pass on the fake clock; a crashed operator process is restarted. */
  async pass(seconds: number): Promise<void> {
    await this.process.advance(seconds * 1000);
  }

  /** Lets time pass, at least a second, until the clock shows a given second of a minute. */
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

  /** Returns the names of the pods that are frozen or slowed. */
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

  /**
   * Creates a namespace, unless it is `kube-system`, and in the namespace a Deployment with the
   * labels of the application; lets three seconds pass.
   */
  async deployIn(namespace: string): Promise<void> {
    const { client } = this.cluster;
    const exists = namespace === "kube-system";
    if (!exists) await client.create(Namespace, { metadata: { name: namespace } });
    const deployment = deploymentOf("web");
    deployment.metadata!.namespace = namespace;
    await client.create(Deployment, deployment);
    await this.pass(3);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stop();
    await this.cluster[Symbol.asyncDispose]();
  }
}
