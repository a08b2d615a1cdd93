/** Tests of responses with a status of success and an unexpected body. */
import assert from "node:assert/strict";
import { scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import { Deployment, metadataOf, Pod } from "@xca/apimachinery/meta";
import type { Client } from "./client.ts";
import { createClient } from "../create_client.ts";
import { AnswerTooLargeError, DecodeError } from "../errors/decode_error.ts";
import { mergePatch } from "./patch.ts";
import { getScale, updateScale } from "../subresources/scale.ts";
import { reviewOwnAccess } from "../subresources/access_review.ts";
import { requestToken, reviewToken, whoAmI } from "../subresources/token_request.ts";

const metadata = { name: "web", namespace: "default" };
const POD = { apiVersion: "v1" as const, kind: "Pod" as const, metadata };

const CALLS: Record<string, (client: Client) => Promise<unknown>> = {
  "GET /api/v1/namespaces/default/pods/web": (client) => client.get(Pod, "default/web"),
  "POST /api/v1/namespaces/default/pods": (client) => client.create(Pod, POD),
  "PUT /api/v1/namespaces/default/pods/web": (client) => client.update(Pod, POD),
  "PUT /api/v1/namespaces/default/pods/web/status": (client) => client.updateStatus(Pod, POD),
  "PATCH /api/v1/namespaces/default/pods/web": (client) =>
    client.patch(Pod, "default/web", mergePatch({})),
  "PATCH /api/v1/namespaces/default/pods/web/status": (client) =>
    client.patchStatus(Pod, "default/web", mergePatch({})),
  "GET /api/v1/namespaces/default/pods": (client) => client.list(Pod, { namespace: "default" }),
  "GET /apis/apps/v1/namespaces/default/deployments/web/scale": (client) =>
    getScale(client, Deployment, "default/web"),
  "PUT /apis/apps/v1/namespaces/default/deployments/web/scale": (client) =>
    updateScale(client, Deployment, { metadata }),
  "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews": (client) =>
    reviewOwnAccess(client, { verb: "get", type: Pod }),
  "POST /apis/authentication.k8s.io/v1/tokenreviews": (client) => reviewToken(client, "t"),
  "POST /apis/authentication.k8s.io/v1/selfsubjectreviews": (client) => whoAmI(client),
  "POST /api/v1/namespaces/default/serviceaccounts/a/token": (client) =>
    requestToken(client, "default/a"),
};

const ANSWERS: Record<string, [answer: unknown, said: RegExp]> = {
  "null": [null, /: it is null; /],
  "an empty object": [{}, /: it has (no|neither) /],
  "an array": [[], /: it is an array; /],
  "a text": ["ok", /: it is a string; /],
  "a Status of success": [
    { kind: "Status", apiVersion: "v1", status: "Success", message: "done" },
    /: it is a Status of v1, saying "done"; /,
  ],
  "another kind": [
    { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata: { name: "web" }, spec: {} },
    /: it is a Lease of coordination.k8s.io\/v1; |: it has no items /,
  ],
};

for (const [what, [answer, said]] of Object.entries(ANSWERS)) {
  Deno.test(`${what} in answer to a typed call is an error that names the call`, async () => {
    for (const [call, run] of Object.entries(CALLS)) {
      const { fetch } = scriptedFetch(Response.json(answer));
      using client = createClient({ server: "https://a.example" }, { fetch });
      const error = await run(client).catch((error: unknown) => error);
      assert.ok(error instanceof DecodeError, `${call}: ${error}`);
      assert.ok(error.message.startsWith(`Cannot take the answer to ${call} as `), error.message);
      assert.match(error.message, said);
    }
  });
}

Deno.test("an item of a list of another kind, or without one, is an error that names its index", async () => {
  for (const item of [null, { kind: "Lease", metadata: {} }, {}]) {
    const items = [POD, item];
    const { fetch } = scriptedFetch(Response.json({ kind: "PodList", metadata: {}, items }));
    using client = createClient({ server: "https://a.example" }, { fetch });
    await assert.rejects(client.list(Pod), /as item 1 of a list of pods\.v1: /);
  }
});

Deno.test("an object of the right kind in another version is refused", async () => {
  const old = { metadata, kind: "Deployment", apiVersion: "extensions/v1beta1" };
  const { fetch } = scriptedFetch(Response.json(old));
  using client = createClient({ server: "https://a.example" }, { fetch });
  await assert.rejects(
    client.get(Deployment, "default/web"),
    /as a Deployment of apps\/v1: it is a Deployment of extensions\/v1beta1/,
  );
});

Deno.test("an answer without a body is an error that names it empty", async () => {
  const { fetch } = scriptedFetch(new Response(null, { status: 204 }));
  using client = createClient({ server: "https://a.example" }, { fetch });
  await assert.rejects(client.get(Pod, "default/web"), /GET \/api.*\/pods\/web: it is empty/);
});

Deno.test("an answer beyond its limit is an error that names the call, and the rest is not read", async () => {
  let sent = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
  const { fetch } = scriptedFetch(new Response(body()), new Response(body()));
  using client = createClient({ server: "https://a.example" }, { fetch });
  await assert.rejects(
    client.requestJson({ path: "/big", maxBytes: 4 * 1024 * 1024 }),
    (error) => {
      assert.ok(error instanceof AnswerTooLargeError);
      assert.match(
        error.message,
        /^Cannot take the answer to GET \/big: it is longer than 4194304 bytes/,
      );
      return true;
    },
  );
  assert.ok(sent < 8, `${sent} MB`);
  await assert.rejects(client.get(Pod, "default/web"), /longer than 134217728 bytes/);
  assert.ok(sent < 140, `${sent} MB`);
});

const LEASE = { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata: { name: "web" } };
const DELETED = { kind: "Status", apiVersion: "v1", status: "Success" };

/** The client calls that delete, by the name of the call in their errors. */
const DELETIONS: Record<string, (client: Client) => Promise<void>> = {
  "DELETE /api/v1/namespaces/default/pods/web": (client) => client.delete(Pod, "default/web"),
  "DELETE /api/v1/namespaces/default/pods": (client) =>
    client.deleteCollection(Pod, { namespace: "default" }),
};

Deno.test("a deletion is confirmed by a Status of success, the object or a list of the resource", async () => {
  const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items: [{ metadata }] };
  const empty = { metadata: {}, items: [] };
  const answers = [DELETED, POD, { metadata }, list, empty, { ...list, items: null }];
  for (const answer of answers) {
    for (const run of Object.values(DELETIONS)) {
      const { fetch } = scriptedFetch(Response.json(answer));
      using client = createClient({ server: "https://a.example" }, { fetch });
      await run(client);
    }
  }
});

