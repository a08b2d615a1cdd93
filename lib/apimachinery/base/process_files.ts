/** The limits of a process, as `/proc/self/limits` has them. */
export interface ProcessLimits {
  /** The largest number of open file descriptors; 2^64 for no limit. */
  readonly openFiles: number;
  /** The largest size of the virtual memory, in bytes; 2^64 for no limit. */
  readonly addressSpace: number;
}

/** The traffic of the network that a process is in, since that network exists. */
export interface NetworkBytes {
  /** The number of bytes received. */
  readonly received: number;
  /** The number of bytes sent. */
  readonly sent: number;
}

/** The value of an unlimited resource: the largest one of an unsigned number of 64 bits. */
const UNLIMITED = 2 ** 64;

/** Returns the number of open file descriptors of this process; see {@linkcode figure}. */
export function openFiles(): number | undefined {
  return figure(() => {
    let count = 0;
    for (const _ of Deno.readDirSync("/proc/self/fd")) count++;
    return count;
  });
}

/** Returns the limits of this process; see {@linkcode figure}. */
export function processLimits(): ProcessLimits | undefined {
  return figure(() => {
    const text = Deno.readTextFileSync("/proc/self/limits");
    const limit = (name: string): number => {
      const [, value] = new RegExp(`^${name} +(\\S+)`, "m").exec(text) ?? [];
      return value === "unlimited" ? UNLIMITED : Number(value);
    };
    return { openFiles: limit("Max open files"), addressSpace: limit("Max address space") };
  });
}

/** Returns the size of the virtual memory of this process, in bytes; see {@linkcode figure}. */
export function virtualBytes(): number | undefined {
  return figure(() => {
    const text = Deno.readTextFileSync("/proc/self/stat");
    // The second field, the name of the program, is in parentheses and may contain spaces.
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[20]);
  });
}

/**
 * Returns the traffic of the network of this process, in a pod that of the pod; see {@linkcode
 * figure}.
 */
export function networkBytes(): NetworkBytes | undefined {
  return figure(() => {
    const text = Deno.readTextFileSync("/proc/self/net/netstat");
    const [names, values] = text.split("\n").filter((line) => line.startsWith("IpExt:"))
      .map((line) => line.split(" "));
    const [received, sent] = ["InOctets", "OutOctets"].map((name) =>
      Number(values?.[names?.indexOf(name) ?? -1] ?? 0)
    );
    return { received: received!, sent: sent! };
  });
}

const { NotCapable, NotFound, PermissionDenied } = Deno.errors;

/**
 * Returns a figure of this process that only files of Linux contain. Deno reads `/proc` for programs
 * with all permissions alone (`--allow-all`); the figure is `undefined` for other programs, and on
 * other systems.
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
