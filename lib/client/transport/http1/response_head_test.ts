import assert from "node:assert/strict";
import { ProtocolError } from "./protocol_error.ts";
import { headerList, MAX_HEAD_BYTES, ResponseHeadReader } from "./response_head.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

function refused(text: string, code: string): void {
  assert.throws(
    () => new ResponseHeadReader().push(bytes(text)),
    (error) => error instanceof ProtocolError && error.code === code,
    JSON.stringify(text),
  );
}

Deno.test("ResponseHeadReader reads a head however it is cut, and leaves the rest", () => {
  const text = "HTTP/1.1 200 OK\r\nA: b\r\nEmpty:\r\nL: \xe9\t x \r\n\r\nrest";
  for (let cut = 0; cut <= text.length - 4; cut++) {
    const reader = new ResponseHeadReader();
    const first = reader.push(bytes(text.slice(0, cut)));
    const found = first ?? reader.push(bytes(text.slice(cut)));
    assert.deepEqual(found!.head, {
      status: 200,
      reason: "OK",
      headers: [["A", "b"], ["Empty", ""], ["L", "\xe9\t x"]],
      old: false,
    });
    assert.equal(text.slice((first ? 0 : cut) + found!.rest), "rest");
  }
});

Deno.test("white space around a value is removed, and kept within it", () => {
  const within = `a${" ".repeat(60_000)}\tb`;
  for (const around of ["", " ", "\t \t"]) {
    const text = `HTTP/1.1 200 OK\r\nL:${around}${within}${around}\r\nNone:${around}\r\n\r\n`;
    const { headers } = new ResponseHeadReader().push(bytes(text))!.head;
    assert.deepEqual(headers, [["L", within], ["None", ""]]);
  }
});

Deno.test("a status line may be without a reason, and of HTTP/1.0", () => {
  const head = (text: string) => new ResponseHeadReader().push(bytes(text))!.head;
  assert.equal(head("HTTP/1.1 204\r\n\r\n").status, 204);
  assert.equal(head("HTTP/1.1 204 \r\n\r\n").reason, "");
  assert.equal(head("HTTP/1.0 200 OK\r\n\r\n").old, true);
});

Deno.test("interim answers are skipped, except 101", () => {
  const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n";
  const text = `${interim}HTTP/1.1 200 OK\r\n\r\n`;
  for (let cut = 0; cut < text.length; cut++) {
    const reader = new ResponseHeadReader();
    assert.equal(reader.push(bytes(text.slice(0, cut))), undefined);
    const found = reader.push(bytes(text.slice(cut)))!;
    assert.equal(found.head.status, 200);
    assert.equal(cut + found.rest, text.length);
  }
  const switching = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
  assert.equal(new ResponseHeadReader().push(bytes(switching))!.head.status, 101);
});

Deno.test("data that is not an answer is refused at its first bytes", () => {
  for (const text of ["\x15\x03\x01", "SSH-2.0", "<html>", "HTTP/2 200 OK", "HTTP/1x", "\r\n"]) {
    refused(text, "HPE_INVALID_CONSTANT");
  }
});

Deno.test("a status line that is not exactly one is refused", () => {
  for (
    const line of ["HTTP/1.2 200 OK", "HTTP/1.1  200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK"]
  ) {
    refused(`${line}\r\n\r\n`, "HPE_INVALID_STATUS");
  }
  refused("HTTP/1.1 099 OK\r\n\r\n", "HPE_INVALID_STATUS");
  refused("HTTP/1.1 200 O\nK\r\n\r\n", "HPE_INVALID_STATUS");
});

