import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { matchesLabels, parseLabelSelector as parseMeta } from "@xca/apimachinery/meta";
import { encodeAnswer } from "./encode.ts";
import { parseFieldSelector } from "./field_selector.ts";
import { parseLabelSelector } from "./label_selector.ts";
import { negotiate } from "./media_types.ts";
import { requestInfo } from "./request_info.ts";

const info = (method: string, path: string) =>
  requestInfo(method, new URL(`https://server.invalid${path}`));

Deno.test("requestInfo() parses group, version, namespace, resource, name and subresource", () => {
  const { verb, group, version, namespace, resource, name, subresource } = info(
    "GET",
    "/apis/apps/v1/namespaces/a/deployments/d/scale",
  );
  assert.deepEqual(
    { verb, group, version, namespace, resource, name, subresource },
    {
      verb: "get",
      group: "apps",
      version: "v1",
      namespace: "a",
      resource: "deployments",
      name: "d",
      subresource: "scale",
    },
  );
});

Deno.test("requestInfo() distinguishes a namespace from the objects in it", () => {
  assert.deepEqual(
    ["/api/v1/namespaces", "/api/v1/namespaces/a", "/api/v1/namespaces/a/status"].map((path) => {
      const { verb, resource, namespace, name, subresource } = info("GET", path);
      return [verb, resource, namespace, name, subresource].join(" ");
    }),
    ["list namespaces   ", "get namespaces a a ", "get namespaces a a status"],
  );
});

Deno.test("requestInfo() derives the verb from method, name and query", () => {
  const verbs = [
    info("GET", "/api/v1/pods"),
    info("GET", "/api/v1/pods?watch=1"),
    info("GET", "/api/v1/pods?watch=false"),
    info("GET", "/api/v1/watch/pods"),
    info("DELETE", "/api/v1/namespaces/a/pods"),
    info("DELETE", "/api/v1/namespaces/a/pods/p"),
    info("POST", "/api/v1/namespaces/a/pods"),
    info("PATCH", "/api/v1/namespaces/a/pods/p"),
    info("GET", "/healthz"),
  ].map(({ verb }) => verb);
  const expected = "list watch list watch deletecollection delete create patch get";
  assert.equal(verbs.join(" "), expected);
});

Deno.test("requestInfo() finds no resource in short paths", () => {
  for (const path of ["/", "/api", "/api/v1", "/apis/apps", "/apis/apps/v1", "/version"]) {
    assert.equal(info("GET", path).isResource, false, path);
  }
});

Deno.test("label selectors match like those of the client", () => {
  const seed = 11;
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random.next() * items.length)]!;
  const requirement = (): string =>
    pick([
      () => `${pick(["a", "b", "x/c"])}=${pick(["1", "2", ""])}`,
      () => `${pick(["a", "b"])} != ${pick(["1", "2"])}`,
      () => `${pick(["a", "b"])} in (1, ${pick(["2", "3"])})`,
      () => `${pick(["a", "b"])} notin (${pick(["1", "2"])})`,
      () => pick(["a", "!a", "b", "!b"]),
    ])();
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: Math.floor(random.next() * 4) }, requirement).join(",");
    const labels: Record<string, string> = {};
    for (const key of ["a", "b", "x/c"]) {
      if (random.next() < 0.6) labels[key] = pick(["1", "2", "3", ""]);
    }
    const ours = parseLabelSelector(text);
    assert.equal(
      ours?.(labels) ?? true,
      matchesLabels(parseMeta(text), labels),
      `seed ${seed}: ${text} of ${JSON.stringify(labels)}`,
    );
  }
});

Deno.test("selectors of random characters throw nothing but refusals", () => {
  const seed = 12;
  const random = seededRandom(seed);
  const letters = "ab=!,()<> /\\inot.1-é";
  for (let round = 0; round < 3000; round++) {
    let text = "";
    const length = Math.floor(random.next() * 12);
    while (text.length < length) text += letters[Math.floor(random.next() * letters.length)];
    for (const parse of [parseLabelSelector, parseFieldSelector]) {
      try {
        parse(text);
      } catch (error) {
        const refused = error instanceof StatusError && error.code === 400;
        assert.ok(refused, `seed ${seed}: ${JSON.stringify(text)}: ${error}`);
      }
    }
  }
});

Deno.test("parseFieldSelector() removes escapes from values", () => {
  const { terms } = parseFieldSelector("metadata.name=a\\,b\\=c\\\\,spec.x!=d")!;
  assert.deepEqual(terms, [
    { field: "metadata.name", equal: true, value: "a,b=c\\" },
    { field: "spec.x", equal: false, value: "d" },
  ]);
});

const accepts = (accept: string, query = "") =>
  negotiate(new Headers({ accept }), new URLSearchParams(query), undefined, false);

Deno.test("negotiate() chooses the best accepted media type", () => {
  assert.equal(accepts("application/vnd.kubernetes.protobuf,application/json").type, "json");
  assert.equal(accepts("application/json;q=0.3, application/yaml").type, "yaml");
  assert.equal(accepts("*/*").type, "json");
  assert.equal(accepts("application/*").type, "json");
  assert.equal(
    accepts("application/json;as=Table;v=v1;g=meta.k8s.io,application/json").as?.kind,
    "Table",
  );
  assert.equal(
    accepts("application/json;as=Table;v=v2;g=meta.k8s.io,application/json").as,
    undefined,
  );
  assert.throws(() => accepts("text/html"), StatusError);
});

Deno.test("JSON is indented on request and for command-line tools", () => {
  assert.equal(accepts("application/json", "pretty=true").pretty, true);
  assert.equal(accepts("application/json", "pretty=0").pretty, false);
  const curl = new Headers({ "user-agent": "curl/8.0" });
  assert.equal(negotiate(curl, new URLSearchParams(), undefined, false).pretty, true);
  assert.equal(
    negotiate(curl, new URLSearchParams("pretty=false"), undefined, false).pretty,
    false,
  );
});

Deno.test("large answers are compressed for clients that accept it", async () => {
  const plain = { type: "json", pretty: false, as: undefined } as const;
  const text = JSON.stringify({ data: "x".repeat(200_000) });
  const small = encodeAnswer(200, "{}", plain, "gzip");
  assert.equal(small.headers.get("content-encoding"), null);
  const large = encodeAnswer(200, text, plain, "deflate, gzip");
  assert.equal(large.headers.get("content-encoding"), "gzip");
  const unpacked = new Response(large.body!.pipeThrough(new DecompressionStream("gzip")));
  assert.equal(await unpacked.text(), `${text}\n`);
});
