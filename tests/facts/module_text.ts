/** A module that exports `text`; a template, so that each line of the text is one of the file. */
export function factsModule(name: string, text: string): string {
  if (/[`\\]|\$\{/.test(text)) throw new Error(`${name} has text that a template would change`);
  return `// Written by \`deno task facts:dump\`.\nexport const ${name}: string = \`${text}\`;\n`;
}

/** The text of a module as `deno fmt` has it. */
export async function formatted(text: string): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--config", new URL("../../deno.json", import.meta.url).pathname, "-"],
    stdin: "piped",
    stdout: "piped",
  });
  const process = command.spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await process.output();
  if (!success) throw new Error("deno fmt cannot format what was written");
  return new TextDecoder().decode(stdout);
}
