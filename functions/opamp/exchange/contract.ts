import type { Facade } from '../../contract/endpoint.ts';

/** The path of OpAMP: polling by POST, and at the agent gateway also WebSockets. */
export const OPAMP_PATH = '/v1/opamp';

export const facade: Facade = {
  id: 'opamp',
  folder: 'opamp/exchange',
  summary: 'OpAMP: OpenTelemetry collectors register and report',
  role: 'Editor',
  frequent: true,
  access: 'write',
  method: 'POST',
  paths: [OPAMP_PATH],
};
