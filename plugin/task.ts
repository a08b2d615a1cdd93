/** The output and the failures of the tasks that build the kubectl plugin. */

/** Writes text to standard output. */
export function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

/**
 * Runs a task of the folder `plugin`. When the task fails, prints the message of the error without
 * a stack trace, and ends the process with exit code 1.
 */
export async function runTask(task: () => void | Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    Deno.stderr.writeSync(new TextEncoder().encode(`error: ${text.trim()}\n`));
    Deno.exit(1);
  }
}
