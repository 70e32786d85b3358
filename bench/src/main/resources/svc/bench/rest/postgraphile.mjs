// PostGraphile on one schema: the peer of the benchmark "graphql".
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const { PEER_DATABASE, PEER_SCHEMA, PEER_ROLE, PEER_CONNECTIONS, PEER_PORT } = process.env;

const server = createServer();
const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: PEER_DATABASE,
      schemas: [PEER_SCHEMA],
      poolConfig: { max: Number(PEER_CONNECTIONS), idleTimeoutMillis: 0 },
    }),
  ],
  grafserv: { graphiql: false, watch: false, graphqlPath: "/graphql" },
  grafast: {
    explain: false,
    // The claims that our transactions have too.
    context: () => ({ pgSettings: { role: PEER_ROLE, "request.jwt.claims": '{"role":"anon"}' } }),
  },
}).createServ(grafserv);
await service.addTo(server);
server.listen(Number(PEER_PORT), "127.0.0.1");
