/**
 * The fixture of the tests: a simulated cluster on virtual time, a WebApp, and the operator, whose
 * connection breaks on demand.
 *
 * @module
 */
import { mergePatch, runOperator } from "@xca/operator";
import { CustomResourceDefinition } from "@xca/operator/meta";
import { type Crash, OperatorProcess } from "@xca/operator/testing";
import {
  type LivingCluster,
  livingCluster,
} from "../../tests/support/in_process/living_cluster.ts";
import { type NewWebApp, WebApp } from "./app.ts";
import { operator } from "./operator.ts";

/** The key of the WebApp in the tests, and of its children. */
export const KEY = "default/web";

/** A simulated cluster, and the operator of WebApps. */
export class Rig implements AsyncDisposable {
  /** Sets whether the simulated pods use more CPU than they request. */
  busy = false;
  readonly cluster: LivingCluster;
  /** The operator process, which crashes on demand. */
  readonly process: OperatorProcess;

  private constructor(cluster: LivingCluster) {
    const { clock, server } = this.cluster = cluster;
    this.process = new OperatorProcess({
      server,
      run: (client) => runOperator(operator, { client, clock }),
    });
  }

  /** Starts a cluster with the operator, and without a WebApp. */
  static async create(crash?: Crash): Promise<Rig> {
    const busy = (): boolean => rig.busy;
    const cluster = await livingCluster({
      script: ({ spec }) => ({
        image: spec?.containers[0]?.image === "missing:1" ? "missing" : "present",
        cpu: busy() ? "200m" : "1m",
      }),
    });
    const rig = new Rig(cluster);
    await cluster.client.create(CustomResourceDefinition, WebApp.crd);
    rig.process.start(crash);
    return rig;
  }

  /** Starts a cluster with the operator and a WebApp, and lets ten seconds pass. */
  static async start(spec: Partial<NewWebApp["spec"]> = {}, crash?: Crash): Promise<Rig> {
    const rig = await Rig.create(crash);
    await rig.deploy(spec);
    return rig;
  }

  /** Creates the WebApp, and lets ten seconds pass. */
  async deploy(spec: Partial<NewWebApp["spec"]>): Promise<void> {
    await this.cluster.client.create(WebApp, {
      metadata: { name: "web", namespace: "default" },
      spec: { image: "web:1", ...spec },
    });
    await this.cluster.pass(10);
  }

  /** Lets a number of seconds pass on the fake clock; a crashed operator process is restarted. */
  async pass(seconds: number): Promise<void> {
    await this.process.advance(seconds * 1000);
  }

  app(): Promise<WebApp> {
    return this.cluster.client.get(WebApp, KEY);
  }

  /**
   * Returns the reason of a condition of the WebApp; `undefined` if the condition is absent or not
   * true.
   */
  async reason(type: string): Promise<string | undefined> {
    const { status } = await this.app();
    return status?.conditions?.find((each) => each.type === type && each.status === "True")?.reason;
  }

  async set(spec: Partial<WebApp["spec"]>): Promise<void> {
    await this.cluster.client.patch(WebApp, KEY, mergePatch({ spec }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stop();
    await this.cluster[Symbol.asyncDispose]();
  }
}
