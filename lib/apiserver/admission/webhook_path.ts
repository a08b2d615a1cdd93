import type { WebhookClientConfig } from "../machinery/call_webhook.ts";

/**
 * Returns the path of a webhook call as Go's REST client derives it from the configuration: cleaned
 * by `path.Join` (`//x` is `/x`, `/a/../b/` is `/b`) and escaped again
 * (`rest.DefaultVersionedAPIPath`, `url.URL.EscapedPath`).
 */
export function webhookPath({ url, service }: WebhookClientConfig): string {
  return escaped(cleaned(service ? service.path ?? "" : pathOf(url ?? "")));
}

/**
 * Returns the unescaped path of a webhook's URL, or the path as written if an escape is not UTF-8;
 * `new URL` would normalize the path.
 */
function pathOf(url: string): string {
  const [, path = ""] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? [];
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Cleans a URL path like Go's `path.Join("/", path)`. */
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
