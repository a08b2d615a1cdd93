/**
 * Takes the numbers of protobuf fields from the Go modules of Kubernetes, for
 * `lib/apiserver/facts/protobuf.ts`. The messages are those of `generated.proto`; the JSON names of
 * fields, and whether a field is a pointer, are those of the Go types.
 *
 * ```sh
 * deno run -A tests/facts/dump_protobuf.ts [FOLDER]    # FOLDER is $GOPATH/pkg/mod/k8s.io
 * ```
 *
 * @module
 */
const root = Deno.args[0] ?? `${Deno.env.get("HOME")}/go/pkg/mod/k8s.io`;
const RELEASE = "v0.37.2";
const TARGET = new URL("../../lib/apiserver/facts/protobuf.ts", import.meta.url);
const MODULES = ["api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"];
const SCALARS: Readonly<Record<string, string>> = {
  string: "s",
  bytes: "y",
  bool: "b",
  double: "d",
  int32: "i",
  int64: "i",
};

/** A protobuf field, from the tags of a Go struct. */
interface GoField {
  readonly json: string;
  readonly pointer: boolean;
  readonly inline: boolean;
}

/** The messages of each package. */
const packages = new Map<string, string[]>();
for (const module of MODULES) {
  for (const folder of foldersWith(`${root}/${module}@${RELEASE}`)) {
    const proto = Deno.readTextFileSync(`${folder}/generated.proto`);
    const go = [...Deno.readDirSync(folder)]
      .filter(({ name }) => name.endsWith(".go") && !/_test|generated|zz_/.test(name))
      .map(({ name }) => Deno.readTextFileSync(`${folder}/${name}`)).join("\n");
    const pack = short(/^package (\S+);/m.exec(proto)![1]!);
    packages.set(pack, [...messagesOf(proto, structsOf(go))].sort());
  }
}
dropUnserved(packages);
await Deno.writeTextFile(
  TARGET,
  `// Taken from the Go modules of Kubernetes by tests/facts/dump_protobuf.ts: do not edit.

/**
 * The protobuf messages of Kubernetes, one package per line. A line begins with the name of the
 * package; the messages follow, separated by "; ", each as its name and its fields. A field is its
 * JSON name, number and type, separated by colons. The type is \`s\` (string), \`y\` (bytes), \`b\`
 * (boolean), \`d\` (double), \`i\` (integer) or the name of a message. The prefix \`*\` marks a list, and
 * \`%\` a map with string keys. The suffix \`?\` marks a field that is a pointer in Go, so that an empty
 * value differs from an absent one. The suffix \`<\` marks a message whose fields JSON has in place of
 * the field.
 */
export const PROTOBUF_MESSAGES: string = \`
${[...packages].sort().map(([name, messages]) => [name, ...messages].join("; ")).join("\n")}
\`;
`,
);

/** Removes the messages of alpha and beta packages that no served message contains. */
function dropUnserved(packages: Map<string, string[]>): void {
  const used = new Set<string>();
  const byName = new Map<string, string>();
  for (const [pack, messages] of packages) {
    for (const each of messages) byName.set(`${pack}.${each.split(" ")[0]}`, each);
  }
  const visit = (name: string): void => {
    if (used.has(name) || !byName.has(name)) return;
    used.add(name);
    for (const field of byName.get(name)!.split(" ").slice(1)) {
      visit(field.slice(field.lastIndexOf(":") + 1).replace(/[*%?<]/g, ""));
    }
  };
  const isUnserved = (pack: string) => /alpha|beta/.test(pack);
  for (const name of byName.keys()) {
    if (!isUnserved(name)) visit(name);
  }
  for (const [pack, messages] of packages) {
    const kept = messages.filter((each) => used.has(`${pack}.${each.split(" ")[0]}`));
    if (kept.length > 0) packages.set(pack, kept);
    else packages.delete(pack);
  }
}

function foldersWith(folder: string): string[] {
  const found: string[] = [];
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory && !["testing", "testapigroup", "example", "testdata"].includes(name)) {
      found.push(...foldersWith(`${folder}/${name}`));
    }
    if (name === "generated.proto") found.push(folder);
  }
  return found.sort();
}

function structsOf(go: string): Map<string, Map<number, GoField>> {
  const structs = new Map<string, Map<number, GoField>>();
  for (const [, name, body] of go.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields = new Map<number, GoField>();
    for (const [, type, tags] of body!.matchAll(/^\s*(?:\w+\s+)?(\S+)\s+`([^`]*)`/gm)) {
      // The tags stand in any order, and others stand between them.
      const [, number] = /(?:^| )protobuf:"\w+,(\d+),/.exec(tags!) ?? [];
      const [, json, options] = /(?:^| )json:"([^",]*)(,[^"]*)?"/.exec(tags!) ?? [];
      if (number === undefined || json === undefined) continue;
      const inline = json === "" || (options?.includes("inline") ?? false);
      fields.set(Number(number), { json, pointer: type!.startsWith("*"), inline });
    }
    structs.set(name!, fields);
  }
  return structs;
}

function* messagesOf(proto: string, structs: Map<string, Map<number, GoField>>): Iterable<string> {
  const [, pack] = /^package (\S+);/m.exec(proto)!;
  for (const [, name, body] of proto.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm)) {
    const fields: string[] = [];
    const struct = structs.get(name!);
    const each = /^ {2}(optional|repeated|map<string, )\s*(\S+?)>? (\w+) = (\d+);/gm;
    for (const [, how, type, field, number] of body!.matchAll(each)) {
      const go = struct?.get(Number(number));
      // Types without any tags are written to JSON by functions of their own; `Unknown` is an envelope.
      if (struct && struct.size > 0 && !go && name !== "Unknown") {
        throw new Error(`Cannot take ${pack}.${name}: its field ${field} has no JSON name in Go`);
      }
      const prefix = how === "repeated" ? "*" : how === "optional" ? "" : "%";
      const marks = `${go?.inline ? "<" : ""}${go?.pointer ? "?" : ""}`;
      fields.push(`${go?.json || field}:${number}:${prefix}${typeName(type!, pack!)}${marks}`);
    }
    yield `${name} ${fields.join(" ")}`.trimEnd();
  }
}

function typeName(type: string, pack: string): string {
  const scalar = SCALARS[type];
  if (scalar) return scalar;
  return short(
    type.startsWith(".") ? type.slice(1) : type.includes(".") ? type : `${pack}.${type}`,
  );
}

/** `core.v1.Pod` for `k8s.io.api.core.v1.Pod`. */
function short(name: string): string {
  return name.replace(/^k8s\.io\.(api\.|apimachinery\.pkg\.(apis\.|api\.|util\.)?)?/, "")
    .replace(/^\w+\.pkg\.apis\./, "");
}
