import assert from "node:assert/strict";
import { getLogger, type LogRecord } from "@logtape/logtape";
import { jsonLine, startLogging, textLine } from "./logging.ts";

const record: LogRecord = {
  category: ["xca", "controller"],
  level: "warning",
  message: ["Run of ", "default/a", " failed"],
  rawMessage: "Run of {key} failed",
  timestamp: Date.parse("2026-03-04T05:06:07.890Z"),
  properties: { controller: "xca", error: new Error("a\nb", { cause: new Error("c") }) },
};

Deno.test("textLine() writes klog's head, the message, and the fields quoted, in one line", () => {
  assert.equal(
    textLine(record),
    'W0304 05:06:07.890 xca.controller] Run of default/a failed controller="xca" error="a b: c"\n',
  );
});

Deno.test("textLine() omits a field that the message already shows", () => {
  const error = new Error("gone");
  const of = (value: unknown): string =>
    textLine({
      ...record,
      message: ["It is ", value, ""],
      rawMessage: "It is {value}",
      properties: { value, attempt: 2 },
    }).replace(/^.*?controller\] /, "");
  assert.equal(of("here"), "It is here attempt=2\n");
  assert.equal(of(7), "It is 7 attempt=2\n");
  assert.equal(of(error), "It is gone attempt=2\n");
  assert.match(of({ replicas: 3 }), / value=\{"replicas":3\} attempt=2\n$/);
  assert.match(of(["a,b"]), / value=\["a,b"\] attempt=2\n$/);
  assert.match(of(null), / value=null attempt=2\n$/);
  assert.match(of("a\u001b[2J"), / value="a\\u001b\[2J" attempt=2\n$/);
  const literal = { message: ["say {value}"], rawMessage: "say {{value}}" };
  assert.match(textLine({ ...record, ...literal, properties: { value: 1 } }), / value=1\n$/);
});

Deno.test("jsonLine() writes controller-runtime's flat keys, and no field can replace them", () => {
  const line = jsonLine({ ...record, properties: { ...record.properties, msg: "mine", ts: 1 } });
  assert.deepEqual(JSON.parse(line), {
    level: "warning",
    ts: "2026-03-04T05:06:07.890Z",
    logger: "xca.controller",
    msg: "Run of default/a failed",
    controller: "xca",
    error: "a b: c",
  });
});

Deno.test("startLogging() logs info, unless quiet is set, and debug only with -v", async () => {
  const cases = [[0, false, 2], [1, false, 3], [0, true, 1], [1, true, 3]] as const;
  for (const [verbosity, quiet, expected] of cases) {
    const lines: string[] = [];
    {
      await using _logging = await startLogging({
        verbosity,
        quiet,
        format: "text",
        write: (line) => lines.push(line),
      });
      getLogger(["xca", "test"]).debug("inside");
      getLogger(["xca", "test"]).info("outside");
      getLogger(["xca", "test"]).warn("wrong");
    }
    getLogger(["xca", "test"]).info("after");
    assert.equal(lines.length, expected);
  }
});

Deno.test("startLogging() refuses unknown formats, and a verbosity that is not a number", async () => {
  await assert.rejects(startLogging({ format: "xml" as never }), /format xml: it must be "text"/);
  await assert.rejects(startLogging({ verbosity: "1" as never }), RangeError);
});
