/** The blocks of code of a page in Markdown. */

/** A block of code. */
export interface Block {
  /** Its language, as `yaml`. */
  readonly language: string;
  /** The text of the block. */
  readonly text: string;
}

/** The blocks of code of a page of this project, by its path from the root. */
export async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await Deno.readTextFile(new URL(`../../${page}`, import.meta.url));
  return [...text.matchAll(/^```(\w+).*\n([^]*?)^```$/gm)]
    .map(([, language = "", text = ""]) => ({ language, text }));
}

/**
 * The first block of a language that holds a text.
 *
 * @throws {Error} When there is none.
 */
export function blockWith(blocks: readonly Block[], language: string, text: string): string {
  const found = blocks.find((block) => block.language === language && block.text.includes(text));
  if (!found) throw new Error(`no block of ${language} holds ${JSON.stringify(text)}`);
  return found.text;
}
