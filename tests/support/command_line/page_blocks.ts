/** The blocks of code of a page in Markdown. */

/** A block of code. */
export interface Block {
  /** The language, such as `yaml`. */
  readonly language: string;
  /** The text of the block. */
  readonly text: string;
}

/** Returns the blocks of code of a page; its path is relative to the root of the repository. */
export async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await Deno.readTextFile(new URL(`../../../${page}`, import.meta.url));
  return [...text.matchAll(/^```(\w+).*\n([^]*?)^```$/gm)]
    .map(([, language = "", text = ""]) => ({ language, text }));
}

/**
 * Returns the first block of a language that contains a text.
 *
 * @throws {Error} When no block contains it.
 */
export function blockWith(blocks: readonly Block[], language: string, text: string): string {
  const found = blocks.find((block) => block.language === language && block.text.includes(text));
  if (!found) throw new Error(`no block of ${language} holds ${JSON.stringify(text)}`);
  return found.text;
}
