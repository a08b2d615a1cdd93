import assert from "node:assert/strict";
import { ApiServer } from "./server.ts";

/**
 * These tests ask who is answered first, not how long anything takes: a server that holds the event
 * loop until it is done answers the short request last.
 */

const NAMESPACE = "/api/v1/namespaces/default";

async function call(server: ApiServer, method: string, path: string, body?: unknown) {
  const answer = await server.fetch(
    new Request(`https://x${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    }),
  );
  return { code: answer.status, body: await answer.json() };
}

/** Reports whether timers have their turn, and another request its answer, before a request ends. */
async function othersHaveTheirTurn(
  server: ApiServer,
  request: () => Promise<unknown>,
): Promise<boolean> {
  let ended = false;
  const done = request().finally(() => ended = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await call(server, "GET", NAMESPACE);
  const before = !ended;
  await done;
  return before;
}

async function makeConfigMaps(server: ApiServer, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const metadata = { name: `c${i}`, labels: { number: String(i) } };
    await call(server, "POST", `${NAMESPACE}/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
    });
  }
}

Deno.test("a deletion of many objects lets others have their turn, and stops with its caller", async () => {
  using server = await ApiServer.start();
  await makeConfigMaps(server, 2000);
  const abort = new AbortController();
  const path = `https://x${NAMESPACE}/configmaps`;
  const request = new Request(path, { method: "DELETE", signal: abort.signal });
  const aborted = await othersHaveTheirTurn(server, () => {
    const answered = server.fetch(request);
    setTimeout(() => abort.abort(), 5);
    return answered;
  });
  assert.equal(aborted, true);
  const left = (await call(server, "GET", `${NAMESPACE}/configmaps`)).body.items.length;
  assert.ok(left > 0, "a deletion whose caller has gone goes no further");
  const whole = () => call(server, "DELETE", `${NAMESPACE}/configmaps`);
  assert.equal(await othersHaveTheirTurn(server, whole), true);
  assert.equal((await call(server, "GET", `${NAMESPACE}/configmaps`)).body.items.length, 0);
});

Deno.test("watches with selectors over many objects let others have their turn, and show each what it selects", async () => {
  using server = await ApiServer.start();
  await makeConfigMaps(server, 2000);
  const query = "watch=1&resourceVersion=0&allowWatchBookmarks=true&timeoutSeconds=1";
  const open = async (selector: string): Promise<string> => {
    const path = `https://x${NAMESPACE}/configmaps?${query}&${selector}`;
    const answer = await server.fetch(new Request(path));
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("BOOKMARK")) text += (await reader.read()).value ?? "BOOKMARK";
    await reader.cancel();
    return [...text.matchAll(/"name":"(c\d+)"/g)].map(([, name]) => name).join(" ");
  };
  let shown: string[] = [];
  const all = async () => {
    shown = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => open(`labelSelector=number!=${i},number>1997`)),
      open("labelSelector=number in (5,1500)"),
    ]);
  };
  assert.equal(await othersHaveTheirTurn(server, all), true);
  assert.equal(shown[0], "c1998 c1999");
  assert.equal(shown.at(-1), "c1500 c5");
});
