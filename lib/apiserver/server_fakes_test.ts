/**
 * A fake API server with a custom kind, on a clock that advances whenever nothing else happens.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Random, seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { ApiServer } from "./server.ts";

/** The path of the fake server's custom objects. */
export const FOOS = "/apis/example.com/v1/namespaces/default/foos";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "foos.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "foos", kind: "Foo" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a" },
      },
    }],
  },
};

/** The body of a request to the fake server, which is sent as text or as JSON. */
export interface Sent {
  readonly body?: unknown;
  readonly type?: string;
}

export class PatientServer implements Disposable {
  readonly #clock: FakeClock;
  readonly #server: ApiServer;

  private constructor(server: ApiServer, clock: FakeClock) {
    this.#server = server;
    this.#clock = clock;
  }

  /** Starts the fake server with the custom kind `foos`, whose schema allows everything. */
  static async start(random: Random = seededRandom(1)): Promise<PatientServer> {
    const clock = new FakeClock();
    const server = await ApiServer.start({ clock, random, controllers: false });
    const patient = new PatientServer(server, clock);
    await patient.send("POST", DEFINITIONS, { body: DEFINITION });
    await clock.advance(10_000);
    return patient;
  }

  /** Returns the server's answer to a request, however long it takes by the server's clock. */
  async fetch(request: Request): Promise<Response> {
    const what = `the answer to ${request.method} ${request.url}`;
    return await this.#patiently(this.#server.fetch(request), what, { from: 5, ms: 10_000 });
  }

  /** Returns the body of an answer, however long it takes by the server's clock. */
  async textOf(answer: Response): Promise<string> {
    return await this.#patiently(answer.text(), "the end of the answer", { from: 2, ms: 500 });
  }

  /** Awaits a result, and advances the clock after the first turns of the event loop. */
  async #patiently<T>(
    coming: Promise<T>,
    what: string,
    { from, ms }: { readonly from: number; readonly ms: number },
  ): Promise<T> {
    let isDone = false;
    const done = coming.finally(() => isDone = true);
    // Most results need no timer, which would take a millisecond.
    for (let turns = 0; !isDone && turns < 100; turns++) await Promise.resolve();
    for (let turns = 0; !isDone && turns < 1000; turns++) {
      await this.#clock.settle();
      if (!isDone && turns > from) await this.#clock.advance(ms);
    }
    assert(isDone, `${what} never comes`);
    return await done;
  }

  // deno-lint-ignore no-explicit-any -- the body of an answer.
  async send(method: string, path: string, sent: Sent = {}): Promise<{ code: number; body: any }> {
    const { body, type = "application/json" } = sent;
    const answer = await this.fetch(
      new Request(`https://server.invalid${path}`, {
        method,
        ...(body !== undefined && {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "Content-Type": type },
        }),
      }),
    );
    return { code: answer.status, body: await answer.json() };
  }

  [Symbol.dispose](): void {
    this.#server[Symbol.dispose]();
  }
}
