/**
 * A server for tests, whose time moves on when nothing else goes on, with a custom kind.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Random, seededRandom } from "../base/random.ts";
import { FakeClock } from "../testing/fake_clock.ts";
import { ApiServer } from "./server.ts";

/** Where the objects of the custom kind are. */
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

/** A body that is sent as it is, or as JSON. */
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

  /** A server that knows `foos`, of any structure. */
  static async start(random: Random = seededRandom(1)): Promise<PatientServer> {
    const clock = new FakeClock();
    const server = await ApiServer.start({ clock, random, controllers: false });
    const patient = new PatientServer(server, clock);
    await patient.send("POST", DEFINITIONS, { body: DEFINITION });
    await clock.advance(10_000);
    return patient;
  }

  /** The answer, however long the server takes by its clock. */
  async fetch(request: Request): Promise<Response> {
    let isDone = false;
    const answer = this.#server.fetch(request).finally(() => isDone = true);
    for (let turns = 0; !isDone && turns < 1000; turns++) {
      await Promise.race([answer, this.#clock.settle()]);
      if (turns > 5) await this.#clock.advance(10_000);
    }
    assert(isDone, `${request.method} ${request.url} is never answered`);
    return await answer;
  }

  /** What an answer says until it ends, however long that takes by the server's clock. */
  async textOf(answer: Response): Promise<string> {
    let isDone = false;
    const text = answer.text().finally(() => isDone = true);
    for (let turns = 0; !isDone && turns < 1000; turns++) {
      await Promise.race([text, this.#clock.settle()]);
      if (turns > 2) await this.#clock.advance(500);
    }
    assert(isDone, "the answer never ends");
    return await text;
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
