import assert from "node:assert/strict";
import { join } from "node:path";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import type { CallWebhook } from "./machinery/call_webhook.ts";
import { ApiServer } from "./server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/** A fake disk that confirms no writes while it is held. */
class HeldDisk implements Disposable {
  readonly #syncData = Deno.FsFile.prototype.syncData;
  #open = Promise.withResolvers<void>();

  constructor() {
    const { promise } = this.#open;
    const { syncData } = Deno.FsFile.prototype;
    Deno.FsFile.prototype.syncData = async function () {
      await promise;
      return await syncData.call(this);
    };
  }

  /** Confirms the held disk writes, and all later ones. */
  release(): void {
    this.#open.resolve();
  }

  /** Fails the held disk writes. */
  fail(): void {
    this.#open.promise.catch(() => {});
    this.#open.reject(new Error("the disk is full"));
  }

  [Symbol.dispose](): void {
    Deno.FsFile.prototype.syncData = this.#syncData;
    this.#open.resolve();
  }
}

/** A pending request to a server, which knows whether it is answered yet. */
class Asked {
  answered = false;
  readonly answer: Promise<Response>;

  constructor(server: ApiServer, method: string, path: string, body?: unknown) {
    const headers = { "Content-Type": "application/json" };
    this.answer = server.fetch(
      new Request(`https://server.invalid${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body), headers }),
      }),
    ).finally(() => this.answered = true);
  }

  // deno-lint-ignore no-explicit-any
  async json(): Promise<any> {
    return await (await this.answer).json();
  }
}

/** The events that a watch of a test has received so far. */
class Frames {
  text = "";
  ended = false;
  readonly done: Promise<void>;

  constructor({ body }: Response) {
    this.done = this.#read(body!.pipeThrough(new TextDecoderStream()));
  }

  async #read(stream: ReadableStream<string>): Promise<void> {
    for await (const text of stream) this.text += text;
    this.ended = true;
  }

  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) await turns();
  }
}

/**
 * Waits until only the fake disk is pending; each file operation takes a turn of the event loop.
 */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

interface Setting {
  readonly server: ApiServer;
  readonly clock: FakeClock;
  readonly ask: (method: string, path: string, body?: unknown) => Asked;
}

async function onDisk(
  run: (setting: Setting) => Promise<void>,
  callWebhook?: CallWebhook,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const clock = new FakeClock();
    const data = join(folder, "data");
    const hooks = callWebhook && { callWebhook };
    const server = await ApiServer.start({ clock, data, controllers: false, ...hooks });
    try {
      await run({ server, clock, ask: (...asked) => new Asked(server, ...asked) });
    } finally {
      await server[Symbol.asyncDispose]().catch(() => {});
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const named = (name: string): unknown => ({ metadata: { name } });

Deno.test("a watch reports a write once it is on disk, and no bookmark precedes it", () =>
  onDisk(async ({ ask, clock }) => {
    const query = "watch=1&allowWatchBookmarks=true&timeoutSeconds=600";
    const frames = new Frames(await ask("GET", `${CONFIG_MAPS}?${query}`).answer);
    const before = await ask("POST", CONFIG_MAPS, named("before")).json();
    await frames.until(/"name":"before"/);
    using disk = new HeldDisk();
    const written = ask("POST", CONFIG_MAPS, named("held"));
    await turns();
    await clock.advance(61_000);
    await turns();
    assert.doesNotMatch(frames.text, /"name":"held"/);
    const bookmark = frames.text.split("\n").findLast((line) => line.includes('"BOOKMARK"'))!;
    const { resourceVersion } = JSON.parse(bookmark).object.metadata;
    assert.equal(resourceVersion, before.metadata.resourceVersion);
    disk.release();
    assert.equal((await written.answer).status, 201);
    await frames.until(/"name":"held"/);
    assert.equal(frames.text.match(/"name":"held"/g)!.length, 1);
  }));

Deno.test("no answer shows a write before it is on disk", () =>
  onDisk(async ({ ask }) => {
    await ask("POST", CONFIG_MAPS, named("gone")).json();
    using disk = new HeldDisk();
    const definition = {
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "widgets", kind: "Widget" },
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      },
    };
    const writes = [
      ask("POST", CONFIG_MAPS, named("held")),
      ask("DELETE", `${CONFIG_MAPS}/gone`),
      ask("POST", CRDS, definition),
    ];
    await turns();
    const asked = {
      get: ask("GET", `${CONFIG_MAPS}/held`),
      absence: ask("GET", `${CONFIG_MAPS}/gone`),
      list: ask("GET", CONFIG_MAPS),
      watchFromNow: ask("GET", `${CONFIG_MAPS}?watch=1&resourceVersion=0`),
      watchFromBefore: ask("GET", `${CONFIG_MAPS}?watch=1&resourceVersion=1000000`),
      refusal: ask("POST", CONFIG_MAPS, named("held")),
      discovery: ask("GET", "/apis/example.com/v1"),
      openApi: ask("GET", "/openapi/v3"),
    };
    await turns();
    for (const [name, { answered }] of Object.entries<Asked>({ ...writes, ...asked })) {
      assert.equal(answered, false, name);
    }
    disk.release();
    for (const write of writes) assert.equal((await write.answer).ok, true);
    assert.equal((await asked.get.json()).metadata.name, "held");
    assert.equal((await asked.absence.answer).status, 404);
    assert.deepEqual(
      (await asked.list.json()).items.map((item: { metadata: { name: string } }) =>
        item.metadata.name
      ),
      ["held"],
    );
    assert.equal((await asked.refusal.json()).reason, "AlreadyExists");
    for (const watch of [asked.watchFromNow, asked.watchFromBefore]) {
      await (await watch.answer).body!.cancel();
    }
    for (const other of [asked.discovery, asked.openApi, asked.absence]) {
      const answer = await other.answer;
      if (!answer.bodyUsed) await answer.text();
    }
  }));

Deno.test("a watch that begins during a sync reports the write once", () =>
  onDisk(async ({ ask }) => {
    const { metadata } = await ask("POST", CONFIG_MAPS, named("before")).json();
    using disk = new HeldDisk();
    const held = ask("POST", CONFIG_MAPS, named("held"));
    await turns();
    const from = `resourceVersion=${metadata.resourceVersion}`;
    const watches = ["", from, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"]
      .map((query) =>
        ask("GET", `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=600&${query}`)
      );
    const after = ask("POST", CONFIG_MAPS, named("after"));
    await turns();
    disk.release();
    for (const write of [held, after]) assert.equal((await write.answer).status, 201);
    for (const watch of watches) {
      const frames = new Frames(await watch.answer);
      await frames.until(/"name":"after"/);
      for (const name of ["held", "after"]) {
        assert.equal(frames.text.split(`"name":"${name}"`).length, 2, frames.text);
      }
    }
  }));

Deno.test("after a disk failure watches end, and no answer shows unsaved writes", () =>
  onDisk(async ({ ask }) => {
    const frames = new Frames(await ask("GET", `${CONFIG_MAPS}?watch=1`).answer);
    using disk = new HeldDisk();
    const written = ask("POST", CONFIG_MAPS, named("lost"));
    await turns();
    const read = ask("GET", `${CONFIG_MAPS}/lost`);
    const watch = ask("GET", `${CONFIG_MAPS}?watch=1`);
    await turns();
    disk.fail();
    for (const each of [written, read, watch, ask("GET", CONFIG_MAPS)]) {
      const { code, message } = await each.json();
      assert.equal(code, 500);
      assert.match(message, /the disk is full/);
    }
    await frames.done;
    assert.doesNotMatch(frames.text, /lost/);
  }));

Deno.test("writes of controllers reach the disk without a waiting request", () =>
  onDisk(async ({ server, ask }) => {
    const frames = new Frames(await ask("GET", `${CONFIG_MAPS}?watch=1`).answer);
    await ask("POST", CONFIG_MAPS, named("a")).json();
    const snapshot = server.snapshot();
    await ask("DELETE", `${CONFIG_MAPS}/a`).json();
    server.restore(snapshot);
    await frames.until(/ADDED[^]*DELETED[^]*ADDED/);
  }));

Deno.test("a watch after a restore reports nothing from before it", () =>
  onDisk(async ({ server, ask }) => {
    const snapshot = server.snapshot();
    using disk = new HeldDisk();
    const lost = ask("POST", CONFIG_MAPS, named("lost"));
    await turns();
    server.restore(snapshot, "keep");
    const watch = ask("GET", `${CONFIG_MAPS}?watch=1&resourceVersion=${snapshot.revision}`);
    const after = ask("POST", CONFIG_MAPS, named("after"));
    await turns();
    disk.release();
    await Promise.all([(await lost.answer).text(), (await after.answer).text()]);
    const frames = new Frames(await watch.answer);
    await frames.until(/"name":"after"/);
    assert.doesNotMatch(frames.text, /lost/);
  }));

Deno.test("a webhook sees nothing that is not on disk", () => {
  const shown: unknown[] = [];
  const callWebhook: CallWebhook = ({ review }) => {
    const { request, ...type } = review as { request: { uid: string; oldObject: unknown } };
    shown.push(request.oldObject);
    return Promise.resolve({ ...type, response: { uid: request.uid, allowed: true } });
  };
  return onDisk(async ({ ask }) => {
    await ask("POST", HOOKS, {
      metadata: { name: "h" },
      webhooks: [{
        name: "h.example.com",
        clientConfig: { url: "https://127.0.0.1:1" },
        rules: [{
          operations: ["UPDATE"],
          apiGroups: [""],
          apiVersions: ["v1"],
          resources: ["configmaps"],
        }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      }],
    }).json();
    using disk = new HeldDisk();
    const created = ask("POST", CONFIG_MAPS, named("a"));
    await turns();
    const updated = ask("PUT", `${CONFIG_MAPS}/a`, { ...named("a") as object, data: { x: "1" } });
    await turns();
    assert.deepEqual(shown, []);
    disk.release();
    assert.equal((await created.answer).status, 201);
    assert.equal((await updated.answer).status, 200);
    assert.equal(shown.length, 1);
  }, callWebhook);
});

Deno.test("the deletion of custom objects is reported before their watch ends", () =>
  onDisk(async ({ ask }) => {
    const spec = {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" } },
      }],
    };
    await ask("POST", CRDS, { metadata: { name: "widgets.example.com" }, spec }).json();
    const path = "/apis/example.com/v1/widgets";
    await ask("POST", path, {
      apiVersion: "example.com/v1",
      kind: "Widget",
      ...named("w") as object,
    })
      .json();
    const frames = new Frames(await ask("GET", `${path}?watch=1`).answer);
    await frames.until(/ADDED/);
    using disk = new HeldDisk();
    const gone = ask("DELETE", `${CRDS}/widgets.example.com`);
    await turns();
    disk.release();
    assert.equal((await gone.answer).status, 200);
    await frames.done;
    assert.match(frames.text, /DELETED/);
  }));
