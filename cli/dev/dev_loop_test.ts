import assert from "node:assert/strict";
import { FakeClock } from "../../lib/testing/fake_clock.ts";
import { devLoop, type DevProcess } from "./dev_loop.ts";
import { changeLines } from "./dev_definitions.ts";
import { messageLine, parseMessage } from "./messages.ts";
import { quietLog } from "./quiet_log.ts";
import { QUIET_MS, sourceSaves } from "./source_saves.ts";
import { TextLineStream } from "./text_lines.ts";

/** A process whose steps a test causes, with a record of what happened to all processes. */
class FakeProcess implements DevProcess {
  readonly #end = Promise.withResolvers<string | undefined>();
  readonly loaded: Promise<string | undefined>;
  readonly ended = this.#end.promise;

  constructor(
    readonly name: string,
    readonly log: string[],
    readonly given: { readonly problem?: string; readonly failsAtStart?: string } = {},
  ) {
    log.push(`${name} loads`);
    this.loaded = Promise.resolve(given.problem);
  }

  proceed(): Promise<boolean> {
    const { failsAtStart } = this.given;
    if (failsAtStart !== undefined) this.#end.resolve(failsAtStart);
    else this.log.push(`${this.name} runs`);
    return Promise.resolve(failsAtStart === undefined);
  }

  stop(): Promise<void> {
    this.log.push(`${this.name} stops`);
    this.#end.resolve(undefined);
    return Promise.resolve();
  }

  crash(reason: string): void {
    this.#end.resolve(reason);
  }
}

/** Runs the loop over processes in turn, one for the start and one for each batch of saves. */
async function logOf(
  processes: readonly { readonly problem?: string; readonly failsAtStart?: string }[],
  between: (made: readonly FakeProcess[]) => void = () => {},
): Promise<string[]> {
  const log: string[] = [];
  const made: FakeProcess[] = [];
  await devLoop({
    start: () => {
      const next = new FakeProcess(`p${made.length}`, log, processes[made.length]);
      made.push(next);
      return next;
    },
    saves: (async function* () {
      for (let at = 1; at < processes.length; at++) {
        between(made);
        await Promise.resolve();
        await Promise.resolve();
        yield [`file${at}.ts`];
      }
    })(),
    say: (line) => void log.push(line),
  });
  return log;
}

Deno.test("dev: a new operator takes over once it is loaded, and the last one is stopped at the end", async () => {
  assert.deepEqual(await logOf([{}, {}]), [
    "p0 loads",
    "p0 runs",
    "started",
    "p1 loads",
    "p0 stops",
    "p1 runs",
    "file1.ts changed: restarted",
    "p1 stops",
  ]);
});

Deno.test("dev: the operator of the last good save continues after one that does not load", async () => {
  assert.deepEqual(await logOf([{}, { problem: "it throws" }, {}]), [
    "p0 loads",
    "p0 runs",
    "started",
    "p1 loads",
    "p1 stops",
    "file1.ts changed: it throws; the operator of the last good save continues",
    "p2 loads",
    "p0 stops",
    "p2 runs",
    "file2.ts changed: restarted",
    "p2 stops",
  ]);
  const [, , line] = await logOf([{ problem: "it throws" }]);
  assert.equal(line, "it throws; save a file to try again");
});

Deno.test("dev: an operator that ends by itself is reported once, and started again at the next save", async () => {
  const log = await logOf([{}, {}], ([first]) => first!.crash("no right to list shops"));
  assert.deepEqual(log.slice(2), [
    "started",
    "the operator has ended: no right to list shops; save a file to start it again",
    "p1 loads",
    "p1 runs",
    "file1.ts changed: started",
    "p1 stops",
  ]);
});

Deno.test("dev: an operator that ends before it runs is not reported as started", async () => {
  const log = await logOf([{ failsAtStart: "the server refuses shops.example.org" }, {}]);
  assert.deepEqual(log.slice(1, 3), [
    "the operator has ended: the server refuses shops.example.org; save a file to start it again",
    "p1 loads",
  ]);
});

