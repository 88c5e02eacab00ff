import type { TLSSocket } from 'node:tls';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { callerToContext } from '../functions/contract/caller.ts';
import { PMM_VERSION } from '../functions/pmm/declarations/version.ts';
import { OPAMP_PATH } from '../functions/opamp/exchange/contract.ts';
import { type Forward, MEDIA_TYPE, opampReplyOf } from '../gateway/opamp/forward.ts';
import { OpampSockets, wantsOpamp } from '../gateway/opamp/opamp-sockets.ts';
import { AgentGateway } from '../gateway/relay/agent-gateway.ts';
import type { Send } from '../gateway/relay/inventory.ts';
import { AgentConnections } from '../gateway/streams/connections.ts';
import type { Log } from '../shared/core/log.ts';
import { type ClockSource, processClock } from '../shared/core/monotonic-clock.ts';
import { timeOfDay } from '../shared/core/time-of-day.ts';
import { createGateway, type Functions, type Gateway } from './gateway/gateway.ts';
import type { Upgrades } from './server/server.ts';

/** Agents at once. The other connections of the server stay free for requests. */
const MAX_AGENTS = 400;

/** The gateway as a caller. It has no key, because it is part of this process, and no more rights than its role. */
const admitted: APIGatewayAuthorizerResult = {
  principalId: 'agent-gateway',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*' }],
  },
  context: callerToContext({ kind: 'api_key', keyId: 'agent-gateway', name: 'agent gateway', role: 'Gateway' }),
};

/** Calls the handlers of this process: with the credential of an agent like every client, else with the role Gateway. */
function sendTo(functions: Functions, gateway: Gateway): Send {
  const gatewayAsAdmitted = createGateway({ ...functions, authorizer: () => Promise.resolve(admitted) });
  return async ({ method, path, body, as }) => {
    const { authorization, source } = as ?? { authorization: 'Bearer agent-gateway', source: '127.0.0.1' };
    const reply = await (as === undefined ? gatewayAsAdmitted : gateway)({
      method,
      url: path,
      rawHeaders: ['Authorization', authorization, 'Content-Type', 'application/json'],
      body: body === undefined ? '' : JSON.stringify(body),
      sourceIp: source,
    });
    const parsed: unknown = JSON.parse(reply.body.toString());
    return { status: reply.statusCode, body: parsed };
  };
}

/** Sends a message of OpAMP to the handler of this process, as the agent itself does by HTTP. */
const forwardTo =
  (gateway: Gateway): Forward =>
  async (message, { authorization, source }) => {
    const { statusCode, headers, body } = await gateway({
      method: 'POST',
      url: OPAMP_PATH,
      rawHeaders: ['Authorization', authorization, 'Content-Type', MEDIA_TYPE],
      body: () => Promise.resolve(Buffer.from(message)),
      sourceIp: source,
    });
    return opampReplyOf(statusCode, (name) => headers[name], Buffer.from(body));
  };

export interface LocalAgents {
  /** Serves a connection whose client speaks HTTP/2 only, as agent processes do; undefined: they are not served. */
  serveHttp2: ((socket: TLSSocket) => void) | undefined;
  /** Serves WebSockets of OpAMP. */
  upgrades: Upgrades;
  /** Ends all streams, and stores the reports that wait. */
  stop: () => Promise<void>;
}

interface LocalAgentsOptions extends ClockSource {
  log: Log;
  /** Whether pmm-agents may connect. */
  servesPmm: boolean;
}

/** The agent gateway of this server. */
export function startAgents(
  functions: Functions,
  gateway: Gateway,
  { log, servesPmm, monotonic = processClock }: LocalAgentsOptions,
): LocalAgents {
  const send = sendTo(functions, gateway);
  const agents = new AgentGateway({ send, log, clock: timeOfDay, monotonic, versions: PMM_VERSION });
  const max = () => MAX_AGENTS - sockets.size;
  const connections = new AgentConnections(max, (stream) => void agents.serve(stream), monotonic);
  const sockets = new OpampSockets({
    max: () => MAX_AGENTS - connections.size,
    send,
    forward: forwardTo(gateway),
    log,
    monotonic,
  });
  return {
    serveHttp2: servesPmm ? (socket) => connections.serve(socket) : undefined,
    upgrades: {
      accepts: wantsOpamp,
      serve: (request, socket, head, source) => void sockets.upgrade(request, socket, head, source),
    },
    stop: async () => {
      await Promise.all([agents.stop(), sockets.stop()]);
      await connections.close();
    },
  };
}
