/** Tests of a cache whose client's token expires, with and without a replacement. */
import assert from "node:assert/strict";
import { configureSync, resetSync } from "@logtape/logtape";
import { seededRandom } from "../../lib/apimachinery/base/mod.ts";
import { InformerFactory } from "../../lib/cache/mod.ts";
import { createClient } from "../../lib/client/mod.ts";
import { ConfigMap } from "../../lib/apimachinery/meta/mod.ts";
import { FakeClock } from "../../lib/testing/mod.ts";

/** A server of ConfigMaps that accepts one token, and ends its watches on request. */
class TokenServer {
  /** The token that it takes. */
  token = "one";
  /** The requests with their tokens: `list one`, `watch two refused`. */
  readonly asked: string[] = [];
  #version = 1;
  #watches: ReadableStreamDefaultController<Uint8Array>[] = [];

  fetch = (request: Request): Promise<Response> => {
    const query = new URL(request.url).searchParams;
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const what = !query.has("watch") ? "list" : query.has("sendInitialEvents") ? "fill" : "watch";
    this.asked.push(token === this.token ? `${what} ${token}` : `${what} ${token} refused`);
    if (token !== this.token) {
      const code = 401;
      const status = { kind: "Status", apiVersion: "v1", status: "Failure", code };
      return Promise.resolve(
        Response.json({ ...status, reason: "Unauthorized" }, { status: code }),
      );
    }
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#watches.push(controller);
        if (what === "fill") {
          this.add("a");
          this.#send("BOOKMARK", { annotations: { "k8s.io/initial-events-end": "true" } });
        }
      },
    });
    return Promise.resolve(new Response(body));
  };

  /** Creates an object, of which watches send an event. */
  add(name: string): void {
    this.#version++;
    this.#send("ADDED", { name, namespace: "n", uid: name });
  }

  /** Ends all watches. */
  cut(): void {
    for (const watch of this.#watches.splice(0)) watch.close();
  }

  #send(type: string, metadata: Record<string, unknown>): void {
    const object = { metadata: { ...metadata, resourceVersion: `${this.#version}` } };
    const line = new TextEncoder().encode(`${JSON.stringify({ type, object })}\n`);
    for (const watch of this.#watches) watch.enqueue(line);
  }
}

Deno.test("F52 401 where a watch is resumed: the token is read again, and without a newer token an error is logged", async () => {
  const server = new TokenServer();
  const clock = new FakeClock();
  const random = seededRandom(1);
  let file = "one";
  const host = { readFile: () => Promise.resolve(new TextEncoder().encode(file)) };
  const warnings: string[] = [];
  configureSync({
    sinks: { memory: ({ message }) => void warnings.push(message.join("")) },
    loggers: [
      { category: "xca", sinks: ["memory"], lowestLevel: "warning" },
      { category: ["logtape", "meta"], lowestLevel: "fatal" },
    ],
  });
  const abort = new AbortController();
  try {
    const config = { server: "https://api.example", credentials: { tokenFile: "/token" } };
    using client = createClient(config, { fetch: server.fetch, host, clock, random });
    const factory = new InformerFactory(client, { clock, random });
    const informer = factory.informer(ConfigMap);
    factory.start(abort.signal);
    await clock.advance(0);
    assert.ok(factory.cacheReader.get(ConfigMap, "n/a"));
    assert.deepEqual(server.asked, ["fill one"]);

    // Replaced in time: nobody notices but the server.
    server.token = file = "two";
    server.cut();
    await clock.advance(5_000);
    assert.deepEqual(server.asked.splice(0), ["fill one", "watch one refused", "watch two"]);
    assert.deepEqual(warnings, []);

    // Not replaced: told each time, at a pace, and what was cached stays.
    server.token = "three";
    server.cut();
    await clock.advance(300_000);
    const refused = server.asked.splice(0);
    assert.ok(refused.length > 3 && refused.length < 60, String(refused));
    assert.ok(refused.every((each) => /^\w+ two refused$/.test(each)), String(refused));
    assert.equal(warnings.length, refused.length);
    assert.match(warnings[0]!, /configmaps.*Unauthorized/i);
    assert.equal(informer.health.state === "watching", false);
    assert.ok(informer.health.failing);
    assert.ok(factory.cacheReader.get(ConfigMap, "n/a"));

    file = "three";
    await clock.advance(60_000);
    server.add("b");
    await clock.advance(0);
    assert.ok(factory.cacheReader.get(ConfigMap, "n/b"));
    assert.equal(server.asked.at(-1)?.endsWith(" three"), true);
    assert.equal(informer.health.failing, undefined);
    abort.abort();
    await factory.done;
  } finally {
    abort.abort();
    resetSync();
  }
});
