import { shellWord } from "../arguments.ts";
import type { CliContext } from "../context.ts";
import { startEmbedded } from "../embedded_server.ts";
import type { ExitCode } from "../exit_code.ts";
import { interruptible } from "../interruptible.ts";
import { startLogging } from "@xca/apimachinery/base";
import type { ServeFlags } from "./serve.ts";

/** Runs `kubectl xca serve`: the embedded API server until it is interrupted. */
export async function serve(flags: ServeFlags, context: CliContext): Promise<ExitCode> {
  context.dropRunPermission?.();
  await using _logging = await startLogging({
    verbosity: flags.v ?? 0,
    format: flags.logFormat === "json" ? "json" : "text",
    write: context.err,
  });
  using stop = interruptible(context);
  await using server = await startEmbedded(flags, context);
  const seeded = await server.seed();
  if (seeded > 0) context.err(`Seeded ${seeded} objects.\n`);
  context.err(`Listening on ${server.url}; Ctrl-C ends it. In another terminal:\n\n`);
  // Standard output may be used for the audit log.
  const say = flags.audit === "-" ? context.err : context.out;
  say(`export KUBECONFIG=${shellWord(server.kubeconfigPath)}\n`);
  if (!stop.signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    stop.signal.addEventListener("abort", () => resolve());
    await promise;
  }
  return stop.code();
}
