import assert from "node:assert/strict";
import { FakeSocket } from "../../../tests/client/fake_socket.ts";
import { GatedSocket } from "./gated_socket.ts";

Deno.test("F37 a WebSocket of a run sends no message that the gate refuses, and is still read and closed", async () => {
  const socket = new FakeSocket("v5.channel.k8s.io");
  let admits = true;
  using gated = new GatedSocket(socket, () => {
    if (!admits) throw new Error("the lease may be lost");
  });
  assert.equal(gated.protocol, "v5.channel.k8s.io");
  await gated.send(Uint8Array.of(1));
  admits = false;
  await assert.rejects(gated.send(Uint8Array.of(2)), /the lease may be lost/);
  assert.deepEqual(socket.sent, [Uint8Array.of(1)]);
  const next = gated.receive();
  socket.push(Uint8Array.of(3));
  assert.deepEqual(await next, Uint8Array.of(3));
});
