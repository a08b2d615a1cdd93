// Mirrors `endpoints/handlers/create.go, managerOrUserAgent`.

/** The maximum length of a field manager's name, in bytes. */
const MAX_LENGTH = 128;

const PLAIN = /^[\x20-\x7e]*$/;
const encoder = new TextEncoder();

/**
 * Returns the name of a request's field manager: `fieldManager` if it is not empty, otherwise the
 * User-Agent up to the first slash, without unprintable characters and cut to 128 bytes.
 */
export function managerOrUserAgent(fieldManager: string, userAgent: string): string {
  if (fieldManager !== "") return fieldManager;
  const agent = userAgent.split("/", 1)[0]!;
  if (PLAIN.test(agent)) return agent.slice(0, MAX_LENGTH);
  let name = "";
  let length = 0;
  for (const character of agent) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) continue;
    length += encoder.encode(character).length;
    if (length > MAX_LENGTH) break;
    name += character;
  }
  return name;
}
