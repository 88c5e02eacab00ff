import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startAgents } from '../../local/agents.ts';
import { loadFunctions } from '../../local/gateway/functions.ts';
import { createGateway, type Gateway } from '../../local/gateway/gateway.ts';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { createLocalServer } from '../../local/server/server.ts';
import type { ClockSource } from '../../shared/core/monotonic-clock.ts';
import type { Inventory } from './inventory.ts';

export interface AgentServer {
  port: number;
  /** Calls of functions without a result so far. */
  pending: number;
  stop: () => Promise<void>;
}

/** The clock is that of the agent gateway. */
interface AgentServerOptions extends ClockSource {
  /** The API between the agents and the inventory. */
  through?: (gateway: Gateway) => Gateway;
}

/** The local server with its agent gateway, for an inventory of this process. @param folder of its certificate. */
export async function startAgentServer(
  inventory: Inventory,
  folder: string,
  { monotonic, through = (gateway) => gateway }: AgentServerOptions = {},
): Promise<AgentServer> {
  const counted =
    <Arguments extends unknown[], Result>(call: (...of: Arguments) => Promise<Result>) =>
    (...of: Arguments) => {
      running.pending += 1;
      return call(...of).finally(() => (running.pending -= 1));
    };
  const all = await loadFunctions(inventory.dependencies);
  const handlers = new Map(Array.from(all.handlers, ([id, handler]) => [id, counted(handler)]));
  const functions = { ...all, handlers, authorizer: counted(all.authorizer) };
  const gateway = through(createGateway(functions));
  const { log } = inventory.dependencies;
  const agents = startAgents(functions, gateway, { log, servesPmm: true, monotonic });
  const { serveHttp2, upgrades } = agents;
  const certificate = await ensureCertificate(folder);
  const server = createLocalServer({ ...certificate, gateway, site: [], log, serveHttp2, upgrades });
  await once(server.https.listen(0, '127.0.0.1'), 'listening');
  const running: AgentServer = {
    port: (server.https.address() as AddressInfo).port,
    pending: 0,
    stop: async () => {
      await agents.stop();
      await server.stop(1000);
    },
  };
  return running;
}
