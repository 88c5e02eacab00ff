/** Words that are written differently in the names of fields. */
const words: Readonly<Record<string, string>> = {
  id: 'ID',
  api: 'API',
  az: 'availability zone',
  arn: 'ARN',
  aws: 'AWS',
  azure: 'Azure',
  dsn: 'DSN',
  hr: 'high resolution',
  mr: 'medium resolution',
  lr: 'low resolution',
  params: 'parameters',
  pmm: 'PMM',
  rta: 'real-time analytics',
  tablestats: 'table statistics',
  tls: 'TLS',
};

/** Fields with labels that do not follow from their names. */
const labels: Readonly<Record<string, string>> = {
  node_name: 'Name',
  service_name: 'Name',
  node_type: 'Type',
  service_type: 'Type',
  agent_type: 'Type',
  name_prefix: 'Name',
  address_contains: 'Address',
  updated_since: 'Changed since',
  status_for: 'Status for at least',
  status_since: 'Status since',
  node_ids: 'Runs on nodes',
  node_names: 'Runs on nodes',
  runs_on_node_id: 'Runs on node',
  pmm_agent_id: 'Runs under pmm_agent',
  'services.node_id': 'Runs on node',
  'agents.runs_on_node_id': 'Runs on node',
  'agents.pmm_agent_id': 'Runs under pmm_agent',
  'agents.node_id': 'Insight into node',
  'agents.service_id': 'Insight into service',
  'insights.node_ids': 'Gives insight into nodes',
  'insights.service_ids': 'Gives insight into services',
  'insights.node_names': 'Gives insight into nodes',
  'insights.service_names': 'Gives insight into services',
  runs_on_node_name: 'Runs on node',
  custom_labels: 'Labels',
  created_at: 'Added',
  updated_at: 'Changed',
  allowCleartextPasswords: 'Allow cleartext passwords',
};

/** The kind of a caller. A session is a user who has logged in. */
export const actorKindText = (kind: string): string => labelOf(kind === 'session' ? 'user' : kind);

/** The label of a field of the API: `node_model` is "Node model". */
export function labelOf(field: string): string {
  const name = field.split('.').at(-1) ?? field;
  const label = labels[field] ?? labels[name];
  if (label !== undefined) return label;
  const text = name
    .split('_')
    .map((word) => words[word] ?? word)
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const numbers = new Intl.NumberFormat('en');

/** `14,599`: every number that a person reads. */
export const numberText = (count: number): string => numbers.format(count);

/** `1 node`, `14,599 nodes`. */
export const plural = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `1 match`, `14,599 matches`, `25+ matches` if there are more. */
export const matchesText = (count: number, hasMore = false): string =>
  `${numberText(count)}${hasMore ? '+' : ''} ${count === 1 ? 'match' : 'matches'}`;
