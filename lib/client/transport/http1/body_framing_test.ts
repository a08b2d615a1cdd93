import assert from "node:assert/strict";
import type { HeaderPair } from "./header_pair.ts";
import { bodyFraming, keepsConnection } from "./body_framing.ts";
import type { ResponseHead } from "./response_head.ts";

function head(
  headers: readonly HeaderPair[],
  { status = 200, old = false }: { readonly status?: number; readonly old?: boolean } = {},
): ResponseHead {
  return { status, reason: "", headers, old };
}

const LENGTH = ["Content-Length", "5"] as const;
const CHUNKED = ["Transfer-Encoding", "chunked"] as const;

Deno.test("RFC 9112, 6.3: the framing of a body", () => {
  assert.deepEqual(bodyFraming("GET", head([LENGTH])), { by: "length", bytes: 5 });
  assert.deepEqual(bodyFraming("GET", head([CHUNKED])), { by: "chunks" });
  assert.deepEqual(bodyFraming("GET", head([["transfer-encoding", "Chunked"]])), { by: "chunks" });
  assert.deepEqual(bodyFraming("GET", head([])), { by: "close" });
});

Deno.test("RFC 9112, 6.3: answers without a body, whatever their headers say", () => {
  for (const headers of [[LENGTH], [CHUNKED], []]) {
    for (const status of [101, 204, 304]) {
      assert.deepEqual(bodyFraming("GET", head(headers, { status })), { by: "nothing" });
    }
    assert.deepEqual(bodyFraming("HEAD", head(headers)), { by: "nothing" });
  }
});

Deno.test("RFC 9112, 6.3: a repeated length is accepted if it is the same", () => {
  const twice = head([LENGTH, ["content-length", "5"]]);
  assert.deepEqual(bodyFraming("GET", twice), { by: "length", bytes: 5 });
  assert.deepEqual(bodyFraming("GET", head([["Content-Length", "5, 5"]])), {
    by: "length",
    bytes: 5,
  });
});

Deno.test("RFC 9112, 6.3: lengths that differ, or are invalid, are refused", () => {
  const bad = [
    "5, 6",
    "-1",
    "+5",
    "0x5",
    "5.0",
    "",
    "5,",
    "1e3",
    "9".repeat(16),
    "5 5",
    "\xa05",
    "5\x85",
  ];
  for (const value of bad) {
    assert.throws(() => bodyFraming("GET", head([["Content-Length", value]])), {
      code: "HPE_INVALID_CONTENT_LENGTH",
    }, value);
  }
  assert.throws(() => bodyFraming("GET", head([LENGTH, ["Content-Length", "6"]])), {
    code: "HPE_INVALID_CONTENT_LENGTH",
  });
});

Deno.test("RFC 9112, 6.3: a length beside chunks is refused, in either order", () => {
  for (const headers of [[LENGTH, CHUNKED], [CHUNKED, LENGTH]]) {
    assert.throws(() => bodyFraming("GET", head(headers)), {
      code: "HPE_INVALID_TRANSFER_ENCODING",
    });
  }
});

Deno.test("RFC 9112, 6.1: codings other than chunked, and any in HTTP/1.0, are refused", () => {
  for (
    const value of [
      "gzip",
      "gzip, chunked",
      "chunked, chunked",
      "identity",
      "xchunked",
      "\xa0chunked",
      "",
    ]
  ) {
    assert.throws(() => bodyFraming("GET", head([["Transfer-Encoding", value]])), {
      code: "HPE_INVALID_TRANSFER_ENCODING",
    }, value);
  }
  assert.throws(() => bodyFraming("GET", head([CHUNKED], { old: true })), {
    code: "HPE_INVALID_TRANSFER_ENCODING",
  });
});

Deno.test("a connection is kept unless the answer closes it, is HTTP/1.0, or switches protocols", () => {
  assert.ok(keepsConnection(head([])));
  assert.ok(keepsConnection(head([["Connection", "keep-alive"]])));
  assert.ok(!keepsConnection(head([["connection", "X, Close"]])));
  assert.ok(!keepsConnection(head([], { old: true })));
  assert.ok(!keepsConnection(head([], { status: 101 })));
});

Deno.test("RFC 9110, 8.6: a connection is not kept after a 204 that announces a body", () => {
  for (const header of [LENGTH, CHUNKED]) {
    assert.ok(!keepsConnection(head([header], { status: 204 })));
    assert.ok(keepsConnection(head([header], { status: 304 })));
  }
  assert.ok(keepsConnection(head([["Content-Length", "0"]], { status: 204 })));
  assert.ok(keepsConnection(head([], { status: 204 })));
});
