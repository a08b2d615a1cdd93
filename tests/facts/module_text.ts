/** A module that exports `text`; a template, so that each line of the text is one of the file. */
export function factsModule(name: string, text: string): string {
  if (/[`\\]|\$\{/.test(text)) throw new Error(`${name} has text that a template would change`);
  return `// Written by \`deno task facts:dump\`.\nexport const ${name}: string = \`${text}\`;\n`;
}
