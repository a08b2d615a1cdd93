import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { moduleUrl } from "./module_url.ts";

/** The files of ours, whichever way they came: the sources, or the bundle, all in one folder. */
const OURS: readonly string[] = foldersOfOurs(import.meta.url);

function foldersOfOurs(module: string): string[] {
  const folders = module.endsWith(".ts") ? ["./", "../lib/"] : ["./"];
  return folders.map((folder) => decoded(new URL(folder, module).href));
}

/**
 * Where in a user's module an error was made, as `operator.ts:12`: the first frame in the module's folder,
 * else in a file that is neither ours nor a package. `undefined` when the error does not tell.
 * It never throws: it is asked where an error is being told already.
 *
 * @param ours What the URLs of our own files begin with, decoded.
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

/** Nothing where it cannot be told: a name that is no URL, a working directory that was deleted. */
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
  /** The file's URL, decoded. */
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

/** A file as its user calls it: by its path from the working directory, where it is below that. */
function shown(file: string): string {
  if (!file.startsWith("file:")) return file;
  const path = fileURLToPath(encodeURI(file).replace(/[?#]/g, encodeURIComponent));
  const short = attempt(() => relative(Deno.cwd(), path));
  return short === undefined || short.startsWith("..") || isAbsolute(short) ? path : short;
}

/**
 * Frames have URLs percent-encoded or not, so they are compared decoded: encoded below the
 * working directory alone. What is not encoded stays.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
