import assert from "node:assert/strict";
import { Pod } from "@xca/apimachinery/meta";
import { scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import { createClient } from "../create_client.ts";
import { dynamicClient } from "../dynamic_client.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { restClient } from "../rest/rest_builder.ts";
import type { Client } from "./client.ts";

const WATCHES: Record<string, (client: Client) => AsyncIterable<unknown>> = {
  "the client": (client) => client.watch(Pod),
  "the dynamic client": (client) =>
    dynamicClient(client).resource({ group: "", version: "v1", plural: "pods" }).watch(),
  "the REST client": (client) => restClient(client).get().resource(Pod).watch(),
};

const STATUS = { kind: "Status", apiVersion: "v1", status: "Failure", message: "no", code: 500 };
const LIST = { kind: "PodList", apiVersion: "v1", metadata: {}, items: [] };
const PAGE = "<html>sign in</html>";

/** The answers that are no watch, with what an error says about each. */
const OTHERS: [answer: () => Response, said: RegExp][] = [
  [() => Response.json(null), /: it is null; /],
  [() => new Response("null\n"), /: it is null; /],
  [() => Response.json({}), /: it is an object without a type; /],
  [() => Response.json(STATUS), /: it is a Status of v1, saying "no"; /],
  [() => new Response(`${JSON.stringify(STATUS)}\n`), /: it is a Status of v1, saying "no"; /],
  [() => Response.json(LIST), /: it is a PodList of v1; /],
  [() => Response.json({ items: [] }), /: it is a list; /],
  [() => new Response(JSON.stringify(LIST, null, 2)), /: it is JSON in several lines; /],
  [() => Response.json([]), /: it is an array; /],
  [() => Response.json("ok"), /: it is a string; /],
  [() => new Response("Unauthorized\n"), /: it is a text that is not JSON; /],
  [() => new Response(PAGE), /: it begins as a page does: <html; /],
  [
    () => new Response(PAGE, { headers: { "content-type": "text/html" } }),
    /: it is a page \(content-type text\/html\); /,
  ],
  [() => new Response(null, { status: 204 }), /: the server answered 204, which has no body; /],
];

for (const [by, watch] of Object.entries(WATCHES)) {
  Deno.test(`an answer that is no watch is an error that names the call: watch of ${by}`, async () => {
    for (const [answer, said] of OTHERS) {
      using client = createClient({ server: "https://a.example" }, {
        fetch: scriptedFetch(answer()).fetch,
      });
      await assert.rejects(Array.fromAsync(watch(client)), (error) => {
        assert.ok(error instanceof DecodeError, `${error}`);
        assert.match(
          error.message,
          /^Cannot take the answer to GET \/api\/v1\/pods as a watch of /,
        );
        assert.match(error.message, said);
        return true;
      });
    }
  });

  Deno.test(`a watch without events, or whose first event is damaged, ends without an error: ${by}`, async () => {
    const event = { type: "ADDED", object: { kind: "Pod", apiVersion: "v1", metadata: {} } };
    for (
      const [body, count] of [
        ["", 0],
        ["\n\n", 0],
        [`{"type":"ADDED","object":{"metadata"\n${JSON.stringify(event)}\n`, 1],
        [`${JSON.stringify({ ...event, type: "RENAMED" })}\n${JSON.stringify(event)}\n`, 1],
        [`${JSON.stringify(event)}\nnull\n${JSON.stringify(event)}\n`, 2],
        [`${JSON.stringify(event)}\n{"type":"ADDED"`, 1],
      ] as const
    ) {
      using client = createClient({ server: "https://a.example" }, {
        fetch: scriptedFetch(new Response(body)).fetch,
      });
      assert.equal((await Array.fromAsync(watch(client))).length, count, body);
    }
  });
}

Deno.test("an event of another kind ends a watch, also where its kind comes after its metadata", async () => {
  const metadata = { name: "a" };
  const object = { metadata, kind: "Lease", apiVersion: "coordination.k8s.io/v1" };
  const body = `${JSON.stringify({ type: "ADDED", object })}\n`;
  for (const by of ["the client", "the REST client"]) {
    using client = createClient({ server: "https://a.example" }, {
      fetch: scriptedFetch(new Response(body)).fetch,
    });
    await assert.rejects(Array.fromAsync(WATCHES[by]!(client)), /: it is a Lease of coordination/);
  }
  using client = createClient({ server: "https://a.example" }, {
    fetch: scriptedFetch(new Response(body), new Response(body)).fetch,
  });
  const rest = restClient(client);
  const asked = rest.resource(Pod).header("Accept", "application/json;as=Table");
  assert.equal((await Array.fromAsync(asked.watch())).length, 1, "another kind is requested");
  assert.equal((await Array.fromAsync(rest.resource("pods").watch())).length, 1, "none is known");
});
