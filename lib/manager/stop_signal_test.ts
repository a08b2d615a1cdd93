import assert from "node:assert/strict";

const PROGRAM = `
  import { stopSignal } from ${JSON.stringify(new URL("stop_signal.ts", import.meta.url).href)};
  const signal = stopSignal();
  signal.addEventListener("abort", () => console.log(signal.reason.message));
  console.log("ready");
  setInterval(() => {}, 1_000);
`;

/** Starts a program that stays after its first signal, and returns a reader of its lines. */
async function started(): Promise<
  { readonly child: Deno.ChildProcess; readonly line: () => Promise<string> }
> {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, PROGRAM);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-config", file],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const line = async (): Promise<string> => {
    while (!text.includes("\n")) {
      const { value } = await reader.read();
      if (value === undefined) throw new Error(`the program ended after ${JSON.stringify(text)}`);
      text += value;
    }
    const [first = "", ...rest] = text.split("\n");
    text = rest.join("\n");
    return first;
  };
  assert.equal(await line(), "ready");
  await Deno.remove(file);
  return {
    child,
    line: async () => {
      const next = await line();
      await reader.cancel();
      return next;
    },
  };
}

for (const first of ["SIGINT", "SIGTERM"] as const) {
  for (const second of ["SIGINT", "SIGTERM"] as const) {
    Deno.test(`stopSignal() aborts at ${first}, and ${second} behind it ends the process at once`, async () => {
      const { child, line } = await started();
      child.kill(first);
      assert.equal(await line(), `The process received ${first}`);
      child.kill(second);
      assert.equal((await child.status).signal, second);
    });
  }
}
