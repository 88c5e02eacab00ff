import type { ProcessType } from '../protocol/enumerations.ts';
import type { Generation } from '../protocol/generation.ts';
import type { Delimiters } from './delimiters.ts';
import type { DesiredAgent, DesiredService } from './objects.ts';
import { credentialsOf } from '../../functions/domain/agent/credentials-file.ts';

/** The agent process that starts an exporter. */
export interface AgentProcess {
  generation: Generation;
  /** As it states it, such as 2.16.0. */
  version: string;
}

/** How an exporter is started. */
export interface Exporter {
  args: string[];
  env: string[];
  /** The reason for people if it ends. */
  needs?: string;
}

interface ExporterContext {
  agent: DesiredAgent;
  service: DesiredService | undefined;
  process: AgentProcess;
  delimiters: Delimiters;
}

/** The names of collectors are the only text of users that becomes an argument. */
const COLLECTOR = /^[a-z0-9_.]{1,64}$/;

/** Exporters ask for no password, so only an exposed one listens on another interface than loopback, however its metrics travel. */
function listenAddress({ agent, delimiters: { left, right } }: ExporterContext): string {
  const host = agent.expose_exporter === true ? '' : '127.0.0.1';
  return `--web.listen-address=${host}:${left} .listen_port ${right}`;
}

function disabledCollectors({ disable_collectors: names = [] }: DesiredAgent): string[] {
  return [...new Set(names)]
    .filter((name) => COLLECTOR.test(name))
    .sort()
    .map((name) => `--no-collector.${name}`);
}

/** Values in the environment. A wrapper of the host reads them. They end at a control character, which no name contains. */
function serviceVariables(service: DesiredService): string[] {
  const { service_name: name, address, port } = service;
  const plain = (text: string) => text.replace(/[\u0000-\u001f\u007f]/g, ' ');
  const target =
    address === undefined ? [] : [`INVENTORY_ADDRESS=${plain(address)}${port === undefined ? '' : `:${port}`}`];
  return [...target, `INVENTORY_CREDENTIALS=${credentialsOf(service)}`, `INVENTORY_SERVICE=${plain(name)}`];
}

/** An exporter whose wrapper on the host adds its credentials. */
function wrapped(context: ExporterContext, service: DesiredService): Exporter {
  const wrapper = `paths.${context.agent.agent_type} in the file of pmm-agent`;
  return {
    args: [listenAddress(context)],
    env: serviceVariables(service),
    needs: `Needs credentials on the host: name a wrapper as ${wrapper}, or see the log of pmm-agent.`,
  };
}

/** The fixed arguments and variables of each type that runs. Few, because an exporter ends at one that it does not know. */
const exporters: Readonly<Record<ProcessType, (context: ExporterContext, service: DesiredService) => Exporter>> = {
  node_exporter: (context) => ({ args: [listenAddress(context), ...disabledCollectors(context.agent)], env: [] }),
  mysqld_exporter: (context, service) => {
    // Exporters of PMM 2 read no file: a wrapper gives them theirs.
    if (context.process.generation === 2) return wrapped(context, service);
    const file = `${credentialsOf(service)}.cnf`;
    const { args, env } = wrapped(context, service);
    return { args: [`--config.my-cnf=${file}`, ...args], env, needs: `Needs a password file on the host: ${file}` };
  },
  mongodb_exporter: wrapped,
  postgres_exporter: (context, service) => {
    const file = credentialsOf(service);
    const { args, env } = wrapped(context, service);
    const files = ['PASS', 'URI', 'USER'].map((part) => `DATA_SOURCE_${part}_FILE=${file}.${part.toLowerCase()}`);
    return { args, env: [...files, ...env], needs: `Needs files on the host: ${file}.uri, .user and .pass` };
  },
  proxysql_exporter: wrapped,
  valkey_exporter: wrapped,
};

/** @param service the target; a node_exporter has none. */
export function exporterOf(type: ProcessType, context: ExporterContext): Exporter | undefined {
  if (type === 'node_exporter') return exporters.node_exporter(context, { service_id: '', service_name: '' });
  return context.service === undefined ? undefined : exporters[type](context, context.service);
}
