import type { Facade } from '../../contract/endpoint.ts';

/** The path of OpAMP: polling by POST, and at the agent gateway also WebSockets. */
export const OPAMP_PATH = '/v1/opamp';

/** Seconds until the next report is due: for a gateway that repeats heartbeats. OpAMP has no field for it. */
export const REPORT_AFTER_HEADER = 'Report-After';

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
