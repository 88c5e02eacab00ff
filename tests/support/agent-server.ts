import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startAgents } from '../../local/agents.ts';
import { loadFunctions } from '../../local/gateway/functions.ts';
import { createGateway } from '../../local/gateway/gateway.ts';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { createLocalServer } from '../../local/server/server.ts';
import type { Inventory } from './inventory.ts';

export interface AgentServer {
  port: number;
  stop: () => Promise<void>;
}

/** The local server with its agent gateway, for an inventory of this process. @param folder of its certificate. */
export async function startAgentServer(inventory: Inventory, folder: string): Promise<AgentServer> {
  const functions = await loadFunctions(inventory.dependencies);
  const gateway = createGateway(functions);
  const { log } = inventory.dependencies;
  const agents = startAgents(functions, gateway, log);
  const certificate = await ensureCertificate(folder);
  const server = createLocalServer({ ...certificate, gateway, site: [], log, serveHttp2: agents.serve });
  await once(server.https.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.https.address() as AddressInfo).port,
    stop: async () => {
      await agents.stop();
      await server.stop(1000);
    },
  };
}
