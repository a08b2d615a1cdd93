/** The markers of validation (`+kubebuilder:validation:...`) in the Go sources of Kubernetes' types. */

/** Keywords of schemas by type and field, as `Condition.reason`. */
export type Markers = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** The packages whose sources have markers, as paths below the module that is named first. */
const SOURCES: readonly (readonly [module: string, path: string])[] = [
  ["k8s.io/apimachinery", "pkg/apis/meta/v1"],
  ["k8s.io/api", "core/v1"],
  ["k8s.io/api", "networking/v1"],
];

const KEYWORDS: Readonly<Record<string, (value: string) => Record<string, unknown>>> = {
  MaxLength: (value) => ({ maxLength: Number(value) }),
  MinLength: (value) => ({ minLength: Number(value) }),
  Minimum: (value) => ({ minimum: Number(value) }),
  Maximum: (value) => ({ maximum: Number(value) }),
  Pattern: (value) => ({ pattern: value.replaceAll("`", "") }),
  Enum: (value) => ({ enum: value.split(";") }),
  // The types that the fields have say as much.
  Format: () => ({}),
  Type: () => ({}),
  Required: () => ({}),
};

/** Reads the markers from the Go modules of the tests' control plane. */
export async function validationMarkers(): Promise<Markers> {
  const found = new Map<string, Record<string, unknown>>();
  for (const [module, path] of SOURCES) {
    const command = new Deno.Command("go", {
      args: ["list", "-m", "-f", "{{.Dir}}", module],
      cwd: new URL("../control_plane", import.meta.url),
      stderr: "inherit",
    });
    const { success, stdout } = await command.output();
    if (!success) throw new Error(`go list -m ${module} failed`);
    const folder = new TextDecoder().decode(stdout).trim();
    addMarkers(found, await Deno.readTextFile(`${folder}/${path}/types.go`));
  }
  return found;
}

function addMarkers(found: Map<string, Record<string, unknown>>, source: string): void {
  let type = "";
  let keywords: Record<string, unknown> = {};
  for (const line of source.split("\n")) {
    type = /^type (\w+) struct/.exec(line)?.[1] ?? type;
    const [, name, value = ""] = /^\s*\/\/ \+kubebuilder:validation:(\w+)(?:=(.*))?$/.exec(line) ??
      [];
    if (name !== undefined) {
      const read = KEYWORDS[name];
      if (read === undefined) throw new Error(`${type} has the unknown marker ${line.trim()}`);
      Object.assign(keywords, read(value));
      continue;
    }
    if (/^\s*(\/\/|$)/.test(line)) continue;
    const [, field] = /json:"(\w+)/.exec(line) ?? [];
    if (field !== undefined && Object.keys(keywords).length > 0) {
      found.set(`${type}.${field}`, keywords);
    }
    keywords = {};
  }
}
