import assert from "node:assert/strict";
import { join } from "node:path";
import { type Clock, systemClock } from "@xca/apimachinery/base";
import { ApiServer } from "./server.ts";
import type { ApiServerOptions } from "./server_options.ts";
import { call } from "../../tests/support/in_process/call_server.ts";

const options: ApiServerOptions = { controllers: false };

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a server with a data file restores its state", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    let made;
    {
      await using server = await ApiServer.start({ ...options, data });
      made = await call(server, "POST", CONFIG_MAPS, { metadata: { name: "a" } });
      assert.equal(made.code, 201);
    }
    await using server = await ApiServer.start({ ...options, data });
    const { body } = await call(server, "GET", `${CONFIG_MAPS}/a`);
    assert.deepEqual(body, made.body);
  }));

Deno.test("a start that fails closes the data file", () =>
  withFolder(async (folder) => {
    const problem = new Error("no time");
    for (const failsAt of [1, 2, 3]) {
      const data = join(folder, `data${failsAt}`);
      let calls = 0;
      const clock: Clock = {
        now: () => {
          if (++calls === failsAt) throw problem;
          return systemClock.now();
        },
        monotonicMs: () => systemClock.monotonicMs(),
        after: (delayMs, run) => systemClock.after(delayMs, run),
      };
      await assert.rejects(ApiServer.start({ data, clock }), problem);
      await using _server = await ApiServer.start({ ...options, data });
    }
  }));

Deno.test("two servers cannot share a data file", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    await using _first = await ApiServer.start({ ...options, data });
    await assert.rejects(ApiServer.start({ ...options, data }), /another process has it open/);
  }));

Deno.test("every request is refused after a disk failure", () =>
  withFolder(async (folder) => {
    const server = await ApiServer.start({ ...options, data: join(folder, "data") });
    const create = (name: string): ReturnType<typeof call> =>
      call(server, "POST", CONFIG_MAPS, { metadata: { name } });
    assert.equal((await create("kept")).code, 201);
    const { syncData } = Deno.FsFile.prototype;
    Deno.FsFile.prototype.syncData = () => Promise.reject(new Error("the disk is full"));
    try {
      assert.equal((await create("lost")).code, 500); // The write was pending when the disk failed.
      const { code, body } = await create("unseen");
      assert.equal(code, 500);
      assert.match(body.message, /data: the disk is full/);
      assert.equal((await call(server, "GET", `${CONFIG_MAPS}/kept`)).code, 500);
      assert.equal((await call(server, "GET", "/readyz")).code, 500);
      await assert.rejects(server[Symbol.asyncDispose](), /the disk is full/);
    } finally {
      Deno.FsFile.prototype.syncData = syncData;
    }
  }));

Deno.test("a watch from before a restart is answered with 410", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    let version;
    {
      await using server = await ApiServer.start({ ...options, data });
      const { body } = await call(server, "POST", CONFIG_MAPS, { metadata: { name: "a" } });
      version = body.metadata.resourceVersion;
      await call(server, "POST", CONFIG_MAPS, { metadata: { name: "b" } });
    }
    await using server = await ApiServer.start({ ...options, data });
    const { body } = await call(server, "GET", `${CONFIG_MAPS}?watch=1&resourceVersion=${version}`);
    assert.equal(body.type, "ERROR");
    assert.equal(body.object.code, 410);
  }));

Deno.test("a watch from before the kept history is answered with 410", async () => {
  await using server = await ApiServer.start({ ...options, historyBytes: 64 * 1024 });
  const { body } = await call(server, "POST", CONFIG_MAPS, { metadata: { name: "a" } });
  const version = body.metadata.resourceVersion;
  const watch = `${CONFIG_MAPS}?watch=1&timeoutSeconds=1&resourceVersion=`;
  let latest = version;
  for (let write = 0; write < 100; write++) {
    const object = { metadata: { name: "a" }, data: { x: "x".repeat(1024), write: String(write) } };
    latest = (await call(server, "PUT", `${CONFIG_MAPS}/a`, object)).body.metadata.resourceVersion;
  }
  const refused = (await call(server, "GET", `${watch}${version}`)).body;
  assert.deepEqual([refused.type, refused.object.code], ["ERROR", 410]);
  const near = (await call(server, "GET", `${watch}${Number(latest) - 1}`)).body;
  assert.deepEqual([near.type, near.object.data.write], ["MODIFIED", "99"]);
});

