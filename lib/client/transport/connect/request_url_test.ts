import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { requestUrl } from "./request_url.ts";

/** The parts of a URL by the URL parser alone. */
function parsed(text: string): object {
  const { origin, host, pathname, search } = new URL(text);
  return { origin, host, target: pathname + search, query: search };
}

const SERVERS = ["https://10.0.0.1:6443", "https://api.example:443/base/", "http://[::1]:80"];
const PIECES = [
  ..."/?#%.&=+-_~!$'()*,;:@ \t\n\"<>{}|\\^`aZ0é\u{1f600}",
  ...["//", "/.", "/..", "/../", "%2e", "%2E%2e", "/%2e/", "%", "%zz", ":443", "@evil.example/"],
];
const PLAIN_PIECES = ["/api/v1/pods", "/a%20b", "?", "watch=true", "&limit=1", "/.well-known", "~"];

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
