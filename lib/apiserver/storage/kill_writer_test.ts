import { RevisionLog } from "./revision_log.ts";
import { Journal } from "./journal.ts";
import { putObject } from "./memory_files_test.ts";

/**
 * Writes until the process is killed, and prints which writes are on disk. Run by `kill_test.ts`.
 */
if (import.meta.main) {
  const log = new RevisionLog();
  const journal = await Journal.open(Deno.args[0]!, log);
  let written = Number(Deno.args[1]);
  const encoder = new TextEncoder();
  for (;;) {
    const batch = Array.from({ length: 1 + written % 7 }, () => written++);
    await Promise.all(batch.map(async (number) => {
      putObject(log, "pods.", `a/${number % 50}`, `${number} ${"x".repeat(number % 40_000)}`);
      await journal.durable();
      Deno.stdout.writeSync(encoder.encode(`${number}\n`));
    }));
    log.compact(log.revision);
  }
}
