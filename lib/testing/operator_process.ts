import type { Client } from "../client/typed/client.ts";
import type { OperatorHandle } from "../controller/ports/operator_progress.ts";
import { clientOf, type InProcessServer } from "./embedded_client.ts";
import { FakeClock } from "./fake_clock.ts";
import { type CallFacts, callFacts } from "./faults/call_facts.ts";

/**
 * A crash of an operator at one of its writes, or at another call that the test counts as a step.
 */
export interface Crash {
  /**
   * The number of the write or other step at which the operator crashes, counted from 1 since the
   * creation of the {@linkcode OperatorProcess}, earlier starts included; 0 for no crash.
   */
  readonly step: number;
  /**
   * The moment of the crash: `before` the request of the step is sent, which is then lost, or
   * `after` the server has handled it, so that its response is lost; the process's other calls then
   * fail from the beginning of the step on.
   */
  readonly moment: "before" | "after";
}

/**
 * Options of the class {@linkcode OperatorProcess}, which runs an operator that crashes at chosen
 * steps.
 */
export interface OperatorProcessOptions {
  /** The API server that the operator is connected to. */
  readonly server: InProcessServer;
  /**
   * Runs the operator with a client of the server; called at each start. The process stops the
   * returned handle and closes the client.
   */
  readonly run: (client: Client) => OperatorHandle;
  /**
   * Called with the name of each step of the operator, such as a write, after its call resolved,
   * whatever the server's response was, unless the process has crashed. The step ends once a
   * returned promise resolves.
   *
   * @default {nothing}
   */
  readonly onStep?: (name: string) => void | Promise<void>;
}

/** One run of the operator in its simulated process, from a start to a crash or stop. */
interface Life {
  /**
   * The crash that the test planned for this run: its step and its moment; absent for a run without
   * a crash. {@linkcode Life.crashed} reports whether the crash has happened.
   */
  readonly crash?: Crash | undefined;
  /**
   * Reports whether the crash has happened, so that each further API call of the operator fails.
   */
  crashed: boolean;
}

/**
 * The verbs of API calls that change nothing and are no steps, at which the operator never crashes.
 */
const READS: readonly string[] = ["get", "list", "watch"];

/** The duration of one step of {@linkcode OperatorProcess.advance}, in milliseconds. */
const SECOND_MS = 1_000;

/**
 * The time that {@linkcode OperatorProcess.stop} lets pass on a fake clock, in milliseconds; the
 * operator must end within it.
 */
const STOP_MS = 6_000;

/**
 * An operator that a test runs as if it were a process of its own, which crashes at a chosen step
 * and starts again. With a run for each step, crashing before and after it, a test shows that the
 * operator reaches the same final state wherever its process crashes.
 *
 * The steps of an operator are its writes, with names such as `patch deployments/web/status`;
 * writes of events are not counted, because they may be lost. Calls to other services are steps too
 * if they go through {@linkcode OperatorProcess.step}. From its crash on, each call of the process
 * fails.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator, runOperator, Secret } from "@xca/operator";
 * import { ApiServer, clientOf, crashesAt, FakeClock, OperatorProcess } from "@xca/operator/testing";
 * import type { Crash } from "@xca/operator/testing";
 *
 * const operator = defineOperator({
 *   name: "copier",
 *   controllers: [
 *     controllerFor(Secret).owns(ConfigMap).reconcile(async ({ cache, client, namespace, name }) => {
 *       const metadata = { name, namespace, labels: { copy: "yes" } };
 *       if (!cache.get(Secret, `${namespace}/${name}`)) return;
 *       await client.apply(ConfigMap, { metadata, data: { of: name } });
 *     }),
 *   ],
 * });
 *
 * async function play(crash?: Crash): Promise<readonly string[]> {
 *   const clock = new FakeClock();
 *   using server = await ApiServer.start({ clock });
 *   using client = clientOf(server);
 *   await client.create(Secret, { metadata: { name: "a", namespace: "default" } });
 *   const run = (client: Parameters<typeof runOperator>[1]["client"]) =>
 *     runOperator(operator, { client, clock });
 *   await using process = new OperatorProcess({ server, run });
 *   process.start(crash);
 *   await process.advance(5_000);
 *   assert.deepEqual((await client.get(ConfigMap, "default/a")).data, { of: "a" });
 *   return process.steps;
 * }
 *
 * const steps = await play();
 * assert.deepEqual(steps, ["patch configmaps/a"]);
 * for (const crash of crashesAt(steps)) await play(crash);
 * ```
 */
