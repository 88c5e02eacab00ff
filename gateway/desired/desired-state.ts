import { create, toBinary } from '@bufbuild/protobuf';
import { reasonNotStarted } from '../../functions/domain/agent/never-started.ts';
import { type ProcessType, processTypes } from '../protocol/enumerations.ts';
import { type Process, ProcessSchema, type SetState, SetStateSchema } from '../protocol/generated/agent_pb.ts';
import { idFor } from '../protocol/generation.ts';
import { type Delimiters, delimitersFor } from './delimiters.ts';
import { type AgentProcess, exporterOf } from './exporters.ts';
import type { DesiredAgent, DesiredService } from './objects.ts';

/** An agent that its process cannot run. */
export interface WaitingAgent {
  agentId: string;
  /** In words, at most 256 characters. */
  reason: string;
}

/** The exporters of an agent process, and the agents that wait. */
export interface DesiredState {
  /** All agents that run. An equal state has equal bytes. */
  state: SetState;
  /** Sorted by id. */
  waiting: WaitingAgent[];
  /** The reason for people if an agent that runs ends, by its id. */
  needs: ReadonlyMap<string, string>;
}

/** The first version of PMM with a type. Older agent processes log an error for a type that they do not know. */
const VALKEY_SINCE = [3, 5] as const;

const isProcessType = (type: string): type is ProcessType => Object.hasOwn(processTypes, type);

function isKnownTo({ version }: AgentProcess, type: ProcessType): boolean {
  if (type !== 'valkey_exporter') return true;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [sinceMajor, sinceMinor] = VALKEY_SINCE;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}

interface DesiredContext {
  agents: readonly DesiredAgent[];
  /** By their ids. */
  services: ReadonlyMap<string, DesiredService>;
  process: AgentProcess;
}

/** The process of an agent, or the reason why it cannot run. */
function processOf(agent: DesiredAgent, { services, process }: DesiredContext, delimiters: Delimiters) {
  const { agent_type: type, insights } = agent;
  if (!isProcessType(type))
    return reasonNotStarted(type) ?? `This version of the service does not start agents of the type ${type}.`;
  if (!isKnownTo(process, type)) return `pmm-agent ${process.version} is too old for a ${type}.`;
  const [serviceId = ''] = insights.service_ids;
  const exporter = exporterOf(type, { agent, process, delimiters, service: services.get(serviceId) });
  if (exporter === undefined) return 'It gives insight into no service.';
  const { args, env, needs } = exporter;
  const { left: templateLeftDelim, right: templateRightDelim } = delimiters;
  const message = create(ProcessSchema, { type: processTypes[type], templateLeftDelim, templateRightDelim, args, env });
  return { message, needs };
}

/** The values of a process that contain text of users, without templates. */
function valuesOf(agent: DesiredAgent, context: DesiredContext): string[] {
  const built = processOf(agent, context, { left: '', right: '' });
  return typeof built === 'string' ? [] : [...built.message.args, ...built.message.env];
}

/** The desired state of an agent process, from the agents under it and their services. */
export function desiredState(context: DesiredContext): DesiredState {
  const processes: [string, Process][] = [];
  const waiting: WaitingAgent[] = [];
  const needs = new Map<string, string>();
  const enabled = context.agents.filter(({ disabled }) => !disabled);
  for (const agent of enabled.toSorted((left, right) => (left.agent_id < right.agent_id ? -1 : 1))) {
    const { agent_id: agentId } = agent;
    const built = processOf(agent, context, delimitersFor(valuesOf(agent, context)));
    if (typeof built === 'string') waiting.push({ agentId, reason: built.slice(0, 256) });
    else {
      processes.push([idFor(context.process.generation, 'agent', agentId), built.message]);
      if (built.needs !== undefined) needs.set(agentId, built.needs);
    }
  }
  return { state: create(SetStateSchema, { agentProcesses: Object.fromEntries(processes) }), waiting, needs };
}

/** The bytes of a state as text. Equal states have equal fingerprints. */
export const fingerprintOf = (state: SetState): string =>
  Buffer.from(toBinary(SetStateSchema, state)).toString('base64');
