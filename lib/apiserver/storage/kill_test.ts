import assert from "node:assert/strict";
import { join } from "node:path";
import { seededRandom } from "@xca/apimachinery/base";
import { Journal } from "./journal.ts";
import { RevisionLog } from "./revision_log.ts";

const ROUNDS = 4;
const KEYS = 50;

Deno.test("a writer that is killed at any moment loses nothing that it acknowledged", async () => {
  const seed = Math.floor(performance.timeOrigin) % 100_000;
  // deno-lint-ignore no-console -- a failure is run again by it
  console.error(`seed ${seed}`);
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "data");
    /** The last acknowledged number of each storage key. */
    const acknowledged = new Map<number, number>();
    let next = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const lines = 20 + Math.floor(random.next() * 400);
      next = await writeAndKill(path, next, lines, acknowledged);
      const log = new RevisionLog();
      const journal = await Journal.open(path, log);
      for (const [key, number] of acknowledged) {
        const object = log.collection("pods.").get(`a/${key}`);
        assert.ok(object, `seed ${seed}: key ${key} is there`);
        const found = Number(String(object.tree().data).split(" ")[0]);
        assert.ok(found >= number, `seed ${seed}: key ${key} has ${found}, not ${number}`);
      }
      await journal.close();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function writeAndKill(
  path: string,
  from: number,
  lines: number,
  acknowledged: Map<number, number>,
): Promise<number> {
  const writer = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      import.meta.resolve("./kill_writer_test.ts"),
      path,
      String(from),
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let last = from;
  let seen = 0;
  let rest = "";
  for await (const text of writer.stdout.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    for (const part of parts) {
      const number = Number(part);
      acknowledged.set(number % KEYS, Math.max(acknowledged.get(number % KEYS) ?? 0, number));
      last = Math.max(last, number);
      seen++;
    }
    if (seen < lines) continue;
    // The output is read no further after this, so that the writer would end by itself.
    writer.kill("SIGKILL");
    break;
  }
  await writer.status;
  return last + 100;
}
