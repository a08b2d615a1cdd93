import { join } from "node:path";
import { JSR_IMPORTS, root } from "../tests/support/packaging/packaging.ts";
import type { BenchContext } from "./support/context.ts";
import { type Row, row } from "./support/measure.ts";

const KINDS = 20;
const FIELDS = 50;
/**
 * The largest allowed ratio of the CPU time of the type check with schemas to that with interfaces.
 */
const TARGET = 1.5;

/** The forms of a field, in turn: its schema, its TypeScript type, and whether it is optional. */
const FORMS: readonly (readonly [schema: string, type: string, isOptional: boolean])[] = [
  ["s.string({ maxLength: 63 })", "string", false],
  ["s.optional(s.string())", "string", true],
  ['s.integer({ format: "int32", minimum: 0, default: 1 })', "number", false],
  ["s.boolean({ default: false })", "boolean", false],
  ['s.enum(["Always", "Never"])', '"Always" | "Never"', false],
  ["s.optional(s.array(s.string(), { maxItems: 8 }))", "string[]", true],
  ["s.map(s.string())", "Record<string, string>", false],
  [
    "s.object({ name: s.string(), port: s.integer({ default: 80 }) })",
    "{ name: string; port: number }",
    false,
  ],
  ["s.quantity()", "string | number", false],
  ["s.nullable(s.dateTime())", "string | null", false],
];

/**
 * Measures the type check of a project with {@linkcode KINDS} kinds of {@linkcode FIELDS} fields,
 * by schemas whose types are inferred and by interfaces, in turns: the CPU time of `deno check`
 * with an empty cache of checks.
 */
export async function schemaTypesRows(context: BenchContext): Promise<Row[]> {
  context.say("type check of schemas beside interfaces");
  const folder = await Deno.makeTempDir({ prefix: "xca-bench-types-" });
  try {
    const projects = { schemas: schemaOf, interfaces: interfaceOf };
    for (const [name, kindOf] of Object.entries(projects)) {
      await writeProject(join(folder, name), kindOf);
    }
    const pairs: [number, number][] = [];
    const rounds = context.rounds ?? (context.quick ? 3 : 7);
    for (let round = -1; round < rounds; round++) {
      const inferred = await checkMs(folder, "schemas");
      const written = await checkMs(folder, "interfaces");
      if (round >= 0) pairs.push([inferred, written]);
    }
    const name = `type check of ${KINDS} kinds of ${FIELDS} fields, beside interfaces`;
    return [row(name, "ms CPU", pairs, TARGET)];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function writeProject(folder: string, kindOf: (kind: string) => string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const config = { links: [root.pathname], imports: JSR_IMPORTS, nodeModulesDir: "none" };
  await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify(config));
  const kinds = Array.from({ length: KINDS }, (_, index) => `Kind${index}`);
  for (const kind of kinds) {
    await Deno.writeTextFile(join(folder, `${kind}.ts`), kindOf(kind) + controllerOf(kind));
  }
  const imports = kinds.map((kind) => `import { controller as c${kind} } from "./${kind}.ts";\n`);
  const names = kinds.map((kind) => `c${kind}`).join(", ");
  await Deno.writeTextFile(
    join(folder, "main.ts"),
    `${imports.join("")}import { defineOperator } from "@xca/operator";
export default defineOperator({ name: "bench", controllers: [${names}] });\n`,
  );
}

/** Returns the source code of a module that defines a kind by a schema. */
function schemaOf(kind: string): string {
  const fields = eachField((name, [schema]) => `    ${name}: ${schema},\n`);
  return `import { controllerFor } from "@xca/operator";
import { defineResource, s } from "@xca/operator/resource";
export const ${kind} = defineResource({
  ${namesOf(kind)}
  spec: s.object({\n${fields}  }),
});\n`;
}

/** Returns the source code of a module that defines a kind by an interface. */
function interfaceOf(kind: string): string {
  const fields = eachField((name, [, type, isOptional]) =>
    `    ${name}${isOptional ? "?" : ""}: ${type};\n`
  );
  return `import { controllerFor, type KubeObject, resourceType } from "@xca/operator";
export interface ${kind} extends KubeObject {
  spec: {\n${fields}  };
}
export const ${kind} = resourceType<${kind}>({
  ${namesOf(kind)}
});\n`;
}

function namesOf(kind: string): string {
  return `group: "bench.example.com", version: "v1", kind: "${kind}", plural: "${kind.toLowerCase()}s",`;
}

function eachField(line: (name: string, form: (typeof FORMS)[number]) => string): string {
  return Array.from(
    { length: FIELDS },
    (_, index) => line(`field${index}`, FORMS[index % FORMS.length]!),
  ).join("");
}

/** Returns the source code of a controller that reads every field of a kind. */
function controllerOf(kind: string): string {
  const reads = eachField((name) => `  seen.push(spec.${name});\n`);
  return `export const controller = controllerFor(${kind}).reconcile(async ({ key, cache }) => {
  const found = cache.get(${kind}, key);
  if (!found) return;
  const { spec } = found;
  const seen: unknown[] = [];
${reads}  await Promise.resolve(seen);
});\n`;
}

/** Returns the CPU time of a type check with an empty cache of checks, in milliseconds. */
async function checkMs(folder: string, project: string): Promise<number> {
  const dir = join(folder, "deno-dir");
  for await (const entry of Deno.readDir(await made(dir))) {
    if (entry.name.startsWith("check_cache")) await Deno.remove(join(dir, entry.name));
  }
  const script = `TIMEFORMAT='%U %S'; time '${Deno.execPath()}' check main.ts`;
  const { success, stderr } = await new Deno.Command("bash", {
    args: ["-c", script],
    cwd: join(folder, project),
    env: { DENO_DIR: dir, NO_COLOR: "1" },
    stdout: "null",
  }).output();
  const text = new TextDecoder().decode(stderr).trim();
  if (!success) throw new Error(`Cannot check the project ${project}: ${text}`);
  const [user, system] = text.split("\n").at(-1)!.split(" ").map(Number);
  return (user! + system!) * 1000;
}

async function made(folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  return folder;
}
