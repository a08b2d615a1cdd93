/**
 * The scene of the tests: a living cluster on virtual time, a WebApp, and the operator, whose connection
 * breaks where a test asks for it.
 *
 * @module
 */
import { type Client, mergePatch, type OperatorHandle, runOperator } from "@xca/operator";
import { CustomResourceDefinition } from "@xca/operator/meta";
import { clientOf, dropCall } from "@xca/operator/testing";
import { type LivingCluster, livingCluster } from "../../tests/support/living_cluster.ts";
import { type NewWebApp, WebApp } from "./app.ts";
import { operator } from "./operator.ts";

/** The key of the WebApp of the tests, and of its children. */
export const KEY = "default/web";

/** A crash of the operator: its write is lost, or is done and the response is lost. */
export interface Crash {
  readonly write: number;
  readonly moment: "before" | "after";
}

/** A living cluster, and the operator of WebApps. */
export class Rig implements AsyncDisposable {
  /** The operator's writes so far, as `PATCH webapps/web/status`, events left out. */
  readonly writes: string[] = [];
  /** Whether the pods use more CPU than they ask for. */
  busy = false;
  readonly cluster: LivingCluster;
  #running: OperatorHandle | undefined;
  #client: Client | undefined;
  #isDead = false;

  private constructor(cluster: LivingCluster) {
    this.cluster = cluster;
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
    rig.run(crash);
    return rig;
  }

  /** Starts a cluster with the operator and a WebApp. */
  static async start(spec: Partial<NewWebApp["spec"]> = {}, crash?: Crash): Promise<Rig> {
    const rig = await Rig.create(crash);
    await rig.deploy(spec);
    return rig;
  }

  /** Creates the WebApp, and waits until it runs. */
  async deploy(spec: Partial<NewWebApp["spec"]>): Promise<void> {
    await this.cluster.client.create(WebApp, {
      metadata: { name: "web", namespace: "default" },
      spec: { image: "web:1", ...spec },
    });
    await this.cluster.pass(10);
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
        const write = `${request.method} ${pathname.split("/").slice(-3).join("/")}`;
        if (this.writes.push(write) !== crash?.write) return await fetch(request);
        this.#isDead = true;
        return await dropCall(crash.moment)(request, fetch, { clock });
      },
    });
    this.#client = client;
    this.#running = runOperator(operator, { client, clock });
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

  app(): Promise<WebApp> {
    return this.cluster.client.get(WebApp, KEY);
  }

  /** Returns the reason of a condition that is true. */
  async reason(type: string): Promise<string | undefined> {
    const { status } = await this.app();
    return status?.conditions?.find((each) => each.type === type && each.status === "True")?.reason;
  }

  async set(spec: Partial<WebApp["spec"]>): Promise<void> {
    await this.cluster.client.patch(WebApp, KEY, mergePatch({ spec }));
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
    await this.cluster[Symbol.asyncDispose]();
  }
}