Deno.test("RFC 9112: ambiguous header lines are refused", () => {
  for (
    const line of [
      "Content-Length : 5",
      " Content-Length: 5",
      ": 5",
      "Content Length: 5",
      "no colon",
      "A: b\nContent-Length: 5",
      "A: b\rContent-Length: 5",
      "A: b\0",
      "A\r: b",
    ]
  ) refused(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`, "HPE_INVALID_HEADER_TOKEN");
});

Deno.test("RFC 9112, 5.2: a folded line continues its header after a space", () => {
  const text = "HTTP/1.1 200 OK\r\nA: b\r\n\t c \r\n\r\n";
  assert.deepEqual(new ResponseHeadReader().push(bytes(text))!.head.headers, [["A", "b c"]]);
});

Deno.test("RFC 9112, 5.2: a header may be folded many times, a blank line adds nothing", () => {
  const text = `HTTP/1.1 200 OK\r\nA: \r\n b\r\n \r\n${"\tc\r\n".repeat(400)}D: e\r\n\r\n`;
  assert.deepEqual(new ResponseHeadReader().push(bytes(text))!.head.headers, [
    ["A", `b${" c".repeat(400)}`],
    ["D", "e"],
  ]);
  refused("HTTP/1.1 200 OK\r\n folded: from nothing\r\n\r\n", "HPE_INVALID_HEADER_TOKEN");
  refused("HTTP/1.1 200 OK\r\nA: b\r\n \x0bc\r\n\r\n", "HPE_INVALID_HEADER_TOKEN");
});

Deno.test("a head of too many lines is refused: Headers takes quadratic time", () => {
  for (const line of ["a: b\r\n", " x\r\n"]) {
    const text = (lines: number): string =>
      `HTTP/1.1 200 OK\r\na: b\r\n${line.repeat(lines - 1)}\r\n`;
    assert.ok(new ResponseHeadReader().push(bytes(text(500))));
    refused(text(501), "HPE_HEADER_OVERFLOW");
  }
});

Deno.test("endless interim answers are refused", () => {
  const reader = new ResponseHeadReader();
  const interim = bytes("HTTP/1.1 102 Processing\r\n\r\n");
  for (let i = 0; i < 1_000; i++) assert.equal(reader.push(interim), undefined);
  assert.throws(() => reader.push(interim), { code: "HPE_HEADER_OVERFLOW" });
});

Deno.test("a head that ends with bare LF is refused at once", () => {
  const text = "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello";
  refused(text, "HPE_CR_EXPECTED");
  for (const lines of ["HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 OK\r\nA: b\n\n\r\n\r\n"]) {
    refused(lines, "HPE_CR_EXPECTED");
  }
  const reader = new ResponseHeadReader();
  assert.throws(() => {
    for (const byte of bytes(text)) reader.push(Uint8Array.of(byte));
  }, { code: "HPE_CR_EXPECTED" });
});

Deno.test("an endless head is refused at 64 KB, in one piece or in many", () => {
  const line = `X: ${"y".repeat(1000)}\r\n`;
  refused("HTTP/1.1 200 OK\r\n" + line.repeat(80), "HPE_HEADER_OVERFLOW");
  refused("HTTP/1.1 200 OK\r\n" + line.repeat(80) + "\r\n", "HPE_HEADER_OVERFLOW");
  const reader = new ResponseHeadReader();
  reader.push(bytes("HTTP/1.1 200 OK\r\n"));
  let pushed = 0;
  assert.throws(() => {
    for (;;) {
      reader.push(bytes(line));
      pushed += line.length;
    }
  }, { code: "HPE_HEADER_OVERFLOW" });
  assert.ok(pushed <= MAX_HEAD_BYTES);
});

Deno.test("headerList() joins the lines of one name, in any case", () => {
  const headers = [["TE", "a, b"], ["te", "c"], ["tee", "d"]] as const;
  assert.deepEqual(headerList({ headers }, "te"), ["a", "b", "c"]);
  assert.deepEqual(headerList({ headers }, "x"), []);
});

Deno.test("headerList() removes the white space of HTTP and no other", () => {
  const headers = [["te", "a\t,\xa0b, c "]] as const;
  assert.deepEqual(headerList({ headers }, "te"), ["a", "\xa0b", "c"]);
});
