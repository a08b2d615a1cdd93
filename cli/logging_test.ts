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

Deno.test("textLine() says once what the message shows", () => {
  const properties = { key: "default/a", attempt: 2 };
  assert.match(textLine({ ...record, properties }), /\] Run of default\/a failed attempt=2\n$/);
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

Deno.test("startLogging() logs info, unless it is to be quiet, and debug only with -v", async () => {
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