export class OperatorProcess implements AsyncDisposable {
  /**
   * The names of the operator's writes and other steps so far, in order, lost ones and those after
   * a restart included.
   */
  readonly steps: string[] = [];
  readonly #options: OperatorProcessOptions;
  #life: Life = { crashed: false };
  #client: Client | undefined;
  #running: OperatorHandle | undefined;

  /** Creates a simulated process of an operator; {@linkcode OperatorProcess.start} starts it. */
  constructor(options: OperatorProcessOptions) {
    this.#options = options;
  }

  /** Reports whether the operator's simulated process has crashed and was not started again. */
  get crashed(): boolean {
    return this.#life.crashed;
  }

  /**
   * Starts the operator with a new client, to crash at the step of `crash`; without `crash`, at no
   * step.
   *
   * @throws {Error} When the operator runs already.
   */
  start(crash?: Crash): void {
    if (this.#running) throw new Error("Cannot start the operator: it runs; stop it first");
    const life: Life = { crash, crashed: false };
    this.#life = life;
    const client = clientOf(this.#options.server, {
      through: (fetch) => async (request) => {
        failIfCrashed(life);
        const facts = callFacts(request);
        if (READS.includes(facts.verb) || facts.resource === "events") return await fetch(request);
        return await this.#step(life, nameOf(facts), () => fetch(request));
      },
    });
    this.#client = client;
    this.#running = this.#options.run(client);
  }

  /**
   * Calls a function as a step of the operator, at which the process may crash, and resolves to its
   * result. A step before whose call the process crashes is not called.
   *
   * @throws {TypeError} When the process has crashed before, or crashes at this step or before its
   * call resolved.
   * @throws {unknown} The error of the function or of `onStep`.
   */
  step<T>(name: string, call: () => T | Promise<T>): Promise<T> {
    return this.#step(this.#life, name, call);
  }

  /**
   * Lets `ms` milliseconds pass on the fake clock of the server, a second at a time. After each
   * second `check` is called, and a crashed process is started again.
   *
   * @throws {TypeError} When the clock of the server is no {@linkcode FakeClock}.
   */
  async advance(ms: number, check: () => void | Promise<void> = () => {}): Promise<void> {
    const clock = this.#fakeClock();
    if (!clock) {
      throw new TypeError("Cannot advance time: the server has no FakeClock; give it one");
    }
    for (let leftMs = ms; leftMs > 0; leftMs -= SECOND_MS) {
      await clock.advance(Math.min(leftMs, SECOND_MS));
      await check();
      await this.restartIfCrashed();
    }
  }

  /**
   * Stops a crashed process and starts it again, without another crash; does nothing if the process
   * has not crashed.
   */
  async restartIfCrashed(): Promise<void> {
    if (!this.crashed) return;
    await this.stop();
    this.start();
  }

  /**
   * Stops the operator, awaits its end, whose error is ignored, and closes its client; on a fake
   * clock, six seconds pass, in which the operator ends.
   */
  async stop(): Promise<void> {
    const stopped = this.#running?.stop();
    await this.#fakeClock()?.advance(STOP_MS);
    await stopped?.catch(() => {}); // a crashed process cannot end in order
    this.#running = undefined;
    this.#client?.[Symbol.dispose]();
  }

  /** Stops the operator, as {@linkcode OperatorProcess.stop} does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #fakeClock(): FakeClock | undefined {
    const { clock } = this.#options.server;
    return clock instanceof FakeClock ? clock : undefined;
  }

  async #step<T>(life: Life, name: string, call: () => T | Promise<T>): Promise<T> {
    failIfCrashed(life);
    const isLast = this.steps.push(name) === life.crash?.step;
    life.crashed = isLast;
    if (life.crash?.moment === "before") failIfCrashed(life);
    const result = await call();
    failIfCrashed(life); // also when the process crashed at another step meanwhile
    await this.#options.onStep?.(name);
    return result;
  }
}

/**
 * Returns a crash before and a crash after each step of a run.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { crashesAt } from "@xca/operator/testing";
 *
 * assert.deepEqual(crashesAt(["create pods"]), [
 *   { step: 1, moment: "before" },
 *   { step: 1, moment: "after" },
 * ]);
 * ```
 */
export function crashesAt(steps: readonly string[]): Crash[] {
  return steps.flatMap((_, index) =>
    (["before", "after"] as const).map((moment) => ({ step: index + 1, moment }))
  );
}

function nameOf({ verb, resource, name, subresource }: CallFacts): string {
  return `${verb} ${[resource, name, subresource].filter((part) => part !== "").join("/")}`;
}

function failIfCrashed({ crashed }: Life): void {
  if (crashed) throw new TypeError("The process of the operator has crashed, by a test");
}
