import assert from "node:assert/strict";
import { ReceivedHeaders } from "./response_headers.ts";

Deno.test("received headers: get() answers as Headers does, whatever the case and the repetition", () => {
  const pairs: [string, string][] = [
    ["Content-Type", "application/json"],
    ["Warning", '299 - "a"'],
    ["X-Empty", ""],
    ["warning", '299 - "b"'],
  ];
  const received = new ReceivedHeaders(pairs);
  const headers = new Headers(pairs);
  for (const name of ["content-type", "WARNING", "x-empty", "absent"]) {
    assert.equal(received.get(name), headers.get(name), name);
  }
  assert.deepEqual([...new Headers([...received])], [...headers]);
});
