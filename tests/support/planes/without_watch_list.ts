import type { PeerFetch } from "../../../lib/apiserver/mod.ts";

const REASON =
  "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";

/** Answers watches that ask for the state first as kube-apiserver does with `WatchList=false`. */
export function withoutWatchList(fetch: PeerFetch): PeerFetch {
  return (request, peer) => {
    const { searchParams } = new URL(request.url);
    const refused = ["1", "true"].includes(searchParams.get("watch") ?? "") &&
      searchParams.has("sendInitialEvents");
    return refused ? Promise.resolve(refusal()) : fetch(request, peer);
  };
}

function refusal(): Response {
  const cause = { reason: "FieldValueForbidden", message: `Forbidden: ${REASON}` };
  return Response.json({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: ${cause.message}`,
    reason: "Invalid",
    details: {
      group: "meta.k8s.io",
      kind: "ListOptions",
      causes: [{ ...cause, field: "sendInitialEvents" }],
    },
    code: 422,
  }, { status: 422 });
}
