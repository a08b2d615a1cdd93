/**
 * The examples in doc comments and in pages of documentation, as modules of tests. `deno test --doc`
 * runs each example in an isolate of its own, which loads and compiles the library again: a third of
 * a second of CPU, four hundred times.
 *
 * @module
 */

/** An example, as a module that registers a test. */
export interface DocExample {
  /** The file and the line of the example's first line, for instance `lib/cache/mod.ts:12`. */
  readonly name: string;
  /** The source of the module. Each line has the number that it has in the file of the example. */
  readonly source: string;
}

/** An example that cannot become a module. The message names its file and line. */
export class DocExampleError extends Error {
  override name = "DocExampleError";
}

/** A code block with its info string; in a doc comment each line begins with an asterisk. */
const CODE_BLOCK =
  /^([ \t]*(?:\*[ \t]?)?)```([^\r\n]*)\r?\n([\s\S]*?)^[ \t]*(?:\*[ \t]?)?```[ \t]*$/gm;
const DOC_COMMENT = /\/\*\*[\s\S]*?\*\//g;

/**
 * Returns the runnable examples of a file: its code blocks with the info string `ts`, in doc comments
 * of a `.ts` file, and anywhere in a `.md` file. Blocks with `ts ignore` are no examples.
 *
 * An example begins with its import statements, relative ones resolved against the file, and imports
 * all that it uses.
 *
 * @param path The path of the file, in the test's name.
 * @param url The URL of the file.
 * @param text The text of the file.
 * @throws {DocExampleError} An import statement follows another statement.
 */
export function docExamples(path: string, url: URL, text: string): readonly DocExample[] {
  return codeBlocks(path, text)
    .filter(({ info }) => info.trim() === "ts")
    .map(({ line, lines }) => {
      const name = `${path}:${line}`;
      return { name, source: "\n".repeat(line - 1) + testOf(name, url, lines) };
    });
}

/** A code block. */
interface CodeBlock {
  /** The text after the opening fence. */
  readonly info: string;
  /** The number of the first line after the opening fence, from 1. */
  readonly line: number;
  /** The lines between the fences, without the asterisks of a comment. */
  readonly lines: readonly string[];
}

function codeBlocks(path: string, text: string): readonly CodeBlock[] {
  if (path.endsWith(".md")) return blocksOf(text, 0);
  return [...text.matchAll(DOC_COMMENT)].flatMap((comment) =>
    blocksOf(comment[0], text.slice(0, comment.index).split("\n").length - 1)
  );
}

/** Returns the code blocks of a text that `linesBefore` lines of its file precede. */
function blocksOf(text: string, linesBefore: number): readonly CodeBlock[] {
  return [...text.matchAll(CODE_BLOCK)].map((
    { index, 1: margin = "", 2: info = "", 3: body = "" },
  ) => ({
    info,
    line: linesBefore + text.slice(0, index).split("\n").length + 1,
    lines: body.split("\n").slice(0, -1).map((line) =>
      line.startsWith(margin) ? line.slice(margin.length) : line.replace(/^[ \t]*\*?[ \t]?/, "")
    ),
  }));
}

/** Returns a module that runs an example as a test, or as the tests that the example has. */
function testOf(name: string, url: URL, lines: readonly string[]): string {
  const body = bodyStart(lines);
  const late = lines.findIndex((line, index) => index >= body && /^import\b[^(]*$/.test(line));
  if (late >= 0) {
    throw new DocExampleError(
      `Cannot run the example ${name}: line ${late + 1} of it is an import statement after other ` +
        `statements; move it to the top of the example`,
    );
  }
  const imports = lines.slice(0, body).map((line) => withAbsoluteImport(line, url));
  const statements = lines.slice(body)
    .map((line) => withoutExport(withAbsoluteImport(line, url))).join("\n");
  if (/^Deno\.test\(/m.test(statements)) return [...imports, statements, ""].join("\n");
  return [...imports, `Deno.test(${JSON.stringify(name)}, async () => { ${statements}\n});\n`].join(
    "\n",
  );
}

/** Returns the index of the first line that belongs to no import statement, blank line or comment. */
function bodyStart(lines: readonly string[]): number {
  let inImport = false;
  for (const [index, line] of lines.entries()) {
    if (!inImport && !/^(import\b(?!\()|\/\/|\s*$)/.test(line)) return index;
    if (inImport || line.startsWith("import")) inImport = !line.trimEnd().endsWith(";");
  }
  return lines.length;
}

/** Returns a line without the keyword `export`, which no function body may contain. */
function withoutExport(line: string): string {
  return line.replace(/^export default /, "void ").replace(/^export /, "");
}

/** Replaces the relative specifiers of import statements and `import()` by URLs. */
function withAbsoluteImport(line: string, url: URL): string {
  return line.replace(
    /(\bfrom |\bimport |\bimport\()"(\.{1,2}\/[^"]*)"/g,
    (_, keyword: string, specifier: string) => `${keyword}"${new URL(specifier, url).href}"`,
  );
}
