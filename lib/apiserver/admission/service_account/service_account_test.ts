import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "../../../apimachinery/base/time/fake_clock.ts";
import { ApiServer } from "../../server.ts";
import type { ApiServerOptions } from "../../server_options.ts";

const PODS = "/api/v1/namespaces/default/pods";
const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
const WITH_PLUGIN: ApiServerOptions = { enableAdmissionPlugins: ["ServiceAccount"] };

async function post(
  server: ApiServer,
  path: string,
  body: unknown,
  // deno-lint-ignore no-explicit-any -- the body of an answer.
): Promise<{ code: number; body: any }> {
  const response = await server.fetch(
    new Request(`https://server.invalid${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    }),
  );
  return { code: response.status, body: await response.json() };
}

function pod(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: "c", image: "i" }], ...spec } };
}

function virtualServer(clock: FakeClock): Promise<ApiServer> {
  return ApiServer.start({ clock, random: seededRandom(1), ...WITH_PLUGIN });
}

Deno.test("a pod waits for the account default of a new namespace, and no longer", async () => {
  const clock = new FakeClock();
  using server = await virtualServer(clock);
  const created = post(server, PODS, pod("a"));
  await clock.advance(0);
  assert.equal((await post(server, ACCOUNTS, { metadata: { name: "default" } })).code, 201);
  const { code, body } = await created; // The clock did not move.
  assert.equal(code, 201, JSON.stringify(body));
  assert.equal(body.spec.serviceAccountName, "default");
});

Deno.test("a pod whose account default is not created is refused after two seconds", async () => {
  const clock = new FakeClock();
  using server = await virtualServer(clock);
  let isAnswered = false;
  const created = post(server, PODS, pod("a")).finally(() => isAnswered = true);
  while (!isAnswered) await clock.advance(2000);
  const { code, body } = await created;
  assert.equal(code, 403);
  assert.equal(
    body.message,
    'pods "a" is forbidden: error looking up service account default/default: serviceaccount ' +
      '"default" not found',
  );
});

Deno.test("a pod of another account that does not exist is refused at once", async () => {
  const clock = new FakeClock();
  using server = await virtualServer(clock);
  const { code, body } = await post(server, PODS, pod("a", { serviceAccountName: "robot" }));
  assert.equal(code, 403);
  assert.match(body.message, /serviceaccount "robot" not found$/);
});

Deno.test("the end of the server ends the wait for an account", async () => {
  const clock = new FakeClock();
  const server = await virtualServer(clock);
  const created = post(server, PODS, pod("a"));
  await clock.advance(0);
  server[Symbol.dispose]();
  assert.equal((await created).code, 403);
});

Deno.test("without the plugin a pod gets no account", async () => {
  using server = await ApiServer.start();
  const { code, body } = await post(server, PODS, pod("a", { serviceAccountName: "robot" }));
  assert.equal(code, 201);
  assert.equal(body.spec.volumes, undefined);
});

Deno.test("admission plugins are disabled by their names, unless they are enabled too", async () => {
  const disableAdmissionPlugins = ["DefaultTolerationSeconds", "Priority"];
  using server = await ApiServer.start({
    disableAdmissionPlugins,
    enableAdmissionPlugins: ["Priority"],
  });
  const { spec } = (await post(server, PODS, pod("a"))).body;
  assert.equal(spec.tolerations, undefined);
  assert.equal(spec.priority, 0);
});
