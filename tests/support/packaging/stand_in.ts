/**
 * A stand-in for the runtime of a compiled binary, which cannot be fetched everywhere: the smallest
 * file of each platform's format into which `deno compile` can embed a program. It cannot run.
 */

type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** The size of a Mach-O page, in memory and in the file. */
const PAGE = 0x4000;
const CPU = { amd64: 0x0100_0007, arm64: 0x0100_000c };

/** A binary file that is written field by field, with zeros between the fields. */
class Image {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #at = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** Continues at an offset. */
  at(offset: number): this {
    this.#at = offset;
    return this;
  }

  /** Writes numbers in little-endian order. */
  fields(...fields: readonly Field[]): this {
    const view = new DataView(this.bytes.buffer);
    for (const [bytes, value] of fields) {
      if (bytes === 2) view.setUint16(this.#at, value, true);
      else if (bytes === 4) view.setUint32(this.#at, value, true);
      else view.setBigUint64(this.#at, BigInt(value), true);
      this.#at += bytes;
    }
    return this;
  }

  /** Writes text, padded with zeros to `bytes`. */
  text(text: string, bytes: number): this {
    this.bytes.set(new TextEncoder().encode(text), this.#at);
    this.#at += bytes;
    return this;
  }
}

/**
 * Returns a Mach-O file with two segments, no symbols, and space for the signature that the
 * compiler replaces.
 */
function machO(arch: "amd64" | "arm64"): Uint8Array<ArrayBuffer> {
  const image = new Image(PAGE + 32);
  const base = 0x1_0000_0000;
  const segment = (name: string, address: number, offset: number, size: number): Image =>
    image.fields([4, 0x19], [4, 72]).text(name, 16)
      .fields([8, address], [8, PAGE], [8, offset], [8, size], [4, 5], [4, 5], [4, 0], [4, 0]);
  const commands = 72 + 72 + 24 + 16;
  image.fields([4, 0xfeed_facf], [4, CPU[arch]], [4, 0], [4, 2], [4, 4], [4, commands], [8, 0]);
  segment("__TEXT", base, 0, PAGE);
  segment("__LINKEDIT", base + PAGE, PAGE, 32);
  image.fields([4, 0x02], [4, 24], [4, PAGE], [4, 0], [4, PAGE], [4, 16]); // symbols
  image.fields([4, 0x1d], [4, 16], [4, PAGE + 16], [4, 16]); // signature
  return image.bytes;
}

/** Returns a PE file: a console program with one section. */
function portableExecutable(): Uint8Array<ArrayBuffer> {
  const image = new Image(0x400);
  image.text("MZ", 0x3c).fields([4, 0x40]).text("PE", 4)
    .fields([2, 0x8664], [2, 1], [4, 0], [4, 0], [4, 0], [2, 240], [2, 0x22]);
  image.fields([2, 0x20b], [2, 0], [4, 0x200], [4, 0], [4, 0], [4, 0x1000], [4, 0x1000])
    .fields([8, 0x1_4000_0000], [4, 0x1000], [4, 0x200]) // where, and how aligned
    .fields([4, 6], [4, 0], [4, 6], [4, 0], [4, 0x2000], [4, 0x200], [4, 0], [4, 3]) // versions, sizes
    .fields([8, 0x10_0000], [8, 0x1000], [8, 0x10_0000], [8, 0x1000], [4, 0], [4, 16]); // stack, heap
  image.at(0x58 + 240).text(".text", 8)
    .fields([4, 1], [4, 0x1000], [4, 0x200], [4, 0x200], [8, 0], [4, 0], [4, 0x6000_0020]);
  return image.bytes;
}

/** Writes the stand-in of a platform's runtime, and returns its path. Linux has one: any program. */
export async function standIn(
  folder: string,
  { os, arch }: {
    readonly os: "linux" | "darwin" | "windows";
    readonly arch: "amd64" | "arm64";
  },
): Promise<string> {
  if (os === "linux") return "/bin/true";
  const path = `${folder}/stand-in-${os}-${arch}`;
  await Deno.writeFile(path, os === "darwin" ? machO(arch) : portableExecutable(), { mode: 0o755 });
  return path;
}
