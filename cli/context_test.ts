import assert from "node:assert/strict";

/** Runs code in a process whose output stream is closed by its reader, and waits for its end. */
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
       await Deno.stdin.read(new Uint8Array(1)); // The reader has gone by now.
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

Deno.test("a closed reader of the output ends the process quietly, as SIGPIPE does", async () => {
  const { code, other } = await withReaderGone(
    "stdout",
    `context.out("one\\n"); context.err("went on\\n");`,
  );
  assert.deepEqual({ code, other }, { code: 141, other: "" });
});

Deno.test("a closed reader of the log does not end the process, and signals are still handled", async () => {
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

/** Runs code in a process with a command context in a folder, and returns its output. */
async function printed(code: string, { cwd, ignoring = "", env = {} }: {
  readonly cwd?: string;
  /** The signal that the process is started to ignore. */
  readonly ignoring?: string;
  readonly env?: Record<string, string>;
}): Promise<string> {
  const context = JSON.stringify(new URL("./context.ts", import.meta.url).href);
  const config = new URL("../deno.json", import.meta.url).pathname; // `cwd` may be outside of the project.
  const program = `import { processContext } from ${context}; const context = processContext();`;
  const { stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", `${ignoring && `trap '' ${ignoring};`} exec "$@"`, "sh"].concat(
      [Deno.execPath(), "eval", "--config", config, program + code],
    ),
    ...(cwd === undefined ? {} : { cwd }),
    env,
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(err, "");
  return out!;
}

Deno.test("a module path is taken literally, whatever characters it has", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const inner of ["a#b", "ü? 100%25"]) {
      await Deno.mkdir(`${folder}/${inner}`);
      for (const name of ["operator.js", "what?#.js"]) {
        const text = `export default ${JSON.stringify(`${inner} ${name}`)};`;
        await Deno.writeTextFile(`${folder}/operator.js`, "export default 'of the parent';");
        await Deno.writeTextFile(`${folder}/${inner}/${name}`, text);
        const code = `const { default: said } = await context.importModule(${
          JSON.stringify(`./${name}`)
        });
          context.out(said);`;
        assert.equal(await printed(code, { cwd: `${folder}/${inner}` }), `${inner} ${name}`);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("closing the terminal interrupts, unless SIGHUP is ignored", async () => {
  const code = `let heard = "nothing";
    const timer = setTimeout(() => {}, 1 << 30);
    const { promise: ended, resolve: end } = Promise.withResolvers();
    context.onInterrupt((interrupt) => { heard = interrupt; end(); });
    Deno.kill(Deno.pid, "SIGHUP");
    if (Deno.env.get("XCA_HANGUP") === "ends") await ended;
    clearTimeout(timer);
    context.out("heard " + heard);
    Deno.exit(0);`;
  assert.equal(await printed(code, { env: { XCA_HANGUP: "ends" } }), "heard SIGHUP");
  const options = { env: { XCA_HANGUP: "ignored" }, ignoring: "HUP" };
  assert.equal(await printed(code, options), "heard nothing");
});
