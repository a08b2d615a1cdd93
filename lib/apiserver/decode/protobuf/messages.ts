import { PROTOBUF_MESSAGES } from "../../facts/protobuf.ts";

/** One field of a protobuf message. */
export interface MessageField {
  /** The name of the protobuf field in JSON. */
  readonly name: string;
  /**
   * The type of the protobuf field: `s`, `y`, `b`, `d`, `i` (string, bytes, boolean, double,
   * integer), or the name of a message.
   */
  readonly type: string;
  readonly shape: "one" | "list" | "map";
  /**
   * Reports whether the protobuf field is a pointer in Go: an absent value is not encoded, and an
   * empty value is kept in JSON.
   */
  readonly keepsEmpty: boolean;
  /**
   * Reports whether JSON has the fields of the protobuf field's message in place of the field
   * itself.
   */
  readonly inline: boolean;
}

/** A protobuf message: its fields by their numbers. */
export type Message = ReadonlyMap<number, MessageField>;

let lines: Map<string, string> | undefined;
const messages = new Map<string, Message>();

/**
 * Returns a protobuf message of Kubernetes by its name, such as `core.v1.Pod`; `undefined` if there
 * is none. The generated description of the message is parsed on first use.
 */
export function messageOf(name: string): Message | undefined {
  let message = messages.get(name);
  if (message) return message;
  lines ??= new Map(PROTOBUF_MESSAGES.trim().split("\n").flatMap(linesOf));
  const line = lines.get(name);
  if (line === undefined) return undefined;
  message = new Map(line.split(" ").filter((field) => field !== "").map(readField));
  messages.set(name, message);
  return message;
}

/**
 * Returns pairs of the name of a protobuf message and the description of its fields, for all
 * messages of a package, from the line about the package in the generated description.
 */
function linesOf(text: string): [string, string][] {
  const [pack, ...all] = text.split("; ");
  return all.map((line) => {
    const end = line.indexOf(" ");
    const name = end < 0 ? line : line.slice(0, end);
    return [`${pack}.${name}`, end < 0 ? "" : line.slice(end + 1)];
  });
}

function readField(text: string): [number, MessageField] {
  const [, name, number, prefix, type, marks] = /^(.+?):(\d+):([*%]?)([\w.]+)([<?]*)$/.exec(text)!;
  return [Number(number), {
    name: name!,
    type: type!,
    shape: prefix === "*" ? "list" : prefix === "%" ? "map" : "one",
    keepsEmpty: marks!.includes("?"),
    inline: marks!.includes("<"),
  }];
}

/** The protobuf packages of groups whose package is not named by the group's first label. */
const PACKAGES: Readonly<Record<string, string>> = {
  "": "core",
  "internal.apiserver.k8s.io": "apiserverinternal",
};

/** The kinds of `meta.k8s.io` that every group has, such as `DeleteOptions`. */
const META_KINDS = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "Status",
]);

/** The messages of kinds that are accepted in a version that is not served. */
const SAME_MESSAGES: Readonly<Record<string, string>> = {
  "policy.v1beta1.Eviction": "policy.v1.Eviction",
};

/** Returns the name of the protobuf message of a kind, such as `core.v1.Pod`. */
export function messageName(apiVersion: string, kind: string): string {
  if (META_KINDS.has(kind)) return `meta.v1.${kind}`;
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  const name = `${PACKAGES[group] ?? group.split(".")[0]}.${version}.${kind}`;
  return SAME_MESSAGES[name] ?? name;
}
