import type { ReportedAgent } from '../../../typescript/src/generated/types.ts';
import { readYaml } from './body-file.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import type { World } from '../core/world.ts';
import { isId } from '../objects/objects.ts';
import { type Fields, isFields, isList, pairOf } from '../core/values.ts';

export const statusOptions: readonly OptionSpec[] = [
  {
    flags: '--status <agent=status>',
    description:
      'the status of an agent under the pmm_agent, by its id; with --declare also by its type, or type/service: ' +
      'mysqld_exporter/orders=running',
    many: true,
  },
  {
    flags: '--statuses <file>',
    description:
      'YAML or JSON file with a list of { agent, status, listen_port, version }, which is read before each report',
  },
];

/** An agent that a declaration has added, and what it monitors. */
export interface DeclaredAgent {
  id: string;
  type: string;
  services: readonly string[];
}

/** @throws CommandError if no declared agent, or more than one, has the name. */
function idOf(name: string, declared: readonly DeclaredAgent[]): string {
  if (isId(name)) return name;
  const [type, service] = name.split('/');
  const matching = declared.filter(
    (agent) => agent.type === type && (service === undefined || agent.services.includes(service)),
  );
  const [only] = matching;
  if (only === undefined || matching.length > 1)
    throw new CommandError(`${matching.length === 0 ? 'No' : 'More than one'} declared agent is ${name}: give its id.`);
  return only.id;
}

/** The server checks the words. */
const isReported = (value: Fields): value is Fields & Omit<ReportedAgent, 'agent_id'> & { agent: string } =>
  typeof value['agent'] === 'string' && value['status'] !== undefined;

async function agentsOfFile(file: string, world: World) {
  const listed = await readYaml(file, world);
  if (!isList(listed)) throw new CommandError(`${file} contains no list.`);
  return listed.map((item) => {
    if (isFields(item) && isReported(item)) return item;
    throw new CommandError(`${file} has an item without agent or status.`);
  });
}

/** The statuses that the options give at this moment. */
export async function reportedAgents(
  { options, world }: CommandCall,
  declared: readonly DeclaredAgent[],
): Promise<ReportedAgent[]> {
  const given = options
    .all('status')
    .map((text) => pairOf(text, () => new CommandError(`--status is no agent=status: ${text}`)));
  const file = options.text('statuses');
  const listed = file === undefined ? [] : await agentsOfFile(file, world);
  const all = [...listed, ...given.map(([agent, status]) => ({ agent, status })).filter(isReported)];
  return all.map(({ agent, ...rest }) => ({ ...rest, agent_id: idOf(agent, declared) }));
}
