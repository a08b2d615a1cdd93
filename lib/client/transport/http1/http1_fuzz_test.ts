import assert from "node:assert/strict";
import { FakeWire } from "../../../../tests/client/fake_wire.ts";
import { printedRandom } from "../../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import { bodyFraming } from "./body_framing.ts";
import { BodyQueue } from "./body_queue.ts";
import { HttpConnection } from "./connection.ts";
import { decoderOf } from "./decoder_of.ts";
import { ProtocolError } from "./protocol_error.ts";
import { type ResponseHead, ResponseHeadReader } from "./response_head.ts";

const ROUNDS = 1_000;
const CONNECTIONS = 150;

function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low));
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[between(random, 0, choices.length)]!;
}

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const textOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

function randomText(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(between(random, 0, 256))).join("");
}

/** Returns a random valid HTTP response as text, and its body. */
function answer(random: Random): { readonly text: string; readonly body: string } {
  const body = randomText(random, pick(random, [0, 1, 7, 300, 5_000]));
  const interim = pick(random, ["", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"]);
  const start = `${interim}HTTP/1.1 200 OK\r\nX-One: 1\r\n`;
  if (random.next() < 0.5) {
    return { text: `${start}Content-Length: ${body.length}\r\n\r\n${body}`, body };
  }
  let text = `${start}Transfer-Encoding: chunked\r\n\r\n`;
  for (let at = 0; at < body.length;) {
    const size = Math.min(between(random, 1, 900), body.length - at);
    const extension = pick(random, ["", "", ";a=b", " "]);
    text += `${size.toString(16)}${extension}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  return { text: text + pick(random, ["0\r\n\r\n", "000\r\nT: u\r\n\r\n"]), body };
}

const PIECES: readonly string[] = [
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "Content-Length: 3\r\n",
  "Content-Length: 4\r\n",
  "Transfer-Encoding: chunked\r\n",
  "\r\n",
  "\n",
  "\r",
  " ",
  "\0",
  "3\r\nabc\r\n",
  "0\r\n\r\n",
  "ffffffffffff\r\n",
  ";",
  ":",
];

/** Returns a valid HTTP response with bytes changed, removed and inserted. */
function spoiled(random: Random): string {
  let { text } = answer(random);
  for (let change = between(random, 1, 5); change > 0; change--) {
    // Mostly in the structure, not in the data.
    const at = between(random, 0, random.next() < 0.7 ? Math.min(text.length, 120) : text.length);
    const to = Math.min(text.length, at + between(random, 0, 12));
    text = text.slice(0, at) + pick(random, [...PIECES, randomText(random, 1)]) + text.slice(to);
  }
  return text;
}

/** Returns a text in random pieces. */
function cut(random: Random, text: string): Uint8Array[] {
  const cuts = Array.from(
    { length: between(random, 0, 12) },
    () => between(random, 0, text.length + 1),
  );
  const places = [0, ...cuts.sort((a, b) => a - b), text.length];
  return places.slice(1).map((to, i) => latin1(text.slice(places[i], to)));
}

/**
 * Reads an HTTP response that arrives in pieces, and returns its head, the received part of its
 * body, and its end.
 */
function read(pieces: readonly Uint8Array[]): unknown {
  const heads = new ResponseHeadReader();
  let head: ResponseHead | undefined;
  let decoder;
  let body = "";
  let taken = 0;
  try {
    for (const piece of pieces) {
      let rest = piece;
      if (!decoder) {
        const found = heads.push(piece);
        if (!found) continue;
        head = found.head;
        decoder = decoderOf(bodyFraming("GET", head));
        rest = piece.subarray(found.rest);
        taken = 0;
      }
      const got = decoder.push(rest);
      body += textOf(got.body);
      taken += got.used;
      if (got.done) return { head, body, taken, end: "done" };
    }
    return { head, body, taken, end: "more" };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    // The amount of data before a fault depends on the cuts.
    return { head, end: error.code };
  }
}

Deno.test("fuzz: answers are read alike however they are cut", () => {
  const { seed, random } = printedRandom();
  for (let round = 0; round < ROUNDS; round++) {
    const { text, body } = answer(random);
    const got = read(cut(random, text)) as { body: string; end: string };
    assert.equal(got.end, "done", `seed=${seed} round=${round}`);
    assert.equal(got.body, body, `seed=${seed} round=${round}`);
  }
});

Deno.test("a short answer is read alike cut at every byte", () => {
  const { random } = printedRandom();
  for (let round = 0; round < 20; round++) {
    const { text, body } = answer(random);
    const short = text.slice(0, 1_500);
    const whole = read([latin1(short)]);
    assert.deepEqual(read(Array.from(latin1(short), (byte) => Uint8Array.of(byte))), whole);
    for (let at = 0; at < short.length; at++) {
      const got = read([latin1(short.slice(0, at)), latin1(short.slice(at))]) as { body: string };
      assert.ok(body.startsWith(got.body));
    }
  }
});

Deno.test("fuzz: damaged answers are read or refused alike, however they are cut", () => {
  const { seed, random } = printedRandom();
  for (let round = 0; round < ROUNDS; round++) {
    const text = spoiled(random);
    const whole = read([latin1(text)]);
    assert.deepEqual(read(cut(random, text)), whole, `seed=${seed} round=${round}`);
  }
});

Deno.test("fuzz: any data ends each request, and notifies the owner once", async () => {
  const { seed, random } = printedRandom();
  for (let round = 0; round < CONNECTIONS; round++) {
    const where = `seed=${seed} round=${round}`;
    const wire = new FakeWire();
    const told: string[] = [];
    const connection = new HttpConnection(wire, {
      onFree: () => told.push("free"),
      onGone: () => told.push("gone"),
    });
    const pending = outcome(connection);
    const text = random.next() < 0.3 ? answer(random).text : spoiled(random);
    for (const piece of cut(random, text)) {
      if (random.next() < 0.3) await new Promise((resolve) => setTimeout(resolve, 0));
      if (!wire.stream.destroyed) wire.say(piece);
    }
    if (!wire.stream.destroyed) wire.end();
    assert.match(await pending, /^(whole|ECONNRESET|HPE_)/, where);
    connection.destroy();
    assert.equal(told.filter((each) => each === "gone").length, 1, where);
    assert.ok(told.filter((each) => each === "free").length <= 1, where);
  }
});

/** Returns the outcome of a request on a connection: `whole`, or the code of its error. */
async function outcome(connection: HttpConnection): Promise<string> {
  try {
    const { body } = await connection.send({ method: "GET", target: "/", headers: [] });
    if (body instanceof BodyQueue) { while (await body.read()); }
    return "whole";
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}
