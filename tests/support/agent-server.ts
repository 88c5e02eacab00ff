import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startAgents } from '../../local/agents.ts';
import { loadFunctions } from '../../local/gateway/functions.ts';
import type { OpampTiming } from '../../gateway/opamp/opamp-sockets.ts';
import { createGateway, type Gateway } from '../../local/gateway/gateway.ts';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { createLocalServer } from '../../local/server/server.ts';
import type { Inventory } from './inventory.ts';

export interface AgentServer {
  port: number;
  stop: () => Promise<void>;
}

interface AgentServerOptions {
  timing?: OpampTiming;
  /** The API between the agents and the inventory. */
  through?: (gateway: Gateway) => Gateway;
}

/** The local server with its agent gateway, for an inventory of this process. @param folder of its certificate. */
export async function startAgentServer(
  inventory: Inventory,
  folder: string,
  { timing = {}, through = (gateway) => gateway }: AgentServerOptions = {},
): Promise<AgentServer> {
  const functions = await loadFunctions(inventory.dependencies);
  const gateway = through(createGateway(functions));
  const { log } = inventory.dependencies;
  const agents = startAgents(functions, gateway, { log, servesPmm: true, timing });
  const { serveHttp2, upgrades } = agents;
  const certificate = await ensureCertificate(folder);
  const server = createLocalServer({ ...certificate, gateway, site: [], log, serveHttp2, upgrades });
  await once(server.https.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.https.address() as AddressInfo).port,
    stop: async () => {
      await agents.stop();
      await server.stop(1000);
    },
  };
}
