import type { WebhookClientConfig } from "../machinery/call_webhook.ts";

/**
 * The path that a webhook is called at, as Go's REST client makes it of what the configuration says:
 * cleaned by `path.Join` (`//x` is `/x`, `/a/../b/` is `/b`), and escaped anew
 * (`rest.DefaultVersionedAPIPath`, `url.URL.EscapedPath`).
 */
export function webhookPath({ url, service }: WebhookClientConfig): string {
  return escaped(cleaned(service ? service.path ?? "" : pathOf(url ?? "")));
}

/** The path of a URL, unescaped; `new URL` would already have changed it. */
function pathOf(url: string): string {
  const [, path = ""] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? [];
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `path.Join("/", path)` of Go. */
function cleaned(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `/${kept.join("/")}`;
}

function escaped(path: string): string {
  // Adjusts the characters that Go's URL escaping and encodeURIComponent treat differently.
  return encodeURIComponent(path)
    .replace(/%(2F|24|26|2B|2C|3A|3B|3D|40)/g, (text) => decodeURIComponent(text))
    .replace(/[!'()*]/g, (text) => `%${text.charCodeAt(0).toString(16).toUpperCase()}`);
}
