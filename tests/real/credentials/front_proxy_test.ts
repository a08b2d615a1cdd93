/** Behind an authenticating proxy: the API server believes its certificate, and it its own tokens. */
import assert from "node:assert/strict";
import { listWatch, SharedInformer } from "../../../lib/cache/mod.ts";
import {
  type Client,
  createClient,
  isForbidden,
  isUnauthorized,
  whoAmI,
} from "../../../lib/client/mod.ts";
import { ConfigMap } from "../../../lib/apimachinery/meta/mod.ts";
import { CertificateAuthority, ControlPlane } from "../../../lib/testing/mod.ts";
import { FrontProxy } from "../../support/network/front_proxy.ts";
import { until } from "../../support/until.ts";
import { realTest } from "../suite.ts";

realTest(
  "a client behind a front proxy has the identity that the proxy sends, for calls and watches",
  async () => {
    const authority = await CertificateAuthority.create("front-proxy-ca", new Date());
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(`${folder}/ca.crt`, authority.cert);
    await using plane = await ControlPlane.start({
      apiserverFlags: [
        `--requestheader-client-ca-file=${folder}/ca.crt`,
        "--requestheader-allowed-names=front",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
      ],
    });
    await using proxy = await FrontProxy.start({
      serving: await authority.serving("front-proxy", ["localhost"], ["127.0.0.1"]),
      client: await authority.client("front", []),
      upstream: { url: plane.url, ca: plane.caData },
      path: "/clusters/a",
      users: {
        "tina's": { name: "tina", groups: ["system:masters"] },
        "tom's": { name: "tom", groups: [] },
      },
    });
    const as = (token: string): Client =>
      createClient({
        server: proxy.url,
        namespace: "default",
        tls: { caData: authority.cert },
        credentials: { token },
      });

    using tina = as("tina's");
    const me = await whoAmI(tina);
    assert.equal(me.username, "tina");
    assert(me.groups?.includes("system:masters"));
    const stop = new AbortController();
    const informer = new SharedInformer({
      type: ConfigMap,
      listerWatcher: listWatch(tina, ConfigMap),
    });
    const running = informer.run(stop.signal);
    await tina.create(ConfigMap, { metadata: { name: "seen", namespace: "default" } });
    await until(
      () => informer.indexer.get("default/seen") !== undefined,
      "the watch through the proxy",
    );
    stop.abort();
    await running;

    using tom = as("tom's");
    await assert.rejects(tom.list(ConfigMap, { namespace: "default" }), isForbidden);
    using nobody = as("nobody's");
    await assert.rejects(nobody.list(ConfigMap, { namespace: "default" }), isUnauthorized);
    await Deno.remove(folder, { recursive: true });
  },
);
