import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { moduleUrl } from "./module_url.ts";

/**
 * The URL prefixes of this program's own files, as sources or as a bundle; stack frames in them are
 * skipped.
 */
const OURS: readonly string[] = foldersOfOurs(import.meta.url);

function foldersOfOurs(module: string): string[] {
  const folders = module.endsWith(".ts") ? ["../", "../../lib"] : ["./"];
  return folders.map((folder) => decoded(new URL(folder, module).href));
}

/**
 * Returns the position in a user's module at which an error was created, such as `operator.ts:12`:
 * the first frame in the module's folder, else the first frame in a file that belongs neither to
 * this program nor to a package. `undefined` when the stack has no such frame. Never throws, since
 * it is called while an error is being reported.
 *
 * @param ours Prefixes of the URLs of this program's files, decoded.
 */
export function placeInModule(
  error: unknown,
  specifier: string,
  ours: readonly string[] = OURS,
): string | undefined {
  return attempt(() => {
    if (!(error instanceof Error) || typeof error.stack !== "string") return undefined;
    const { stack, message } = error;
    const at = message === "" ? -1 : stack.indexOf(message); // A message may look like a frame.
    const frames = framesOf(at < 0 ? stack : stack.slice(at + message.length), ours);
    const folder = attempt(() => folderOf(specifier));
    const isNear = ({ file }: Frame): boolean => folder !== undefined && file.startsWith(folder);
    const frame = frames.find(isNear) ?? frames[0];
    return frame && `${shown(frame.file)}:${frame.line}`;
  });
}

/**
 * Returns the result of a function, or `undefined` when it throws, such as for an invalid URL or a
 * deleted working directory.
 */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function folderOf(specifier: string): string {
  const url = moduleUrl(specifier);
  return decoded(url.startsWith("file:") ? new URL("./", url).href : url);
}

interface Frame {
  /** The URL of the file that a line of an error's stack names, decoded. */
  readonly file: string;
  readonly line: string;
}

function framesOf(stack: string, ours: readonly string[]): Frame[] {
  const frames = stack.split("\n").flatMap((text): Frame[] => {
    const [, file, line] = /((?:file|https?):\/\/.+):(\d+):\d+\)?$/.exec(text) ?? [];
    return file === undefined || line === undefined ? [] : [{ file: decoded(file), line }];
  });
  const isForeign = (file: string): boolean =>
    file.includes("/node_modules/") || ours.some((folder) => file.startsWith(folder));
  return frames.filter(({ file }) => !isForeign(file));
}

/**
 * Returns the path of a file for a message: relative to the working directory if the file is below
 * it.
 */
function shown(file: string): string {
  if (!file.startsWith("file:")) return file;
  const path = fileURLToPath(encodeURI(file).replace(/[?#]/g, encodeURIComponent));
  const short = attempt(() => relative(Deno.cwd(), path));
  return short === undefined || short.startsWith("..") || isAbsolute(short) ? path : short;
}

/**
 * Decodes the percent escapes in the URL of a stack frame, for comparison: the runtime escapes only
 * the part below the working directory. A text with an invalid escape is returned unchanged.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