Deno.test("any other answer to a deletion is an error that names the call and the answer", async () => {
  const answers: [answer: unknown, said: RegExp][] = [
    [null, /: it is null; /],
    [{}, /: it has no metadata; /],
    [[], /: it is an array; /],
    [{ ...DELETED, status: "Failure", message: "no" }, /: it is a Status of v1, saying "no"; /],
    [{ kind: "Status", apiVersion: "v1" }, /: it is a Status of v1; /],
    [LEASE, /: it is a Lease of coordination\.k8s\.io\/v1; /],
    [
      { kind: "LeaseList", apiVersion: "v1", metadata: {}, items: [] },
      /: it is a LeaseList of v1; /,
    ],
    [{ metadata: {}, items: [LEASE] }, /item 0 .*: it is a Lease /],
  ];
  for (const [answer, said] of answers) {
    for (const [call, run] of Object.entries(DELETIONS)) {
      const { fetch } = scriptedFetch(Response.json(answer));
      using client = createClient({ server: "https://a.example" }, { fetch });
      const error = await run(client).catch((error: unknown) => error);
      assert.ok(error instanceof DecodeError, `${call}: ${error}`);
      assert.ok(error.message.startsWith(`Cannot take the answer to ${call} as `), error.message);
      assert.match(error.message, said);
    }
  }
});

Deno.test("a page in answer to a deletion is an error that names the call", async () => {
  const page = new Response("<html>sign in</html>", { headers: { "content-type": "text/html" } });
  const { fetch } = scriptedFetch(page);
  using client = createClient({ server: "https://a.example" }, { fetch });
  await assert.rejects(client.delete(Pod, "default/web"), (error) => {
    assert.ok(error instanceof DecodeError);
    assert.match(error.message, /DELETE \/api\/v1\/namespaces\/default\/pods\/web: .*a page/);
    return true;
  });
});

Deno.test("watch() yields the events before an object of another kind, and ends with an error", async () => {
  const lines = [
    { type: "ADDED", object: POD },
    { type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1", metadata: {} } },
    { type: "ADDED", object: LEASE },
    { type: "ADDED", object: POD },
  ];
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { fetch } = scriptedFetch(new Response(body));
  using client = createClient({ server: "https://a.example" }, { fetch });
  const seen: string[] = [];
  const watch = async (): Promise<void> => {
    for await (const { type } of client.watch(Pod)) seen.push(type);
  };
  await assert.rejects(watch, (error) => {
    assert.ok(error instanceof DecodeError);
    assert.match(
      error.message,
      /GET \/api\/v1\/pods as the object of a watch event of pods\.v1: it is a Lease of /,
    );
    return true;
  });
  assert.deepEqual(seen, ["ADDED", "BOOKMARK"]);
});

Deno.test("watch() of metadata alone takes PartialObjectMetadata, and watch() of objects does not", async () => {
  const object = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
  const body = `${JSON.stringify({ type: "ADDED", object })}\n`;
  const { fetch } = scriptedFetch(new Response(body), new Response(body));
  using client = createClient({ server: "https://a.example" }, { fetch });
  const [event] = await Array.fromAsync(client.watch(metadataOf(Pod)));
  assert.equal(event?.object.kind, "PartialObjectMetadata");
  await assert.rejects(
    Array.fromAsync(client.watch(Pod)),
    /it is a PartialObjectMetadata of meta\.k8s\.io\/v1; /,
  );
});
