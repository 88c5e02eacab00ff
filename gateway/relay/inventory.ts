import * as z from 'zod/mini';
import {
  type DesiredAgent,
  desiredAgentSchema,
  type DesiredService,
  desiredServiceSchema,
} from '../desired/objects.ts';

/** The credential of an agent process, and the address that it came from. */
export interface Credential {
  authorization: string;
  source: string;
}

export interface InventoryRequest {
  method: 'GET' | 'POST';
  /** Path and query. */
  path: string;
  body?: unknown;
  /** Default: that of the gateway, with the role Gateway. */
  as?: Credential;
  /** For one host that is served already: requests for many hosts, and of new ones, may come first. */
  isBackground?: boolean;
}

export interface InventoryReply {
  status: number;
  /** Parsed. */
  body: unknown;
}

/** Sends a request to the service: by HTTP, or by a call of its handlers in the same process. */
export type Send = (request: InventoryRequest) => Promise<InventoryReply>;

/** One entry of the report of a host. */
export interface StatusEntry {
  agent_id: string;
  status: string;
  listen_port?: number | undefined;
  version?: string | undefined;
  status_reason?: string | undefined;
}

export interface HostReport {
  pmm_agent_id: string;
  agents: readonly StatusEntry[];
  /** False: its connection was lost; true: one began. */
  connected?: boolean;
  /** Of a lost connection: since the last sign of life of the process. */
  silent_seconds?: number;
  reset?: true;
}

const failureSchema = z.object({ message: z.string() });

/** The service refused a request, or did not answer. */
export class InventoryError extends Error {
  /** The HTTP status. */
  readonly status: number;

  constructor({ status, body }: InventoryReply) {
    super(z.safeParse(failureSchema, body).data?.message ?? `The inventory replied with ${status}.`);
    this.status = status;
  }
}

const processSchema = z.object({ agent_id: z.string(), runs_on_node_id: z.optional(z.string()) });
const reportedSchema = z.object({ reported_at: z.optional(z.string()) });
const nodeSchema = z.object({ node_name: z.string() });
const pageSchema = z.object({
  agents: z.array(desiredAgentSchema),
  next_page_token: z.optional(z.string()),
});
const resultsSchema = z.object({
  results: z.array(
    z.object({
      status: z.number(),
      report: z.optional(
        z.object({
          reported_at: z.optional(z.string()),
          report_after_seconds: z.number(),
          refused: z.array(z.object({ agent_id: z.string(), reason: z.string() })),
        }),
      ),
    }),
  ),
});
const changesSchema = z.object({
  changes: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      action: z.string(),
      after: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
  next: z.string(),
  more: z.boolean(),
});

const admissionsSchema = z.object({
  results: z.array(
    z.object({
      status: z.number(),
      node_id: z.optional(z.string()),
      node_name: z.optional(z.string()),
      agents: z.optional(z.array(desiredAgentSchema)),
      services: z.optional(z.array(desiredServiceSchema)),
      error: z.optional(failureSchema),
    }),
  ),
});

/** The agents of a host, and their services by their ids. */
export interface HostObjects {
  agents: DesiredAgent[];
  services: Map<string, DesiredService>;
}

/** The node of an agent process that may connect. Without objects, they are to be read. */
export interface AdmittedHost {
  nodeId: string;
  nodeName: string;
  objects?: HostObjects | undefined;
}

/** An agent process with its own credential. */
interface AgentCredential {
  pmmAgentId: string;
  credential: Credential;
}

/** The service accepts no longer header. It refuses this one, and counts the refusal. */
const MAX_AUTHORIZATION = 1024;
const TOO_LONG = 'Bearer -';

const pairOf = ({ pmmAgentId, credential: { authorization, source } }: AgentCredential) => ({
  pmm_agent_id: pmmAgentId,
  authorization: authorization.length > MAX_AUTHORIZATION ? TOO_LONG : authorization,
  source_ip: source === '' ? 'unknown' : source,
});

export type ReportResult = z.output<typeof resultsSchema>['results'][number];
export type InventoryChange = z.output<typeof changesSchema>['changes'][number];
export type ChangePage = z.output<typeof changesSchema>;