Deno.test("watches report a restored snapshot", async () => {
  using server = await ApiServer.start(options);
  await call(server, "POST", CONFIG_MAPS, { metadata: { name: "a" } });
  const snapshot = server.snapshot();
  const { body } = await call(server, "POST", CONFIG_MAPS, { metadata: { name: "b" } });
  const from = body.metadata.resourceVersion;
  server.restore(snapshot);
  const response = await server.fetch(
    new Request(`https://server.invalid${CONFIG_MAPS}?watch=1&resourceVersion=${from}`),
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const event = JSON.parse((await reader.read()).value!);
  assert.equal(event.type, "DELETED");
  assert.equal(event.object.metadata.name, "b");
  await reader.cancel();
});

Deno.test("watches end at the disposal of the server", async () => {
  const server = await ApiServer.start(options);
  const response = await server.fetch(
    new Request(`https://server.invalid${CONFIG_MAPS}?watch=1`),
  );
  server[Symbol.dispose]();
  assert.equal(await response.text(), "");
});

Deno.test("an unknown path is answered with plain text", async () => {
  using server = await ApiServer.start(options);
  const response = await server.fetch(new Request("https://server.invalid/apis/a.example/v1/x"));
  assert.equal(response.status, 404);
  assert.equal(await response.text(), "404 page not found\n");
});

Deno.test("a list that is sent as a stream is complete", async () => {
  using server = await ApiServer.start(options);
  const data = { x: "x".repeat(900_000) };
  for (let number = 0; number < 20; number++) {
    await call(server, "POST", CONFIG_MAPS, { metadata: { name: `a${number}` }, data });
  }
  const { body } = await call(server, "GET", CONFIG_MAPS);
  assert.equal(body.items.length, 20);
  assert.ok(body.items.every((item: { data: unknown; kind?: string }) => item.kind === undefined));
  assert.deepEqual(body.items[7].data, data);
});

Deno.test("invalid options are refused with the valid values", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(join(folder, "inner"));
    const cases: [ApiServerOptions, RegExp][] = [
      [{ controllers: ["job"] }, /controllers must be of clusterrole-.*namespace-.*, is "job"/],
      [{ serviceCidr: "ten" }, /serviceCidr must be a range of addresses, as .*, is "ten"/],
      [{ nodePorts: { first: 9, last: 1 } }, /nodePorts must be from 1 to 65535, is "9 to 1"/],
      [{ serviceAccountKey: "key" }, /serviceAccountKey must be a private key in PEM/],
      [
        { enableAdmissionPlugins: ["AlwaysAdmit"] },
        /enableAdmissionPlugins must be of Namesp.*, ServiceAccount, .*, is "AlwaysAdmit"/,
      ],
      [{ disableAdmissionPlugins: ["none"] }, /disableAdmissionPlugins must be of .*, is "none"/],
      [
        { data: join(folder, "inner") },
        /Cannot open the data file ".*": .*; give the path of a file/,
      ],
      [{ data: join(folder, "no", "such") }, /Cannot open the data file ".*such": .*; give/],
      [{ data: "" }, /data must be the path of a file, is ""/],
    ];
    for (const [wrong, message] of cases) await assert.rejects(ApiServer.start(wrong), message);
  }));

Deno.test("seed() refuses values that are not objects, and names their position", async () => {
  using server = await ApiServer.start(options);
  const good = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const bad = { apiVersion: "v1", kind: "ConfigMap" } as typeof good;
  await assert.rejects(server.seed([good, bad]), {
    name: "TypeError",
    message: "Cannot read object 2: its ConfigMap has no metadata.name",
  });
  assert.equal((await call(server, "GET", `${CONFIG_MAPS}/a`)).code, 404);
});
