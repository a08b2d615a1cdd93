/**
 * The entry point of resources loads on demand the modules that a running operator does not need:
 * it imports neither CEL nor RE2 nor the API server's checks.
 */
import assert from "node:assert/strict";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier?: string };
  }[];
}

/** Returns the modules that a file imports when it is loaded, those that they import included. */
async function loadedBy(path: string): Promise<string[]> {
  const root = new URL(`../../${path}`, import.meta.url).href;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", root] })
    .output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: Module[] };
  const byName = new Map(modules.map((module) => [module.specifier, module]));
  const found = new Set<string>();
  const visit = (specifier: string): void => {
    if (found.has(specifier)) return;
    found.add(specifier);
    for (const { isDynamic, code } of byName.get(specifier)?.dependencies ?? []) {
      if (!isDynamic && code?.specifier) visit(code.specifier);
    }
  };
  visit(root);
  return [...found];
}

Deno.test("resource: the entry point loads no CEL, no RE2 and no checks of definitions", async () => {
  const loaded = await loadedBy("lib/resource/mod.ts");
  assert(loaded.length > 30, `only ${loaded.length} modules`);
  const heavy = /re2js|\/cel\/(?!schema\/escaping)|apimachinery\/schema\//;
  assert.deepEqual(loaded.filter((each) => heavy.test(each)), []);
});
