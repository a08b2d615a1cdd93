/**
 * The package specifier of the library in a new project's `deno.json`. An entry of `links` there
 * may replace the package by a local clone.
 */
export const LIBRARY = "jsr:@xca/operator@^0.1.0";

/**
 * Returns the text of a new project's `deno.json`. `clone` is the folder of a clone of the library,
 * if one is used.
 */
export function denoJson(clone: string | undefined): string {
  const config = {
    ...(clone !== undefined && { links: [clone] }),
    imports: { "@xca/operator": LIBRARY },
    tasks: {
      dev: "kubectl xca dev --embedded",
      test: "deno test",
      check: "deno fmt --check && deno lint && deno check .",
      manifests: "kubectl xca manifests --output=manifests",
      bundle: "deno bundle --platform=deno --minify --output=dist/main.js main.ts",
      deploy: "kubectl xca deploy",
    },
    fmt: { lineWidth: 100 },
    exclude: ["bundle", "chart", "config", "dist", "manifests"],
  };
  return formatted(config);
}

/**
 * Returns the text of a JSON value in the format of `deno fmt`: lists without objects and lists in
 * one line.
 */
function formatted(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${
    text.replace(/\[\s+([^\][{}]*?)\s+\]/g, (_, items) => `[${items.replace(/\s+/g, " ")}]`)
  }\n`;
}
