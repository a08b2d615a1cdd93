/** The modules that a program loads with `@xca/operator/resource` and `@xca/operator/testing`. */
import assert from "node:assert/strict";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier?: string };
  }[];
}

/** Returns the modules that are loaded with an entry point, those that it loads on demand left out. */
async function loadedWith(door: string): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", new URL(`../../${door}`, import.meta.url).pathname],
  }).output();
  const graph = JSON.parse(new TextDecoder().decode(stdout)) as {
    roots: string[];
    modules: Module[];
  };
  const modules = new Map(graph.modules.map((each) => [each.specifier, each]));
  const found = new Set(graph.roots);
  for (const specifier of found) {
    for (const { isDynamic, code } of modules.get(specifier)?.dependencies ?? []) {
      if (!isDynamic && code?.specifier) found.add(code.specifier);
    }
  }
  return [...found];
}

Deno.test("definitions are made without the code of validation: CEL, RE2, the rules for definitions, YAML", async () => {
  for (const door of ["lib/resource/mod.ts", "lib/xca/mod.ts"]) {
    const loaded = await loadedWith(door);
    assert(loaded.some((each) => each.endsWith("lib/resource/define_resource.ts")), door);
    const heavy = loaded.filter((each) =>
      /lib\/apimachinery\/(cel|schema)\/|lib\/resource\/evolution\/|re2js|js-yaml/.test(each)
    );
    // The names of fields in CEL are a page of their own.
    const others = heavy.filter((each) => !each.endsWith("/cel/schema/escaping.ts"));
    assert.deepEqual(others, [], door);
  }
});

Deno.test("the tools for tests load the code of a simulated cluster on demand only", async () => {
  const loaded = await loadedWith("lib/testing/mod.ts");
  assert(loaded.some((each) => each.endsWith("lib/testing/api_server.ts")));
  const living = loaded.filter((each) => /lib\/(cluster|controller|cache)\//.test(each));
  // The names of controllers and of their components are pages of their own.
  const names = /\/cluster\/(components|controller_names)\.ts$/;
  assert.deepEqual(living.filter((each) => !names.test(each)), []);
});
