import assert from "node:assert/strict";
import { FakeClock } from "../../../testing/fake_clock.ts";
import { FakeWire } from "../../../../tests/client/fake_wire.ts";
import { BodyQueue } from "./body_queue.ts";
import { HttpConnection } from "./connection.ts";
import { ReadPace } from "./read_pace.ts";

function pace(): { readonly it: ReadPace; readonly clock: FakeClock; readonly done: string[] } {
  const done: string[] = [];
  const clock = new FakeClock();
  const reads = { pause: () => done.push("pause"), resume: () => done.push("resume") };
  return { it: new ReadPace(reads, clock), clock, done };
}

Deno.test("ReadPace reads single pieces as they arrive", async () => {
  const { it, clock, done } = pace();
  for (let i = 0; i < 100; i++) {
    it.note(4_096);
    await clock.advance(3);
  }
  for (let i = 0; i < 3; i++) it.note(4_096);
  assert.deepEqual(done, []);
});

Deno.test("ReadPace reads a flood of small pieces once a millisecond", async () => {
  const { it, clock, done } = pace();
  for (let i = 0; i < 4; i++) it.note(4_096);
  assert.deepEqual(done, ["pause"]);
  await clock.advance(1);
  assert.deepEqual(done, ["pause", "resume"]);
  it.note(40_000);
  assert.deepEqual(done, ["pause", "resume", "pause"]);
  await clock.advance(1);
  await clock.advance(3);
  it.note(4_096);
  assert.deepEqual(done, ["pause", "resume", "pause", "resume"], "the flood is over");
});

/** Returns the lengths of the first pauses of a flood with the given rate, in milliseconds. */
async function pausesOf(bytesPerMs: number): Promise<number[]> {
  const { it, clock, done } = pace();
  const lengths: number[] = [];
  for (let i = 0; i < 4; i++) it.note(bytesPerMs / 4);
  while (lengths.length < 100) {
    const beganMs = clock.monotonicMs();
    while (done.at(-1) === "pause") await clock.advance(1);
    const ms = clock.monotonicMs() - beganMs;
    lengths.push(ms);
    let arrived = ms * bytesPerMs;
    for (; arrived >= 50_000; arrived -= 50_000) it.note(50_000);
    it.note(arrived);
  }
  return lengths;
}

Deno.test("ReadPace pauses longer in a heavy flood, by a sixteenth of the time, up to 8 ms", async () => {
  const lengths = await pausesOf(20_000);
  let elapsedMs = 0;
  for (const ms of lengths) {
    assert.equal(ms, Math.min(Math.max(Math.floor(elapsedMs / 16), 1), 8));
    elapsedMs += ms;
  }
  assert.equal(lengths.at(-1), 8);
  assert.deepEqual(await pausesOf(8_400), lengths, "the rate is just heavy");
});

Deno.test("ReadPace does not pause longer than a millisecond in a flood of few bytes", async () => {
  assert.deepEqual(await pausesOf(8_000), Array(100).fill(1));
});

/** Floods a read pace until its pauses are long, and returns during the last of them. */
async function floodHeavily({ it, clock, done }: ReturnType<typeof pace>): Promise<void> {
  for (let i = 0; i < 4; i++) it.note(40_000);
  for (let i = 0; i < 400; i++) {
    await clock.advance(1);
    it.note(40_000);
  }
  while (done.at(-1) === "pause") await clock.advance(1);
  it.note(40_000);
  await clock.advance(7);
  assert.equal(done.at(-1), "pause", "the pause is longer than seven milliseconds");
}

/** Asserts that a flood of small pieces which begins now pauses for a millisecond. */
async function pausesShortly({ it, clock, done }: ReturnType<typeof pace>): Promise<void> {
  done.length = 0;
  for (let i = 0; i < 4; i++) it.note(4_096);
  await clock.advance(1);
  assert.deepEqual(done, ["pause", "resume"]);
}

Deno.test("ReadPace pauses for a millisecond again after a heavy flood", async () => {
  const paced = pace();
  await floodHeavily(paced);
  await paced.clock.advance(1_000);
  await pausesShortly(paced);
});

Deno.test("ReadPace pauses for a millisecond in the body after a heavy flood", async () => {
  const paced = pace();
  await floodHeavily(paced);
  for (let i = 0; i < 2; i++) paced.it.note(40_000);
  paced.it[Symbol.dispose]();
  await pausesShortly(paced);
});

Deno.test("ReadPace reads on at once after a read that filled its buffer", () => {
  const { it, done } = pace();
  for (let i = 0; i < 100; i++) it.note(65_000);
  assert.deepEqual(done, []);
});

Deno.test("ReadPace waits for a slow reader of the body, in a flood or not", async () => {
  const { it, clock, done } = pace();
  for (let i = 0; i < 4; i++) it.note(4_096);
  it.hold();
  await clock.advance(5);
  assert.deepEqual(done, ["pause", "pause"]);
  it.release();
  assert.deepEqual(done, ["pause", "pause", "resume"]);
});

Deno.test("ReadPace resets when it is disposed", async () => {
  const { it, clock, done } = pace();
  for (let i = 0; i < 4; i++) it.note(4_096);
  it.hold();
  it[Symbol.dispose]();
  await clock.advance(5);
  assert.deepEqual(done, ["pause", "pause"]);
  for (let i = 0; i < 4; i++) it.note(4_096);
  await clock.advance(1);
  assert.deepEqual(done, ["pause", "pause", "pause", "resume"]);
});

Deno.test("a body that floods in small pieces is read in few reads, and whole", async () => {
  const wire = new FakeWire();
  const clock = new FakeClock();
  const it = new HttpConnection(wire, { onFree() {}, onGone() {} }, clock);
  const pending = it.send({ method: "GET", target: "/", headers: [["Host", "a"]] });
  wire.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  const { body } = await pending;
  assert.ok(body instanceof BodyQueue);
  for (let i = 0; i < 4; i++) {
    wire.say("3\r\nabc\r\n");
    await Promise.resolve();
  }
  await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
  assert.ok(wire.stream.isPaused(), "what comes next gathers");
  wire.say("3\r\nabc\r\n0\r\n\r\n");
  await clock.advance(1);
  let text = "";
  for (let chunk = await body.read(); chunk; chunk = await body.read()) {
    text += new TextDecoder().decode(chunk);
  }
  assert.equal(text, "abc".repeat(5));
  assert.ok(!wire.stream.isPaused());
});
