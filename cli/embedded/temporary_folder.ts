import type { CliContext } from "../context.ts";
import { fileProblem } from "../file_problem.ts";
import { UsageError } from "../usage_error.ts";

/**
 * Creates a temporary folder, which is removed when the result is disposed or when the process ends
 * before (at a second Ctrl-C or by `Deno.exit`), since the folder contains an administrator's key.
 *
 * @throws {UsageError} When the system's folder for temporary files is not writable.
 */
export function temporaryFolder(context: CliContext): { readonly path: string } & Disposable {
  const path = makeTemporaryFolder(context);
  const remove = (): void => {
    try {
      Deno.removeSync(path, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // Another cleanup has removed it already.
    }
  };
  const atExit = context.onExit?.(remove);
  return {
    path,
    [Symbol.dispose]() {
      atExit?.[Symbol.dispose]();
      remove();
    },
  };
}

function makeTemporaryFolder({ host }: CliContext): string {
  try {
    return Deno.makeTempDirSync({ prefix: "xca-serve-" });
  } catch (error) {
    const place = ["TMPDIR", "TMP", "TEMP"].map((name) => host.env(name)).find(Boolean) ?? "/tmp";
    const next = "set TMPDIR to a folder of your own, or say where by --write-kubeconfig";
    const why = fileProblem(error, place, next);
    throw new UsageError(`cannot write the kubeconfig into the temporary folder ${place}: ${why}`, {
      cause: error,
    });
  }
}
