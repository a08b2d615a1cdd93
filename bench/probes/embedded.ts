/**
 * A program that runs the embedded API server behind its front in a process of its own: it writes
 * its kubeconfig to the path given, says `ready`, and serves until its input ends.
 *
 * @module
 */
import { ApiFront, ApiServer, openServerKeys } from "../../lib/apiserver/mod.ts";
import { systemClock } from "../../lib/apimachinery/base/mod.ts";

const keys = await openServerKeys({ now: systemClock.now(), hosts: ["127.0.0.1"] });
// A kube-apiserver runs no controllers either.
using server = await ApiServer.start({ serviceAccountKey: keys.signingKey, controllers: false });
const front = await ApiFront.listen({
  fetch: (request, peer) => server.fetch(request, peer),
  keys,
  hostname: "127.0.0.1",
  clock: systemClock,
});
Deno.writeTextFileSync(Deno.args[0]!, front.kubeconfig);
Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
for await (const _ of Deno.stdin.readable);
await front.stop({ graceMs: 0 });
