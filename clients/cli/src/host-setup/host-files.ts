import { CREDENTIALS } from '../../../../functions/domain/agent/credentials-file.ts';
import { type Account, credentialsFilesOf, type MonitoredService, wrappersOf } from './exporters.ts';
import type { PmmClient } from './pmm-client.ts';

/** A file of a host. */
export interface HostFile {
  path: string;
  content: string;
  mode: number;
  /** Owned by the user of pmm-agent, otherwise by root. */
  isOfAgent?: true;
  /** Stays as it is if it exists: a person fills it in. */
  isTemplate?: true;
}

export interface HostFolder {
  path: string;
  mode: number;
  isOfAgent?: true;
}

export const CONFIG = '/etc/inventory';

const KEY = `${CONFIG}/key`;
const CA = `${CONFIG}/ca.pem`;
export const AGENT_ENVIRONMENT = `${CONFIG}/pmm-agent.env`;
export const VMAGENT_UNIT = 'inventory-vmagent';

export const folders: readonly HostFolder[] = [
  { path: CONFIG, mode: 0o755 },
  { path: '/etc/monitoring-inventory', mode: 0o755 },
  { path: CREDENTIALS, mode: 0o700, isOfAgent: true },
];

/** The vmagent of a host, which sends all metrics of its exporters to one address. */
export interface Vmagent {
  program: string;
  remoteWrite: string;
  /** Further options of the program. */
  options: readonly string[];
}

export interface Host {
  url: string;
  key: string;
  /** Certificates in PEM. */
  ca: string | undefined;
  isInsecure: boolean;
  /** The user of pmm-agent, who also runs vmagent. */
  user: string;
  client: PmmClient | undefined;
  /** The address of streams of pmm-agent: `host:port`. */
  agentAddress: string;
  services: readonly MonitoredService[];
  /** Of the exporters of a service; undefined: a person enters it. */
  accountOf: (service: MonitoredService) => Account | undefined;
  vmagent: Vmagent | undefined;
}

const HEAD = '# Written by inventory host-setup.';

const lines = (...all: readonly (string | readonly string[])[]) => `${all.flat().join('\n')}\n`;

const environment = ({ url, ca }: Host) =>
  lines(HEAD, `INVENTORY_URL=${url}`, ca === undefined ? [] : `INVENTORY_CA=${CA}`);

/** pmm-agent prefers its environment to its file, which so keeps the server of PMM. */
const agentEnvironment = ({ agentAddress, key, ca, isInsecure }: Host, client: PmmClient) =>
  lines(
    HEAD,
    `PMM_AGENT_SERVER_ADDRESS=${agentAddress}`,
    'PMM_AGENT_SERVER_USERNAME=service_token',
    `PMM_AGENT_SERVER_PASSWORD=${key}`,
    `PMM_AGENT_SERVER_INSECURE_TLS=${isInsecure}`,
    ca === undefined ? [] : `SSL_CERT_FILE=${CA}`,
    wrappersOf(client).map(({ variable, path }) => `${variable}=${path}`),
  );

const agentUnit = lines(HEAD, '[Service]', `EnvironmentFile=${AGENT_ENVIRONMENT}`);

/** The rules are those of docs/own-targets.md, which a test compares. */
const scrapeConfiguration = ({ url, ca, isInsecure }: Host) =>
  lines(
    HEAD,
    'scrape_configs:',
    '  - job_name: host',
    '    http_sd_configs:',
    `      - url: ${url}/v1/discovery/prometheus?node=self`,
    '        authorization:',
    '          type: Bearer',
    `          credentials_file: ${KEY}`,
    ca === undefined && !isInsecure ? [] : '        tls_config:',
    ca === undefined ? [] : `          ca_file: ${CA}`,
    isInsecure ? '          insecure_skip_verify: true' : [],
    '    relabel_configs:',
    '      - regex: __meta_inventory_label_(instance|job|le|quantile|vmrange|vm_account_id|vm_project_id)',
    '        action: labeldrop',
    '      - regex: __meta_inventory_label_(.+)',
    '        action: labelmap',
    '      - regex: __meta_inventory_(agent_id|node_name|service_name|environment|cluster|replication_set|region|az)',
    '        action: labelmap',
  );

/** A word of a command in a unit: systemd replaces `%` and `$`. */
const word = (text: string) => text.replaceAll('%', '%%').replaceAll('$', '$$$$');

const vmagentUnit = ({ program, remoteWrite, options }: Vmagent, user: string) =>
  lines(
    HEAD,
    '[Unit]',
    'Description=Scrape the exporters of this host',
    'After=network-online.target',
    'Wants=network-online.target',
    '',
    '[Service]',
    `User=${user}`,
    `StateDirectory=${VMAGENT_UNIT}`,
    [
      `ExecStart=${program}`,
      `-promscrape.config=${CONFIG}/vmagent.yml`,
      '-promscrape.httpSDCheckInterval=60s',
      `-remoteWrite.url=${word(remoteWrite)}`,
      `-remoteWrite.tmpDataPath=/var/lib/${VMAGENT_UNIT}`,
      '-httpListenAddr=127.0.0.1:8429',
      ...options.map(word),
    ].join(' '),
    'Restart=always',
    'RestartSec=5s',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
  );

function filesOfAgent(host: Host, client: PmmClient): HostFile[] {
  const credentials = host.services.flatMap((service): HostFile[] => {
    const account = host.accountOf(service);
    return credentialsFilesOf(client, service, account).map((file) => ({
      ...file,
      mode: 0o600,
      isOfAgent: true,
      ...(account === undefined ? { isTemplate: true } : {}),
    }));
  });
  return [
    { path: AGENT_ENVIRONMENT, content: agentEnvironment(host, client), mode: 0o600 },
    { path: '/etc/systemd/system/pmm-agent.service.d/inventory.conf', content: agentUnit, mode: 0o644 },
    ...wrappersOf(client).map(({ path, content }) => ({ path, content, mode: 0o755 })),
    ...credentials,
  ];
}

/** All files that a host needs. */
export function hostFiles(host: Host): HostFile[] {
  const { key, ca, client, vmagent, user } = host;
  return [
    { path: KEY, content: `${key}\n`, mode: 0o600, isOfAgent: true },
    ...(ca === undefined ? [] : [{ path: CA, content: ca, mode: 0o644 }]),
    { path: `${CONFIG}/environment`, content: environment(host), mode: 0o644 },
    ...(client === undefined ? [] : filesOfAgent(host, client)),
    ...(vmagent === undefined
      ? []
      : [
          { path: `${CONFIG}/vmagent.yml`, content: scrapeConfiguration(host), mode: 0o644 },
          { path: `/etc/systemd/system/${VMAGENT_UNIT}.service`, content: vmagentUnit(vmagent, user), mode: 0o644 },
        ]),
  ];
}
