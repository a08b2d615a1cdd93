/** Files in the repository that are generated, and that tests compare with what is generated now. */
import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url);

/** Reports whether the run writes kept files anew (`XCA_UPDATE=1`). */
export const isUpdate: boolean = Deno.env.get("XCA_UPDATE") === "1";

/**
 * Compares a kept file with its new text; with `XCA_UPDATE=1`, writes the text to the file.
 *
 * @param path The path of the file, from the root of the repository.
 * @param text The text that was generated.
 * @param test The path of the test file, for the command that an error names.
 * @throws {AssertionError} When the file has another text. The message has the first different line
 * of both and the command that writes the file anew.
 */
export async function assertKept(path: string, text: string, test: string): Promise<void> {
  const file = new URL(path, root);
  if (isUpdate) return await Deno.writeTextFile(file, text);
  const kept = (await Deno.readTextFile(file)).split("\n");
  const made = text.split("\n");
  const at = made.findIndex((line, index) => line !== kept[index]);
  const index = at >= 0 ? at : made.length;
  if (at < 0 && kept.length === made.length) return;
  assert.fail(
    `${path} is out of date from line ${index + 1} on:\n` +
      `  kept:      ${kept[index] ?? "(end of the file)"}\n` +
      `  generated: ${made[index] ?? "(end of the text)"}\n` +
      `If the change is meant, write the file anew: XCA_UPDATE=1 deno test -A ${test}`,
  );
}
