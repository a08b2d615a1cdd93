import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { moduleUrl } from "./module_url.ts";

/** The files of ours, whichever way they came: the sources, or the bundle, all in one folder. */
const OURS: readonly string[] = import.meta.url.endsWith(".ts")
  ? ["./", "../lib/"].map((folder) => new URL(folder, import.meta.url).href)
  : [new URL("./", import.meta.url).href];

/**
 * Where in a user's module an error was made, as `operator.ts:12`: the first frame in the module's folder,
 * else in a file that is neither ours nor a package. `undefined` when the error does not tell.
 */
export function placeInModule(error: unknown, specifier: string): string | undefined {
  if (!(error instanceof Error) || typeof error.stack !== "string") return undefined;
  const { stack, message } = error;
  const at = message === "" ? -1 : stack.indexOf(message); // A message may look like a frame.
  const frames = framesOf(at < 0 ? stack : stack.slice(at + message.length));
  const url = moduleUrl(specifier);
  const folder = url.startsWith("file:") ? new URL("./", url).href : url;
  const frame = frames.find(({ file }) => file.startsWith(folder)) ?? frames[0];
  return frame && `${shown(frame.file)}:${frame.line}`;
}

interface Frame {
  readonly file: string;
  readonly line: string;
}

function framesOf(stack: string): Frame[] {
  const frames = stack.split("\n").flatMap((text): Frame[] => {
    const [, file, line] = /((?:file|https?):\/\/.+):(\d+):\d+\)?$/.exec(text) ?? [];
    return file === undefined || line === undefined ? [] : [{ file, line }];
  });
  const isForeign = (file: string): boolean =>
    file.includes("/node_modules/") || OURS.some((folder) => file.startsWith(folder));
  return frames.filter(({ file }) => !isForeign(file));
}

/** A file as its user calls it: by its path from the working directory, where it is below that. */
function shown(file: string): string {
  if (!file.startsWith("file:")) return file;
  const path = fileURLToPath(file);
  const short = relative(Deno.cwd(), path);
  return short.startsWith("..") || isAbsolute(short) ? path : short;
}
