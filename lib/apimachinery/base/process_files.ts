/**
 * The soft limits of a process on open files and virtual memory, from `/proc/self/limits`; each is
 * `undefined` if the kernel does not list it.
 */
export interface ProcessLimits {
  /** The maximum number of file descriptors that the process may have open; 2^64 for no limit. */
  readonly openFiles: number | undefined;
  /** The maximum size of the process's virtual memory, in bytes; 2^64 for no limit. */
  readonly addressSpace: number | undefined;
}

/**
 * The numbers of bytes in IP packets that the network namespace of a process has received and sent
 * since the namespace was created; each is `undefined` if the kernel does not list it.
 */
export interface NetworkBytes {
  /** The number of bytes that the network namespace has received. */
  readonly received: number | undefined;
  /** The number of bytes that the network namespace has sent. */
  readonly sent: number | undefined;
}

/**
 * The number that stands for the absence of a process limit, 2^64: more than any unsigned number of
 * 64 bits.
 */
const UNLIMITED = 2 ** 64;

/**
 * Returns the number of open file descriptors of this process; `undefined` where {@linkcode figure}
 * cannot read it.
 */
export function openFiles(): number | undefined {
  return figure(() => {
    let count = 0;
    for (const _ of Deno.readDirSync("/proc/self/fd")) count++;
    return count;
  });
}

/**
 * Returns the soft limits of this process; `undefined` where {@linkcode figure} cannot read them.
 */
export function processLimits(): ProcessLimits | undefined {
  return figure(() => {
    const text = Deno.readTextFileSync("/proc/self/limits");
    const limit = (name: string): number | undefined => {
      const [, value] = new RegExp(`^${name} +(\\S+)`, "m").exec(text) ?? [];
      return value === "unlimited" ? UNLIMITED : numberOf(value);
    };
    return { openFiles: limit("Max open files"), addressSpace: limit("Max address space") };
  });
}

/**
 * Returns the size of the virtual memory of this process, in bytes; `undefined` where {@linkcode
 * figure} cannot read it.
 */
export function virtualBytes(): number | undefined {
  return figure(() => {
    const text = Deno.readTextFileSync("/proc/self/stat");
    // The second field, the name of the program, is in parentheses and may contain spaces.
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[20]);
  });
}

/**
 * Returns the numbers of bytes that the network namespace of this process (in a pod, that of the
 * pod) has received and sent; `undefined` where {@linkcode figure} cannot read them.
 */
export function networkBytes(): NetworkBytes | undefined {
  return figure(() => {
    const text = Deno.readTextFileSync("/proc/self/net/netstat");
    const [names, values] = text.split("\n").filter((line) => line.startsWith("IpExt:"))
      .map((line) => line.split(" "));
    const [received, sent] = ["InOctets", "OutOctets"].map((name) =>
      numberOf(values?.[names?.indexOf(name) ?? -1])
    );
    return { received, sent };
  });
}

/** Returns the number in a text of the kernel; `undefined` for no text. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

const { NotCapable, NotFound, PermissionDenied } = Deno.errors;

/**
 * Returns the result of `read`, which reads a figure of this process from `/proc`; `undefined` when
 * the file does not exist or may not be read. Only Linux has such files, and Deno reads them only
 * for programs with all permissions (`--allow-all`).
 */
function figure<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ([NotCapable, NotFound, PermissionDenied].some((each) => error instanceof each)) {
      return undefined;
    }
    throw error;
  }
}