Deno.test("dev: the files that one save writes are one batch; tests, hidden files and the lock file do not count", async () => {
  const clock = new FakeClock();
  const changes = new TransformStream<readonly string[], readonly string[]>();
  const writer = changes.writable.getWriter();
  const stop = new AbortController();
  const saves = sourceSaves(changes.readable, { folder: "/p", clock, signal: stop.signal });
  const next = saves.next();
  await writer.write(["/p/operator_test.ts", "/p/.git/x.ts", "/p/deno.lock", "/p/README.md"]);
  await writer.write(["/p/node_modules/a/b.js", "/p/dist/main.js"]);
  await clock.advance(10 * QUIET_MS);
  await writer.write(["/p/operator.ts"]);
  await clock.advance(QUIET_MS / 2);
  await writer.write(["/p/controllers/shop.ts", "/p/operator.ts"]);
  await clock.advance(QUIET_MS * 4);
  assert.deepEqual((await next).value, ["controllers/shop.ts", "operator.ts"]);
  const last = saves.next();
  stop.abort();
  assert.equal((await last).done, true);
  await writer.close();
});

Deno.test("dev: a failure of the watched file system ends the saves with its error", async () => {
  const failing = (async function* (): AsyncGenerator<readonly string[]> {
    yield ["/p/README.md"];
    throw new Error("too many watched files");
  })();
  const saves = sourceSaves(failing, {
    folder: "/p",
    clock: new FakeClock(),
    signal: new AbortController().signal,
  });
  await assert.rejects(saves.next(), /too many watched files/);
});

Deno.test("dev: messages of the operator's process are told from its other output", () => {
  const message = { type: "said", line: "shops.example.org: installed" } as const;
  assert.deepEqual(parseMessage(messageLine(message).trimEnd()), message);
  assert.equal(parseMessage('{"type":"running"}'), undefined);
  assert.equal(parseMessage("\x1exca {broken"), undefined);
});

Deno.test("dev: a stream of bytes is split into lines, whatever the chunks", async () => {
  const bytes = new TextEncoder().encode("a\r\nbé\n\nlast");
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = ReadableStream.from((function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
    })());
    const lines = await Array.fromAsync(chunks.pipeThrough(new TextLineStream()));
    assert.deepEqual(lines, ["a", "bé", "", "last"]);
  }
});

Deno.test("dev: the log leaves out starts and stops, and keeps warnings and the operator's own lines", () => {
  const kept: string[] = [];
  const write = quietLog((text) => kept.push(text));
  const lines = [
    "I1123 03:19:19.315 xca.cache.informer] Informer shops starts",
    "I1123 03:19:19.321 xca.controller] Operator shop starts",
    "I1123 03:19:19.345 xca.controller.shop] Controller shop works workers=1",
    "I1123 03:19:20.000 xca.controller.shop] Greeted key=default/first",
    "W1123 03:19:20.000 xca.cache.reflector] shops: the watch was cut",
  ];
  for (const line of lines) write(line);
  assert.deepEqual(kept, lines.slice(3));
});

Deno.test("dev: changes of a definition are one line each while they break stored objects, else one line", () => {
  const change = { crd: "a.b", rule: "limit-tightened", version: "v1" } as const;
  const breaking = [1, 2, 3, 4].map((at) => ({
    ...change,
    level: "breaking",
    path: `.spec.f${at}`,
    reason: "maxLength changes",
  })) as unknown as Parameters<typeof changeLines>[1];
  const lines = changeLines("a.b", breaking);
  assert.equal(lines[0], "a.b: BREAKING: v1 .spec.f1: maxLength changes");
  assert.equal(lines[3], "a.b: 1 more; see kubectl xca crd diff");
  const safe = [{ ...breaking[0]!, level: "safe" }] as Parameters<typeof changeLines>[1];
  assert.deepEqual(changeLines("a.b", safe), ["a.b: changed, and stored objects stay valid"]);
  assert.deepEqual(changeLines("a.b", []), []);
});
