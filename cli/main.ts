/**
 * The command line `kubectl xca`, which runs and inspects operators.
 *
 * @module
 */
import { runCli } from "./app.ts";
import { processContext } from "./context.ts";

if (import.meta.main) Deno.exit(await runCli(Deno.args, processContext()));
