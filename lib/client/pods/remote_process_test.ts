import assert from "node:assert/strict";
import { FakeSocket, fakeSocketCalls, onChannel } from "../../../tests/client/fake_socket.ts";
import { ApiError } from "../errors/api_error.ts";
import { podAttach, podExec, podExecOutput } from "./pod_exec.ts";
import { StreamBrokenError } from "../errors/unreachable_error.ts";

const V5 = "v5.channel.k8s.io";
const SUCCESS = onChannel(3, `{"status":"Success"}`);
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function socketOf(...messages: (Uint8Array | Error)[]): FakeSocket {
  const socket = new FakeSocket(V5, ...messages);
  socket.end();
  return socket;
}

Deno.test("podExec() requests the container, each word of the command, and the streams", async () => {
  const client = fakeSocketCalls(socketOf(SUCCESS));
  const command = ["sh", "-c", "echo a b"];
  using _ = await podExec(client, "default/web", { command, container: "app", tty: true });
  const { path, query, protocols } = client.requests[0]!;
  assert.equal(path, "/api/v1/namespaces/default/pods/web/exec");
  assert.deepEqual(protocols, [V5, "v4.channel.k8s.io"]);
  assert.deepEqual(query, {
    command,
    container: "app",
    stdin: false,
    stdout: true,
    stderr: false,
    tty: true,
  });
});

Deno.test("podExecOutput() separates the outputs, however the messages are cut", async () => {
  const socket = socketOf(
    onChannel(1),
    onChannel(1, "one "),
    onChannel(2, "err"),
    onChannel(1, [0xc3]),
    onChannel(1, [0xa9]),
    onChannel(3, `{"status":"Failure","reason":"NonZeroExitCode",`),
    onChannel(3, `"details":{"causes":[{"reason":"ExitCode","message":"42"}]}}`),
  );
  const output = await podExecOutput(fakeSocketCalls(socket), "default/web", { command: ["x"] });
  assert.equal(text(output.stdout), "one é");
  assert.equal(text(output.stderr), "err");
  assert.equal(output.code, 42);
  assert.equal(output.success, false);
  assert(socket.disposed);
});

Deno.test("a process that could not run rejects with the message of the server", async () => {
  const why = `{"status":"Failure","message":"container not found","reason":"NotFound","code":404}`;
  for (const [message, code] of [[why, 404], ["plain words", 500]] as const) {
    const client = fakeSocketCalls(socketOf(onChannel(3, message)));
    await assert.rejects(podExecOutput(client, "default/web", { command: ["x"] }), (error) => {
      assert(error instanceof ApiError);
      assert.equal(error.code, code);
      assert.equal(error.message, code === 404 ? "container not found" : "plain words");
      return true;
    });
  }
});

Deno.test("a status that is no object rejects with its text; a malformed exit code counts as 1", async () => {
  const run = (status: string) =>
    podExecOutput(fakeSocketCalls(socketOf(onChannel(3, status))), "default/web", {
      command: ["x"],
    });
  for (const status of ["null", "42", '"no such process"', "[]"]) {
    await assert.rejects(run(status), (error) => {
      assert(error instanceof ApiError, String(error));
      assert.deepEqual([error.code, error.message], [500, status]);
      return true;
    });
  }
  const reason = "ExitCode";
  const malformed = [{}, [], [null], [{ reason, message: "" }], [{ reason, message: "signal 9" }]];
  for (const causes of malformed) {
    const status = { status: "Failure", reason: "NonZeroExitCode", details: { causes } };
    assert.equal((await run(JSON.stringify(status))).code, 1, JSON.stringify(causes));
  }
});