/** The requests of the gateway. All throw InventoryError for a reply that is no success. */
export class Inventory {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async #body(request: InventoryRequest): Promise<unknown> {
    const reply = await this.#send(request);
    if (reply.status < 200 || reply.status > 299) throw new InventoryError(reply);
    return reply.body;
  }

  /**
   * The host of each agent process whose own key may report for it, in order; an error for each other one.
   *
   * @param processes at most 100, with API keys.
   */
  async admit(processes: readonly AgentCredential[]): Promise<(AdmittedHost | InventoryError)[]> {
    const body = { admissions: processes.map(pairOf) };
    const reply = await this.#body({ method: 'POST', path: '/v1/gateway/admissions', body });
    return z.parse(admissionsSchema, reply).results.map((result) => {
      const { status, error, node_id: nodeId = '', node_name: nodeName = '', agents, services = [] } = result;
      if (status !== 200) return new InventoryError({ status, body: error });
      const byId = new Map(services.map((service) => [service.service_id, service]));
      return { nodeId, nodeName, objects: agents && { agents, services: byId } };
    });
  }

  /** The report of a host with its own credential: the right to send it is the right to connect as the host. */
  async prove(pmmAgentId: string, as: Credential): Promise<void> {
    const path = `/v1/agents/${encodeURIComponent(pmmAgentId)}/report`;
    await this.#body({ method: 'POST', path, body: { agents: [] }, as });
  }

  /** The node of an agent process. */
  async hostOf(pmmAgentId: string): Promise<AdmittedHost> {
    const path = `/v1/agents/${encodeURIComponent(pmmAgentId)}`;
    const { runs_on_node_id: nodeId = '' } = z.parse(processSchema, await this.#body({ method: 'GET', path }));
    const node = await this.#body({ method: 'GET', path: `/v1/nodes/${encodeURIComponent(nodeId)}` });
    return { nodeId, nodeName: z.parse(nodeSchema, node).node_name };
  }

  /** Milliseconds since 1970 of the last stored report of an agent process, by the clock of the service. */
  async reportedAt(pmmAgentId: string): Promise<number | undefined> {
    const path = `/v1/agents/${encodeURIComponent(pmmAgentId)}`;
    const body = await this.#body({ method: 'GET', path, isBackground: true });
    const { reported_at: time } = z.parse(reportedSchema, body);
    return time === undefined ? undefined : Date.parse(time);
  }

  /** The agents under an agent process, with their services. */
  async objectsOf(pmmAgentId: string): Promise<HostObjects> {
    const agents = await this.agentsUnder(pmmAgentId);
    return { agents, services: await this.services(agents.flatMap(({ insights }) => insights.service_ids)) };
  }

  async agentsUnder(pmmAgentId: string): Promise<DesiredAgent[]> {
    const agents: DesiredAgent[] = [];
    for (let token = ''; ;) {
      const path = `/v1/agents?pmm_agent_id=${encodeURIComponent(pmmAgentId)}&page_size=1000${token}`;
      const page = z.parse(pageSchema, await this.#body({ method: 'GET', path, isBackground: true }));
      agents.push(...page.agents);
      if (page.next_page_token === undefined) return agents;
      token = `&page_token=${encodeURIComponent(page.next_page_token)}`;
    }
  }

  /** Without those that were removed. */
  async services(ids: Iterable<string>): Promise<Map<string, DesiredService>> {
    const services = new Map<string, DesiredService>();
    for (const id of new Set(ids)) {
      const path = `/v1/services/${encodeURIComponent(id)}`;
      const reply = await this.#send({ method: 'GET', path, isBackground: true });
      if (reply.status === 200) services.set(id, z.parse(desiredServiceSchema, reply.body));
      else if (reply.status !== 404) throw new InventoryError(reply);
    }
    return services;
  }

  /** @returns a result for each report, in order. */
  async report(reports: readonly HostReport[]): Promise<ReportResult[]> {
    const body = await this.#body({ method: 'POST', path: '/v1/reports', body: { reports } });
    return z.parse(resultsSchema, body).results;
  }

  /** @param since a cursor, or `now`. */
  async changes(since: string): Promise<ChangePage> {
    const path = `/v1/changes?limit=1000&kinds=service,agent&since=${encodeURIComponent(since)}`;
    return z.parse(changesSchema, await this.#body({ method: 'GET', path }));
  }
}
