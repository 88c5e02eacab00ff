/** The supervisor of the collector with the documented configuration. */
import { writeFile } from 'node:fs/promises';
import { isHealthy, OpampServer, type RunningProgram, SHORT_TIMERS } from './opamp-server.ts';
import { programPath } from './programs.ts';

let server: OpampServer;
beforeAll(async () => (server = await OpampServer.start()));
afterEach(() => server.stopPrograms());
afterAll(() => server.stop());

/** A collector that runs and collects nothing. The supervisor adds the extension for OpAMP. */
const COLLECTOR_CONFIG = `
receivers: { nop: }
exporters: { nop: }
service:
  pipelines: { metrics: { receivers: [nop], exporters: [nop] } }
  telemetry: { metrics: { level: none } }
`;

/** Starts the supervisor with the documented configuration, and a collector without metrics at a fixed port. */
async function startSupervisor(credential: string, address: string): Promise<RunningProgram> {
  const collectorConfig = `${credential}.agent.yaml`;
  await writeFile(collectorConfig, COLLECTOR_CONFIG);
  const others = [
    ['/usr/local/bin/otelcol', `${programPath('collector')}\n  passthrough_logs: true`],
    ['/etc/otelcol/config.yaml', collectorConfig],
    ['/var/lib/otelcol/supervisor', `${credential}.supervisor`],
  ] as const;
  const config = await server.documentedConfig('supervisor.yaml', credential, others, address);
  return server.startProgram('supervisor', ['--config', config]);
}

test.each(['https:', 'wss:'])(
  'the supervisor registers its collector by %s, and takes the interval',
  async (scheme) => {
    const { nodeId, credential } = await server.enrol(`supervisor-${scheme.replace(':', '')}`, SHORT_TIMERS);
    const supervisor = await startSupervisor(credential, server.endpoint(scheme));
    const [agent] = await server.collectorsOf(nodeId, isHealthy, supervisor);
    expect(agent).toMatchObject({ collector_name: 'otelcol', version: '0.149.0', connected: true });
    await server.reportsOften(nodeId, agent.agent_id, supervisor);
  },
);
