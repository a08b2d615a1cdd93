import assert from "node:assert/strict";

/** Runs code in a process of its own that finds a stream closed by whoever read it, and waits for its end. */
async function withReaderGone(
  stream: "stdout" | "stderr",
  code: string,
): Promise<{ code: number; other: string }> {
  const context = new URL("./context.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      `import { processContext } from ${JSON.stringify(context)};
       const context = processContext();
       await Deno.stdin.read(new Uint8Array(1)); // The reader has gone by then.
       ${code}`,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await child[stream].cancel();
  await child.stdin.getWriter().close();
  const other = await new Response(stream === "stdout" ? child.stderr : child.stdout).text();
  return { code: (await child.status).code, other };
}

Deno.test("output that nobody reads any more ends the process quietly, as SIGPIPE does", async () => {
  const { code, other } = await withReaderGone(
    "stdout",
    `context.out("one\\n"); context.err("went on\\n");`,
  );
  assert.deepEqual({ code, other }, { code: 141, other: "" });
});

Deno.test("a log that nobody reads any more stops nothing: signals are heard each time", async () => {
  const { code, other } = await withReaderGone(
    "stderr",
    `let heard = 0;
     const timer = setInterval(() => Deno.kill(Deno.pid, "SIGTERM"), 5);
     await new Promise((resolve) => {
       context.onInterrupt(() => {
         if (++heard === 3) resolve();
         context.err("stopping\\n");
       });
     });
     clearInterval(timer);
     context.out("heard " + heard);
     Deno.exit(0);`,
  );
  assert.deepEqual({ code, other }, { code: 0, other: "heard 3" });
});
