import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { requestUrl } from "./request_url.ts";

/** The parts of a URL by the URL parser alone. */
function parsed(text: string): object {
  const { origin, host, pathname, search } = new URL(text);
  return { origin, host, target: pathname + search, query: search };
}

const SERVERS = [
  ...["https://10.0.0.1:6443", "https://api.example/base/", "http://[::1]:8080"],
  "https://api.example:443", // The parser drops the port, so that all its texts are parsed.
];
const PIECES = [
  ..."/?#%.&=+-_~!$'()*,;:@ \t\n\"<>{}|\\^`aZ0é\u{1f600}",
  ...["//", "/.", "/..", "/../", "%2e", "%2E%2e", "/%2e/", "%", "%zz", ":443", "@evil.example/"],
];
const PLAIN_PIECES = ["/api/v1/pods", "/a%20b", "?", "watch=true", "&limit=1", "/.well-known", "~"];

/** Calls a function, and returns the number of URLs that it parsed. */
function parsesOf(work: () => void): number {
  const { URL: own } = globalThis;
  let parses = 0;
  globalThis.URL = class extends own {
    constructor(...args: ConstructorParameters<typeof own>) {
      super(...args);
      parses++;
    }
  };
  try {
    work();
  } finally {
    globalThis.URL = own;
  }
  return parses;
}

Deno.test("the URL of a request is not parsed if it is normal and below that of its server", () => {
  for (const server of ["https://10.0.0.1:6443", "https://api.example/base", "http://[::1]:8080"]) {
    const base = new URL(server);
    for (const path of ["/api/v1/pods", "/apis/apps/v1/deployments?watch=true&limit=1", "/a%20b"]) {
      const parts = parsed(server + path);
      const parses = parsesOf(() =>
        assert.deepEqual({ ...requestUrl(server + path, base) }, parts)
      );
      assert.equal(parses, 0, server + path);
    }
    assert.equal(parsesOf(() => void requestUrl(`${server}/a/../b`, base)), 1);
  }
});

Deno.test("the URL of a request has the parts that the URL parser gives it: random texts", () => {
  const { random } = printedRandom();
  let normal = 0;
  for (let round = 0; round < 20_000; round++) {
    const server = SERVERS[round % SERVERS.length]!;
    const choice = random.next() < 0.5 ? PLAIN_PIECES : [...PLAIN_PIECES, ...PIECES];
    const pieces = Array.from(
      { length: Math.floor(random.next() * 6) },
      () => choice[Math.floor(random.next() * choice.length)]!,
    );
    const text = server.replace(/\/$/, "") + pieces.join("");
    if (!URL.canParse(text)) {
      assert.throws(() => requestUrl(text, new URL(server)), TypeError, text);
      continue;
    }
    assert.deepEqual({ ...requestUrl(text, new URL(server)) }, parsed(text), text);
    if (new URL(text).href === text) normal++;
  }
  assert(normal > 1_000, `only ${normal} texts were normal`);
});
