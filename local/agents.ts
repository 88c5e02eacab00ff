import type { TLSSocket } from 'node:tls';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { callerToContext } from '../functions/contract/caller.ts';
import { PMM_VERSION } from '../functions/pmm/declarations/version.ts';
import { AgentGateway } from '../gateway/relay/agent-gateway.ts';
import type { Send } from '../gateway/relay/inventory.ts';
import { AgentConnections } from '../gateway/streams/connections.ts';
import type { Log } from '../shared/core/log.ts';
import { createGateway, type Functions, type Gateway } from './gateway/gateway.ts';

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

/** Calls the handlers of this process: with the credential of an agent as any client, else with the role Gateway. */
function sendTo(functions: Functions, gateway: Gateway): Send {
  const own = createGateway({ ...functions, authorizer: () => Promise.resolve(admitted) });
  return async ({ method, path, body, as }) => {
    const { authorization, source } = as ?? { authorization: 'Bearer agent-gateway', source: '127.0.0.1' };
    const reply = await (as === undefined ? own : gateway)({
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

export interface LocalAgents {
  /** Serves a connection whose client speaks HTTP/2 only, as agent processes do. */
  serve: (socket: TLSSocket) => void;
  /** Ends all streams, and stores the reports that wait. */
  stop: () => Promise<void>;
}

/** The agent gateway of this server. */
export function startAgents(functions: Functions, gateway: Gateway, log: Log): LocalAgents {
  const agents = new AgentGateway({ send: sendTo(functions, gateway), log, versions: PMM_VERSION });
  const connections = new AgentConnections(MAX_AGENTS, (stream) => void agents.serve(stream));
  return {
    serve: (socket) => connections.serve(socket),
    stop: async () => {
      await agents.stop();
      await connections.close();
    },
  };
}
