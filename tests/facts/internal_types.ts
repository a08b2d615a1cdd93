import { factsModule } from "./module_text.ts";

/** The structs of kube-apiserver's inside that its messages show, one a line. */
export async function dumpInternalTypes(): Promise<string> {
  const command = new Deno.Command("go", {
    args: ["run", "-mod=mod", "../facts/internal_types.go"],
    cwd: new URL("../control_plane", import.meta.url),
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  if (!success) throw new Error("internal_types.go failed");
  const types: Record<string, unknown> = JSON.parse(new TextDecoder().decode(stdout));
  const lines = Object.entries(types)
    .map(([name, fields]) => `${JSON.stringify(name)}:${JSON.stringify(fields)}`);
  return factsModule("INTERNAL_TYPE_FACTS", `{\n${lines.join(",\n")}\n}`);
}
