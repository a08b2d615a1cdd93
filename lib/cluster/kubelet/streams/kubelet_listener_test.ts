import assert from "node:assert/strict";
import { CollectedLog } from "../../../../tests/support/faults/collected_log.ts";
import { KubeletListener } from "./kubelet_listener.ts";
import type { KubeletSource } from "./kubelet_requests.ts";

Deno.test("a kubelet accepts connections again after an error of its listener", async () => {
  await using log = await CollectedLog.start();
  const inner = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accept = inner.accept.bind(inner);
  let tries = 0;
  const accepted = Promise.withResolvers<void>();
  inner.accept = async () => {
    if (tries++ === 0) throw new Error("too many open files");
    const connection = await accept();
    accepted.resolve();
    return connection;
  };
  const { listen } = Deno;
  Deno.listen = () => inner as never;
  const opened = KubeletListener.open({} as KubeletSource);
  Deno.listen = listen;
  await using kubelet = opened!;
  using _client = await Deno.connect({ hostname: "127.0.0.1", port: kubelet.port });
  await accepted.promise;
  assert.deepEqual(log.messages("warning"), [
    "The kubelet cannot accept a connection: too many open files",
  ]);
});