Deno.test("a connection lost before the status breaks the outputs; one lost after it does not", async () => {
  const lost = new Error("reset by peer");
  using broken = await podExec(
    fakeSocketCalls(socketOf(onChannel(1, "half"), lost)),
    "default/web",
    {
      command: ["x"],
    },
  );
  await assert.rejects(new Response(broken.stdout).text(), StreamBrokenError);
  await assert.rejects(new Response(broken.stderr).text(), StreamBrokenError);
  await assert.rejects(broken.status, /exec in pod default\/web.*reset by peer/);
  using silent = await podExec(fakeSocketCalls(socketOf()), "default/web", { command: ["x"] });
  await assert.rejects(silent.status, /ended before the status of the process/);
  using fine = await podExec(fakeSocketCalls(socketOf(SUCCESS, lost)), "default/web", {
    command: ["x"],
  });
  assert.deepEqual(await fine.status, { success: true, code: 0 });
});

Deno.test("an output whose process has no status fails with its error, after what has arrived", async () => {
  const large = "x".repeat(70_000);
  for (const ends of [[], [new Error("reset by peer")]]) {
    for (const outputs of [[], ["half"], ["one", "two", "three"], [large], ["one", large]]) {
      const messages = outputs.map((each) => onChannel(1, each));
      const client = fakeSocketCalls(socketOf(...messages, ...ends));
      using running = await podExec(client, "default/web", { command: ["x"] });
      await new Promise((resolve) => setTimeout(resolve)); // the connection has ended by now
      const reader = running.stdout.getReader();
      for (const each of outputs) assert.equal(text((await reader.read()).value!), each);
      const failed = (error: unknown): unknown => error;
      const error = await running.status.catch(failed);
      assert.ok(error instanceof StreamBrokenError, String(error));
      assert.equal(await reader.read().catch(failed), error);
      assert.equal(await reader.closed.catch(failed), error);
      assert.equal(await running.stderr.getReader().read().catch(failed), error);
    }
  }
});

Deno.test("an output that is cancelled or not read after the connection was lost is no error", async () => {
  const client = fakeSocketCalls(socketOf(onChannel(1, "half")));
  using running = await podExec(client, "default/web", { command: ["x"] });
  await assert.rejects(running.status, StreamBrokenError);
  await running.stdout.cancel();
});

Deno.test("stdin is sent in messages of 32 KiB; its end is sent if the protocol supports it", async () => {
  for (const protocol of [V5, "v4.channel.k8s.io"]) {
    const socket = new FakeSocket(protocol);
    using running = await podExec(fakeSocketCalls(socket), "default/web", {
      command: ["x"],
      stdin: true,
    });
    const writer = running.stdin.getWriter();
    await writer.write(new Uint8Array(70_000).fill(7));
    await running.resize({ columns: 80, rows: 24 });
    await writer.close();
    const sizes = socket.sent.filter((each) => each[0] === 0).map((each) => each.byteLength - 1);
    assert.deepEqual(sizes, [32_768, 32_768, 4_464]);
    assert.equal(text(socket.sent[3]!), `\x04{"Width":80,"Height":24}`);
    assert.deepEqual(socket.sent.slice(4), protocol === V5 ? [Uint8Array.of(255, 0)] : []);
  }
});

Deno.test("stdin that was not requested refuses writes", async () => {
  using attached = await podAttach(fakeSocketCalls(new FakeSocket(V5)), "default/web");
  const writer = attached.stdin.getWriter();
  await assert.rejects(writer.write(Uint8Array.of(1)), /stdin was not requested/);
  await assert.rejects(writer.closed);
});

Deno.test("an unread output blocks the connection; a cancelled one does not", async () => {
  const chunk = onChannel(1, "x".repeat(16_000));
  const socket = new FakeSocket(V5, ...Array.from({ length: 50 }, () => chunk), SUCCESS);
  socket.end();
  using running = await podExec(fakeSocketCalls(socket), "default/web", { command: ["x"] });
  await new Promise((resolve) => setTimeout(resolve));
  assert(socket.received < 10, `${socket.received} messages were taken in`);
  await running.stdout.cancel();
  assert.equal((await running.status).code, 0);
  assert.equal(socket.received, 51);
});
