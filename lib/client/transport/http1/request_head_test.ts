import assert from "node:assert/strict";
import { requestHeadText } from "./request_head.ts";

Deno.test("requestHeadText() returns the request line, the headers in order, and an empty line", () => {
  const text = requestHeadText({
    method: "GET",
    target: "/api?x=%20",
    headers: [["Host", "a:6443"], ["X-Group", "one"], ["X-Group", "two, three"]],
  });
  assert.equal(
    text,
    "GET /api?x=%20 HTTP/1.1\r\nHost: a:6443\r\nX-Group: one\r\nX-Group: two, three\r\n\r\n",
  );
});

for (
  const [what, head] of [
    ["a method with a space", { method: "GET /x", target: "/", headers: [] }],
    ["a target with a space", { method: "GET", target: "/a b", headers: [] }],
    ["a target with a line break", { method: "GET", target: "/\r\nX: y", headers: [] }],
    ["an empty target", { method: "GET", target: "", headers: [] }],
    ["a name with a colon", { method: "GET", target: "/", headers: [["a:b", "c"]] }],
    ["an empty name", { method: "GET", target: "/", headers: [["", "c"]] }],
    ["a value with CRLF", { method: "GET", target: "/", headers: [["a", "secret\r\nX: y"]] }],
    ["a value with LF", { method: "GET", target: "/", headers: [["a", "secret\nX: y"]] }],
    ["a value with NUL", { method: "GET", target: "/", headers: [["a", "secret\0"]] }],
    ["a value beyond Latin-1", { method: "GET", target: "/", headers: [["a", "secret\u0100"]] }],
  ] as const
) {
  Deno.test(`a request with ${what} is not sent, and its values are not shown`, () => {
    assert.throws(() => requestHeadText(head), (error) => {
      assert.ok(error instanceof TypeError);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  });
}
