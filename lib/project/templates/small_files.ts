import type { ProjectSettings } from "../project.ts";

/**
 * Returns the text of a new project's `xca.json`, with all settings, also those with default
 * values.
 */
export function xcaJson(settings: ProjectSettings): string {
  const { name, domain, namespace, image, operator, program } = settings;
  return `${JSON.stringify({ name, domain, namespace, image, operator, program }, null, 2)}\n`;
}

/** Returns the text of a new project's `.gitignore`. */
export function gitignore(): string {
  return `/dist/
/node_modules/
`;
}

/** Returns the text of a new project's `.vscode/settings.json`. */
export function editorSettings(): string {
  return `{
  "deno.enable": true,
  "editor.formatOnSave": true,
  "[typescript]": { "editor.defaultFormatter": "denoland.vscode-deno" }
}
`;
}
